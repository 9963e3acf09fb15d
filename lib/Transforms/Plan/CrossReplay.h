// Replays the flags between the cores of one block.
//
// A core is the list of its sets, waits and barriers in program order. Each pipe takes its own in order; the scalar
// unit, which issues them, goes on when its own wait is over. What can happen does not depend on the order it happens
// in: sets only ever let others go on. So one replay decides whether a core waits forever, and holding back the waits
// for one flag as long as anything else can go on shows the most sets that may be ahead of them.
//
// Flags between cores reach whom the manual's CrossCoreSetFlag says (the Machine has its own account, CrossFlags.h).
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_CROSSREPLAY_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_CROSSREPLAY_H

#include "mlir/IR/Operation.h"
#include "tilesmith/Isa/Cores.h"
#include <string>
#include <vector>

namespace tilesmith::plan {

struct CrossEvent {
  enum Kind : uint8_t { Set, Wait, InnerSet, InnerWait, Barrier } kind;
  isa::Pipe pipe;                  // whose queue it is in
  isa::Pipe from = isa::Pipe::ALL; // of a flag within the core, with `to`
  isa::Pipe to = isa::Pipe::ALL;
  int64_t mode = 0, id = 0;
  mlir::Operation *op = nullptr;
};

// What is wrong, with the place, and the other place that belongs to it.
struct CrossFault {
  mlir::Operation *op = nullptr, *other = nullptr;
  std::string text, note;
};

// The first fault of a block whose cores are the cube core and then its vector cores; no op: there is none.
CrossFault replayCross(isa::BlockCores block, llvm::ArrayRef<std::vector<CrossEvent>> cores);

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_CROSSREPLAY_H
