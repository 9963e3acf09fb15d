// Cores of one launch that wait for each other: those of a block, and those of different blocks.
//
// One core runs at a time, in a fixed order, which numbers them (their turn). So results, traces and findings do not
// depend on the host. A core that waits keeps its host thread; launches whose cores never wait use the calling thread
// alone. Cores that have not begun go first, then always the lowest one whose wait is satisfied; in a mixed kernel a
// new block begins only when no core of the blocks before can go on.
//
// Sets are counted by key for the whole launch. The n-th wait of a core for a key goes on when n times `sets` sets
// have been counted: with as many sets as blocks this is a barrier, with one it is a signal from one block to another.
// Cross-core flags have rules of their own (CrossFlags.h). A core that serves the others of its block waits as the
// last: it goes on when no core that waits for anything else can.
#ifndef TILESMITH_LIB_MACHINE_CORE_CROSSBLOCKS_H
#define TILESMITH_LIB_MACHINE_CORE_CROSSBLOCKS_H

#include "CrossFlags.h"
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace tilesmith::machine {

// In a key: who sets and who waits are cores of one block.
inline constexpr int64_t countedInBlock = int64_t(1) << 62;

class CrossBlocks {
public:
  CrossBlocks(const LaunchCores &cores, std::function<void(int64_t)> run)
      : flags(cores), count(int64_t(cores.count())), perBlock(cores.block.count()), run(std::move(run)) {}

  // Runs every core; returns when all are over.
  void runAll();
  // A kernel says its type when its first core begins: there are so many cores from here on.
  void grow(const LaunchCores &cores);

  void set(int64_t key);
  // How many sets of the key this wait of the core needs.
  int64_t needed(int64_t turn, int64_t key, int64_t sets);
  int64_t counted(int64_t key) const;
  void setFlag(size_t core, int64_t mode, int64_t id);

  // Returns when `ready` says so, or false when nobody can make it true any more. It is asked by whoever has the turn.
  bool wait(int64_t turn, const std::function<bool()> &ready, bool last = false);

  CrossFlags<std::monostate> flags;

private:
  struct Waiting {
    int64_t turn;
    const std::function<bool()> *ready;
    bool last, goesOn = false, satisfied = false;
    std::condition_variable wake;
  };

  void runRest();
  void passOn();
  Waiting *firstReady() const;
  bool beginsNext() const;

  int64_t count;
  unsigned perBlock;
  std::function<void(int64_t)> run;
  mutable std::mutex mutex; // hands the turn from thread to thread; only whose turn it is touches anything else
  std::condition_variable allOver;
  int64_t next = 0, over = 0;                           // cores that have begun, and that have ended
  std::map<int64_t, int64_t> sets;                      // by key
  std::map<std::pair<int64_t, int64_t>, int64_t> waits; // by turn and key
  std::vector<Waiting *> waiting;
  std::vector<std::thread> threads;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_CROSSBLOCKS_H
