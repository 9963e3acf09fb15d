// The order inside the blocks of a launch. Most blocks make the same calls on other bytes of global memory: what was
// found clean in one of them is clean in the others.
//
// Addresses in global memory decide nothing as long as a block writes no byte of it that it touches otherwise. Two such
// blocks with equal calls but for these addresses have the same findings, and what is skipped has none, so the result
// does not depend on which block was looked at.
#ifndef TILESMITH_LIB_MACHINE_ORDER_ORDEROFBLOCKS_H
#define TILESMITH_LIB_MACHINE_ORDER_ORDEROFBLOCKS_H

#include "tilesmith/Machine/Trace.h"
#include <mutex>

namespace tilesmith::machine {

class OrderOfBlocks {
public:
  OrderOfBlocks(std::span<const BlockTrace> blocks, const Platform &platform) : blocks(blocks), platform(platform) {}

  // As checkOrder; by any number of threads.
  void check(size_t block, std::vector<Finding> &findings, const AddressNames &names);

private:
  bool isLikeClean(const BlockTrace &block);
  void rememberClean(const BlockTrace &block);

  std::span<const BlockTrace> blocks;
  const Platform &platform;
  std::mutex mutex;
  std::vector<const BlockTrace *> clean; // a few, unlike each other as far as is known
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_ORDER_ORDEROFBLOCKS_H
