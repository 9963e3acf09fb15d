// Synchronise: makes every dependency between pipes explicit.
//
// The kernel is read as instructions in a tree of regions, with the pairs of them that touch the same bytes. Each
// dependency that nothing orders yet gets a token: a flag set by the producer's pipe and waited for by the consumer's.
// Both ends of a token sit in the same body, so zero-trip loops and branches balance by construction; loop-carried
// tokens are primed before the loop and drained after it. The token of a ring has one flag per slot. Dependencies
// within a pipe that does not keep its own order get a barrier, and so does what no flag can express. Flag ids are
// coloured per pair of pipes at the end. The kernel ends with a barrier of all pipes.
//
// With `within-vector` only what orders the vector pipe within itself is written, as the vendor's compiler does on its
// own; every other dependency stays as it is.
//
// A kernel that already holds flags or barriers is synchronised by its author and left alone.
#include "Tokens.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith {
#define GEN_PASS_DEF_SYNCHRONISE
#include "tilesmith/Transforms/Plan/PlanPasses.h.inc"

namespace {
using namespace plan;

// Writes the sync nodes of a kernel into the IR.
class Writer {
public:
  explicit Writer(func::FuncOp func) : builder(func.getContext()), entry(&func.getBody().front()) {}

  void write(Body &body, Block &block) {
    Operation *previous = nullptr;
    bool atPrevious = true; // still in the run of sets and drains that belong to the op before
    for (size_t i = 0; i < body.nodes.size(); ++i) {
      Node &node = *body.nodes[i];
      if (node.kind <= NodeKind::While) {
        for (size_t region = 0; region < node.bodies.size(); ++region)
          if (!node.bodies[region]->nodes.empty())
            write(*node.bodies[region], node.op->getRegion(region).front());
        previous = node.op;
        atPrevious = true;
        continue;
      }
      atPrevious &= (node.kind == NodeKind::Set) != node.allSlots && node.kind != NodeKind::Barrier;
      if (atPrevious && previous)
        builder.setInsertionPointAfter(previous);
      else
        builder.setInsertionPoint(nextOp(body, i, block));
      Operation *written = write(node);
      if (atPrevious)
        previous = written;
    }
  }

private:
  static Operation *nextOp(Body &body, size_t i, Block &block) {
    for (; i < body.nodes.size(); ++i)
      if (body.nodes[i]->kind <= NodeKind::While)
        return body.nodes[i]->op;
    return block.getTerminator();
  }

  Operation *write(Node &node) {
    Location loc = node.op->getLoc();
    if (node.kind == NodeKind::Barrier)
      return PipeBarrierOp::create(builder, loc, pipe(node.pipe));
    Token &token = *node.token;
    Operation *last = nullptr;
    for (int64_t slot = 0; slot < (node.allSlots ? token.flags() : 1); ++slot) {
      Value id = node.allSlots || !token.ring ? constant(token.id + slot) : slotId(token);
      last = node.kind == NodeKind::Set
                 ? SetFlagOp::create(builder, loc, pipe(token.from), pipe(token.to), id).getOperation()
                 : WaitFlagOp::create(builder, loc, pipe(token.from), pipe(token.to), id).getOperation();
      last->setAttr(tokenAttrName, builder.getI64IntegerAttr(token.number)); // ids are shared; this tells whose it is
    }
    return last;
  }

  PipeAttr pipe(Pipe value) { return PipeAttr::get(builder.getContext(), value); }

  Value constant(int64_t value) {
    Value &known = constants[value];
    if (!known) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(entry);
      known = arith::ConstantOp::create(builder, entry->getParentOp()->getLoc(), builder.getI64IntegerAttr(value));
    }
    return known;
  }

  // id + iteration modulo slots, computed once where the iteration is known.
  Value slotId(const Token &token) {
    Value slots = constant(token.ring.slots), base = constant(token.id);
    Location loc = token.slotIndex.getLoc();
    OpBuilder::InsertionGuard guard(builder);
    Value &slot = slotIds[{token.slotIndex, {token.ring.slots, 0}}];
    if (!slot) {
      builder.setInsertionPointAfterValue(token.slotIndex);
      slot = arith::RemUIOp::create(builder, loc, token.slotIndex, slots);
    }
    Value first = slot;
    if (token.id == 0)
      return first;
    Value &known = slotIds[{token.slotIndex, {token.ring.slots, token.id}}];
    if (!known) {
      builder.setInsertionPointAfterValue(first);
      known = arith::AddIOp::create(builder, loc, first, base);
    }
    return known;
  }

  OpBuilder builder;
  Block *entry;
  llvm::DenseMap<int64_t, Value> constants;
  llvm::DenseMap<std::pair<Value, std::pair<int64_t, int64_t>>, Value> slotIds;
};

bool isSynchronised(func::FuncOp func) {
  return func
      .walk([](Operation *op) {
        return llvm::isa<SetFlagOp, WaitFlagOp, PipeBarrierOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

struct Synchronise : impl::SynchroniseBase<Synchronise> {
  using SynchroniseBase::SynchroniseBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || isSynchronised(func))
      return;
    FailureOr<std::unique_ptr<Kernel>> kernel = Kernel::read(func);
    if (failed(kernel))
      return signalPassFailure();
    if (withinVector)
      keepVectorOnly(**kernel);
    for (bool thorough = true, done = false; !done;) {
      if (failed(orderDependencies(**kernel, thorough)))
        return fail(func);
      groupTokens(**kernel);
      Assigned assigned = assignFlags(**kernel);
      done = thorough && assigned == Assigned::All;
      thorough = assigned != Assigned::FarFrom;
    }
    tell(**kernel);
    Writer(func).write((*kernel)->body, func.getBody().front());
    if (withinVector)
      return;
    OpBuilder builder(func.getBody().front().getTerminator());
    PipeBarrierOp::create(builder, func.getLoc(), PipeAttr::get(func.getContext(), Pipe::ALL));
  }

  // Why there are barriers, and what the kernel costs in flags.
  void tell(Kernel &kernel) {
    if (!getContext().getRemarkEngine())
      return;
    int64_t tokens = 0, carried = 0, flags = 0, dependencies = 0;
    for (auto &token : kernel.tokens)
      if (!token->dropped) {
        ++tokens;
        carried += token->isCarried();
        flags += token->flags();
      }
    for (auto &of : kernel.dependencies)
      dependencies += of.size();
    remark::analysis(getOperation().getLoc(), remarkOf(getArgument(), "tokens"))
        << remark::metric("dependencies", dependencies) << remark::metric("tokens", tokens)
        << remark::metric("carried", carried) << remark::metric("flags", flags)
        << remark::metric("barriers", tellBarriers(kernel.body))
        << remark::metric("rings-given-up", kernel.timesGivenUp);
  }

  int64_t tellBarriers(const Body &body) {
    int64_t barriers = 0;
    for (const Node *node : body.nodes) {
      for (auto &inner : node->bodies)
        barriers += tellBarriers(*inner);
      if (node->kind != NodeKind::Barrier)
        continue;
      ++barriers;
      remark::missed(node->op->getLoc(), remarkOf(getArgument(), "barrier"))
          << remark::metric("pipe", std::string(stringify(node->pipe))) << remark::reason("{0}", node->reason);
    }
    return barriers;
  }

  static void keepVectorOnly(Kernel &kernel) {
    auto isVector = [&](unsigned number) { return kernel.instructions[number]->pipe == Pipe::V; };
    for (auto [number, dependencies] : llvm::enumerate(kernel.dependencies))
      llvm::erase_if(dependencies,
                     [&](const Dependency &dependency) { return !isVector(number) || !isVector(dependency.on); });
  }

  void fail(func::FuncOp func) {
    func.emitError("cannot order the instructions of this kernel");
    signalPassFailure();
  }
};

} // namespace
} // namespace tilesmith
