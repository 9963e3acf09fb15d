// Join cores: makes one kernel of its cube half and its vector half.
//
// The kernel asks on which kind of core it runs and does one half or the other. Its last parameter is the workspace;
// each block has a piece of it, and each channel a part of that, where both halves look for it. The kernel says its
// type and the bytes a block needs. Neither half has anything the other one could disturb: memories belong to cores,
// and flags between cores are in both.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "tilesmith/Dialect/Isa/Functions.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Dialect/Isa/Workspace.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"
#include "tilesmith/Transforms/Remarks.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith {
#define GEN_PASS_DEF_JOINCORES
#include "tilesmith/Transforms/Plan/PlanPasses.h.inc"

namespace {
int64_t numberOf(Operation *op, StringRef name) { return cast<IntegerAttr>(op->getAttr(name)).getInt(); }

struct JoinCores : impl::JoinCoresBase<JoinCores> {
  using JoinCoresBase::JoinCoresBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> vectors;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(halfOfAttrName))
        vectors.push_back(function);
    for (func::FuncOp vector : vectors) {
      auto cube = getOperation().lookupSymbol<func::FuncOp>(vector->getAttrOfType<StringAttr>(halfOfAttrName));
      if (!cube) {
        vector.emitError() << "the cube half of this kernel is missing";
        return signalPassFailure();
      }
      join(cube, vector);
    }
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!function->hasAttr(workspaceAttrName) && parametersOf(function) < function.getNumArguments())
        giveWorkspace(function);
  }

private:
  // Parameters that are parts of the workspace stand last.
  static unsigned parametersOf(func::FuncOp half) {
    unsigned count = 0;
    while (count < half.getNumArguments() && !half.getArgAttr(count, channelAttrName) &&
           !half.getArgAttr(count, scratchAttrName))
      ++count;
    return count;
  }

  static int64_t bytesOf(func::FuncOp half, unsigned argument) {
    auto scratch = half.getArgAttrOfType<IntegerAttr>(argument, scratchAttrName);
    return scratch ? scratch.getInt() : cast<IntegerAttr>(half.getArgAttr(argument, channelAttrName)).getInt();
  }

  // Where each part of the workspace begins: those that blocks share at its begin, the others in a piece for each block
  // behind them.
  struct Layout {
    struct Part {
      int64_t offset;
      bool isShared;
    };
    SmallVector<Part> parts;
    int64_t shared = 0, ofBlock = 0; // bytes

    void add(int64_t bytes, bool isShared) {
      int64_t &end = isShared ? shared : ofBlock;
      parts.push_back({end, isShared});
      end += bytes;
    }
    void tell(func::FuncOp kernel) const {
      Builder b(kernel.getContext());
      kernel->setAttr(workspaceAttrName, b.getI64IntegerAttr(ofBlock));
      if (shared)
        kernel->setAttr(sharedWorkspaceAttrName, b.getI64IntegerAttr(shared));
    }
    // Writes where a part begins; `block` says which block it is.
    Value begin(OpBuilder &b, Location loc, Part part, Value &piece, llvm::function_ref<Value()> block) const {
      auto number = [&](int64_t value) -> Value {
        return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
      };
      if (part.isShared)
        return number(part.offset);
      if (!piece) {
        piece = arith::MulIOp::create(b, loc, block(), number(ofBlock));
        if (shared)
          piece = arith::AddIOp::create(b, loc, piece, number(shared));
      }
      return part.offset ? arith::AddIOp::create(b, loc, piece, number(part.offset)).getResult() : piece;
    }
  };

  // A kernel of one kind of core: its scratch parameters become one, the workspace.
  void giveWorkspace(func::FuncOp kernel) {
    OpBuilder b(kernel);
    Location loc = kernel.getLoc();
    unsigned parameters = parametersOf(kernel), all = kernel.getNumArguments();
    auto type = BufferType::get(b.getContext(), Memory::GM, b.getI8Type());
    (void)kernel.insertArgument(all, type, b.getDictionaryAttr(b.getNamedAttr(noaliasAttrName, b.getUnitAttr())),
                                NameLoc::get(b.getStringAttr("workspace"), loc));
    b.setInsertionPointToStart(&kernel.getBody().front());
    Layout layout;
    for (unsigned i = parameters; i < all; ++i)
      layout.add(bytesOf(kernel, i), bool(kernel.getArgAttr(i, sharedAttrName)));
    Value piece;
    for (unsigned i = parameters; i < all; ++i) {
      BlockArgument scratch = kernel.getArgument(i);
      Value begin = layout.begin(b, loc, layout.parts[i - parameters], piece,
                                 [&] { return BlockIdxOp::create(b, loc, b.getI64Type()).getResult(); });
      Value part = OffsetOp::create(b, loc, type, kernel.getArgument(all), begin);
      scratch.replaceAllUsesWith(ViewOp::create(b, loc, scratch.getType(), part));
    }
    BitVector gone(all + 1);
    gone.set(parameters, all);
    (void)kernel.eraseArguments(gone);
    layout.tell(kernel);
  }

  void join(func::FuncOp cube, func::FuncOp vector) {
    OpBuilder b(cube);
    Location loc = cube.getLoc();
    unsigned parameters = parametersOf(cube);
    SmallVector<Type> types(cube.getArgumentTypes().take_front(parameters));
    types.push_back(BufferType::get(b.getContext(), Memory::GM, b.getI8Type()));
    auto kernel = func::FuncOp::create(b, loc, cube.getName(), b.getFunctionType(types, {}));
    for (NamedAttribute attribute : cube->getDiscardableAttrs())
      kernel->setAttr(attribute.getName(), attribute.getValue());
    if (Attribute prints = vector->getAttr(printsAttrName))
      kernel->setAttr(printsAttrName, prints);
    int64_t vectorCores = numberOf(vector, vectorCoresAttrName);
    for (StringRef name : {coreAttrName, vectorCoresAttrName})
      kernel->removeAttr(name);
    KernelType type = vectorCores > 1 ? KernelType::MixAic_1_2 : KernelType::MixAic_1_1;
    kernel->setAttr(kernelTypeAttrName, b.getStringAttr(StringRef(stringify(type))));
    Block *body = kernel.addEntryBlock();
    for (unsigned i = 0; i < parameters; ++i) {
      body->getArgument(i).setLoc(cube.getArgument(i).getLoc());
      if (DictionaryAttr attributes = cube.getArgAttrDict(i))
        kernel.setArgAttrs(i, attributes);
    }
    body->getArgument(parameters).setLoc(NameLoc::get(b.getStringAttr("workspace"), loc));
    kernel.setArgAttr(parameters, noaliasAttrName, b.getUnitAttr());
    // The larger of what both halves say: one that never comes to a channel says nothing.
    Layout layout;
    SmallVector<Attribute> rings;
    for (unsigned i = parameters; i < cube.getNumArguments(); ++i) {
      int64_t bytes = 0;
      for (func::FuncOp half : {cube, vector})
        bytes = std::max(bytes, bytesOf(half, i));
      layout.add(bytes, bool(cube.getArgAttr(i, sharedAttrName)));
      NamedAttrList ring;
      for (func::FuncOp half : {cube, vector})
        if (auto said = half.getArgAttrOfType<DictionaryAttr>(i, ringAttrName))
          for (NamedAttribute attribute : said)
            ring.set(attribute.getName(), attribute.getValue());
      if (!ring.empty()) {
        ring.set("offset", b.getI64IntegerAttr(layout.parts.back().offset));
        rings.push_back(ring.getDictionary(b.getContext()));
      }
    }
    layout.tell(kernel);
    if (!rings.empty())
      kernel->setAttr(ringsAttrName, b.getArrayAttr(rings));

    b.setInsertionPointToEnd(body);
    Value onCube = OnCubeOp::create(b, loc, b.getI1Type());
    auto choice = scf::IfOp::create(b, loc, onCube, /*withElseRegion=*/true);
    func::ReturnOp::create(b, loc);
    for (func::FuncOp half : {cube, vector}) {
      Block *branch = half == cube ? choice.thenBlock() : choice.elseBlock();
      b.setInsertionPoint(branch->getTerminator());
      auto number = [&](int64_t value) -> Value {
        return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
      };
      IRMapping map;
      for (unsigned i = 0; i < parameters; ++i)
        map.map(half.getArgument(i), body->getArgument(i));
      Value piece;
      for (auto [i, place] : llvm::enumerate(layout.parts)) {
        BlockArgument channel = half.getArgument(parameters + i);
        if (channel.use_empty())
          continue;
        Value begin = layout.begin(b, loc, place, piece, [&] {
          Value block = BlockIdxOp::create(b, loc, b.getI64Type());
          return half == vector && vectorCores > 1
                     ? arith::DivUIOp::create(b, loc, block, number(vectorCores)).getResult()
                     : block;
        });
        Value part =
            OffsetOp::create(b, loc, body->getArgument(parameters).getType(), body->getArgument(parameters), begin);
        map.map(channel, ViewOp::create(b, loc, channel.getType(), part).getResult());
      }
      for (Operation &op : half.getBody().front().without_terminator())
        b.clone(op, map);
    }
    cube.erase();
    vector.erase();
    remark::passed(kernel.getLoc(), remarkOf(getArgument(), "kernel")) << remark::metric("workspace", layout.ofBlock);
  }
};
} // namespace
} // namespace tilesmith
