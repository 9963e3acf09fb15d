// Blocks of one launch that wait for each other.
//
// One block runs at a time, in a fixed order: the first ones until each waits or ends, then always the lowest block
// whose wait is satisfied. So results, traces and findings do not depend on the host. A block that waits keeps its host
// thread; launches whose blocks never wait use the calling thread alone.
//
// Sets are counted by key for the whole launch. The n-th wait of a block for a key goes on when n times `sets` sets
// have been counted: with as many sets as blocks this is a barrier, with one it is a signal from one block to another.
#ifndef TILESMITH_LIB_MACHINE_CORE_CROSSBLOCKS_H
#define TILESMITH_LIB_MACHINE_CORE_CROSSBLOCKS_H

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tilesmith::machine {

class CrossBlocks {
public:
  CrossBlocks(int64_t blocks, std::function<void(int64_t)> runBlock) : blocks(blocks), runBlock(std::move(runBlock)) {}

  // Runs every block; returns when all are over.
  void runAll();

  void set(int64_t key);
  // Returns when the wait is satisfied, or false when nobody can satisfy it any more.
  bool wait(int64_t block, int64_t key, int64_t sets);
  int64_t count(int64_t key) const;

private:
  struct Waiting {
    int64_t block, key, needed;
    bool goesOn = false, satisfied = false;
    std::condition_variable wake;
  };

  void runRest();
  void passOn();

  const int64_t blocks;
  std::function<void(int64_t)> runBlock;
  mutable std::mutex mutex; // hands the turn from thread to thread; only whose turn it is touches anything else
  std::condition_variable allOver;
  int64_t nextBlock = 0, over = 0;
  std::map<int64_t, int64_t> sets;                      // by key
  std::map<std::pair<int64_t, int64_t>, int64_t> waits; // by block and key
  std::vector<Waiting *> waiting;
  std::vector<std::thread> threads;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_CROSSBLOCKS_H
