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

  // A kernel of one kind of core: its scratch parameters become one, the workspace.
  void giveWorkspace(func::FuncOp kernel) {
    OpBuilder b(kernel);
    Location loc = kernel.getLoc();
    unsigned parameters = parametersOf(kernel), all = kernel.getNumArguments();
    auto type = BufferType::get(b.getContext(), Memory::GM, b.getI8Type());
    (void)kernel.insertArgument(all, type, b.getDictionaryAttr(b.getNamedAttr(noaliasAttrName, b.getUnitAttr())),
                                NameLoc::get(b.getStringAttr("workspace"), loc));
    b.setInsertionPointToStart(&kernel.getBody().front());
    auto number = [&](int64_t value) -> Value { return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value)); };
    int64_t total = 0;
    for (unsigned i = parameters; i < all; ++i)
      total += bytesOf(kernel, i);
    Value first = arith::MulIOp::create(b, loc, BlockIdxOp::create(b, loc, b.getI64Type()), number(total));
    int64_t offset = 0;
    for (unsigned i = parameters; i < all; ++i) {
      BlockArgument scratch = kernel.getArgument(i);
      Value part =
          OffsetOp::create(b, loc, type, kernel.getArgument(all), arith::AddIOp::create(b, loc, first, number(offset)));
      scratch.replaceAllUsesWith(ViewOp::create(b, loc, scratch.getType(), part));
      offset += bytesOf(kernel, i);
    }
    BitVector gone(all + 1);
    gone.set(parameters, all);
    (void)kernel.eraseArguments(gone);
    kernel->setAttr(workspaceAttrName, b.getI64IntegerAttr(total));
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
    SmallVector<int64_t> offsets;
    SmallVector<Attribute> rings;
    int64_t total = 0;
    for (unsigned i = parameters; i < cube.getNumArguments(); ++i) {
      int64_t bytes = 0;
      for (func::FuncOp half : {cube, vector})
        bytes = std::max(bytes, bytesOf(half, i));
      offsets.push_back(total);
      NamedAttrList ring;
      for (func::FuncOp half : {cube, vector})
        if (auto said = half.getArgAttrOfType<DictionaryAttr>(i, ringAttrName))
          for (NamedAttribute attribute : said)
            ring.set(attribute.getName(), attribute.getValue());
      if (!ring.empty()) {
        ring.set("offset", b.getI64IntegerAttr(total));
        rings.push_back(ring.getDictionary(b.getContext()));
      }
      total += bytes;
    }
    kernel->setAttr(workspaceAttrName, b.getI64IntegerAttr(total));
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
      if (!offsets.empty()) {
        Value block = BlockIdxOp::create(b, loc, b.getI64Type());
        if (half == vector && vectorCores > 1)
          block = arith::DivUIOp::create(b, loc, block, number(vectorCores));
        Value first = arith::MulIOp::create(b, loc, block, number(total));
        for (auto [i, offset] : llvm::enumerate(offsets)) {
          BlockArgument channel = half.getArgument(parameters + i);
          if (channel.use_empty())
            continue;
          Value begin = offset ? arith::AddIOp::create(b, loc, first, number(offset)).getResult() : first;
          Value part =
              OffsetOp::create(b, loc, body->getArgument(parameters).getType(), body->getArgument(parameters), begin);
          map.map(channel, ViewOp::create(b, loc, channel.getType(), part).getResult());
        }
      }
      for (Operation &op : half.getBody().front().without_terminator())
        b.clone(op, map);
    }
    cube.erase();
    vector.erase();
    remark::passed(kernel.getLoc(), remarkOf(getArgument(), "kernel")) << remark::metric("workspace", total);
  }
};
} // namespace
} // namespace tilesmith
