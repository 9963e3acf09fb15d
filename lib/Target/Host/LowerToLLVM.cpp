// lower-isa-to-llvm: each kernel of isa IR becomes a native function calling the Machine.
//
// The kernel's signature becomes that of TsKernelFn and its parameters loads from `args`. Scalar code is guarded,
// vector functions are compiled apart, control flow loses its structure, and then one conversion turns what is left
// into llvm: buffers into int64 addresses, each instruction into one call with its record's operands in order.
#include "tilesmith/Target/Host/LowerToLLVM.h"
#include "Lowering.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tilesmith/Dialect/Asc/Asc.h"
#include "tilesmith/Dialect/Isa/Functions.h"
#include "tilesmith/Dialect/Isa/Workspace.h"
#include "tilesmith/Machine/Instr.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::host {

namespace {

bool isUnsigned(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer && integer.isUnsigned();
}

// One instruction, one call: core, location, dtypes, then the record's operands.
struct LowerInstruction : OpInterfaceConversionPattern<InstructionOpInterface> {
  LowerInstruction(const TypeConverter &types, MLIRContext *context, Lowering &lowering)
      : OpInterfaceConversionPattern(types, context), lowering(lowering) {}

  LogicalResult matchAndRewrite(InstructionOpInterface op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    const InstructionInfo &info = op.getInfo();
    Location loc = op.getLoc();
    SmallVector<unsigned> position(info.numOperands, 0); // of a record's operand among the op's
    for (unsigned i = 0, next = 0; i < info.numOperands; ++i)
      if (info.operands[i].kind != OperandKind::Attribute)
        position[i] = next++;
    Type element;
    SmallVector<Value> args = {Lowering::core(op), lowering.locationIndex(rewriter, loc)};
    for (int8_t carrier : {info.dtypeOperand, info.dtype2Operand}) {
      if (carrier < 0)
        continue;
      Type type = cast<BufferType>(op->getOperand(position[carrier]).getType()).getElementType();
      std::optional<DType> dtype = getDType(type);
      if (!dtype)
        return op.emitOpError() << "has no dtype for element type " << type;
      if (!element)
        element = type;
      args.push_back(constant(rewriter, loc, int64_t(*dtype)));
    }
    for (unsigned i = 0; i < info.numOperands; ++i) {
      const OperandInfo &operand = info.operands[i];
      if (operand.kind == OperandKind::Attribute)
        args.push_back(constant(rewriter, loc, abiValueOf(op->getAttr(StringRef(operand.name)))));
      else if (operand.kind == OperandKind::Scalar)
        args.push_back(toBits(rewriter, loc, operands[position[i]], element && isUnsigned(element)));
      else
        args.push_back(operands[position[i]]);
    }
    Type result = info.hasResult ? rewriter.getI64Type() : Type();
    auto call = lowering.call(rewriter, loc, "tsm_" + std::string(info.mnemonic), result, args);
    if (!info.hasResult) {
      rewriter.eraseOp(op);
      return success();
    }
    Type type = getTypeConverter()->convertType(op->getResult(0).getType());
    rewriter.replaceOp(op, fromBits(rewriter, loc, call.getResult(), type));
    return success();
  }

  Lowering &lowering;
};

struct LowerAlloc : OpConversionPattern<AllocOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(AllocOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    machine::Address address(op.getResult().getType().getMemory(), *op.getAddress());
    rewriter.replaceOp(op, constant(rewriter, op.getLoc(), address.bits));
    return success();
  }
};

struct LowerSlot : OpConversionPattern<SlotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(SlotOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    AllocOp alloc = op.getAlloc();
    Value slots = constant(rewriter, loc, alloc.getSlots()), bytes = constant(rewriter, loc, alloc.getBytes());
    Value slot = LLVM::URemOp::create(rewriter, loc, adaptor.getIndex(), slots);
    Value offset = LLVM::MulOp::create(rewriter, loc, slot, bytes);
    rewriter.replaceOpWithNewOp<LLVM::AddOp>(op, adaptor.getRing(), offset);
    return success();
  }
};

struct LowerOffset : OpConversionPattern<OffsetOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(OffsetOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::AddOp>(op, adaptor.getBase(), adaptor.getBytes());
    return success();
  }
};

struct LowerView : OpConversionPattern<ViewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ViewOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getBase());
    return success();
  }
};

struct LowerAt : OpConversionPattern<asc::AtOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(asc::AtOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getAddress());
    return success();
  }
};

struct LowerAddress : OpConversionPattern<asc::AddressOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(asc::AddressOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getBuffer());
    return success();
  }
};

// A call of any entry; its text, if it has one, is the last argument.
struct LowerCall : OpConversionPattern<asc::CallOp> {
  LowerCall(const TypeConverter &types, MLIRContext *context, Lowering &lowering)
      : OpConversionPattern(types, context), lowering(lowering) {}

  LogicalResult matchAndRewrite(asc::CallOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> args = {Lowering::core(op)};
    if (op.getPlace())
      args.push_back(lowering.locationIndex(rewriter, loc));
    for (Value arg : adaptor.getArgs())
      args.push_back(toBits(rewriter, loc, arg, /*isUnsigned=*/false));
    if (std::optional<StringRef> text = op.getText())
      args.push_back(lowering.text(rewriter, loc, *text));
    Type result = op.getResult() ? rewriter.getI64Type() : Type();
    auto call = lowering.call(rewriter, loc, ("tsm_" + op.getEntry()).str(), result, args);
    if (op.getResult())
      rewriter.replaceOp(op, call.getResult());
    else
      rewriter.eraseOp(op);
    return success();
  }

private:
  Lowering &lowering;
};

struct LowerOnCube : OpConversionPattern<OnCubeOp> {
  LowerOnCube(const TypeConverter &types, MLIRContext *context, Lowering &lowering)
      : OpConversionPattern(types, context), lowering(lowering) {}

  LogicalResult matchAndRewrite(OnCubeOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    constexpr int64_t cube = 1; // of the bits the service answers with
    Value kinds =
        lowering.call(rewriter, loc, "tsm_core_kinds", rewriter.getI64Type(), {Lowering::core(op)}).getResult();
    Value bit = LLVM::AndOp::create(rewriter, loc, kinds, constant(rewriter, loc, cube));
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::ne, bit, constant(rewriter, loc, 0));
    return success();
  }

  Lowering &lowering;
};

// A probe tells its values one by one, and then where it is. A launch that ends there leaves its loops at once.
struct LowerProbe : OpConversionPattern<ProbeOp> {
  LowerProbe(const TypeConverter &types, MLIRContext *context, Lowering &lowering)
      : OpConversionPattern(types, context), lowering(lowering) {}

  LogicalResult matchAndRewrite(ProbeOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    for (auto [index, value] : llvm::enumerate(adaptor.getValues()))
      lowering.call(rewriter, loc, "tsm_debug_value", {},
                    {Lowering::core(op), constant(rewriter, loc, int64_t(index)),
                     toBits(rewriter, loc, value, /*isUnsigned=*/false)});
    Value goesOn = lowering
                       .call(rewriter, loc, "tsm_debug_statement", rewriter.getI64Type(),
                             {Lowering::core(op), lowering.locationIndex(rewriter, loc),
                              constant(rewriter, loc, lowering.site(op.getSite())),
                              constant(rewriter, loc, op.getDepth()), constant(rewriter, loc, op.getKind())})
                       .getResult();
    Value isOver = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::eq, goesOn, constant(rewriter, loc, 0));
    Block *block = rewriter.getInsertionBlock(), *rest = rewriter.splitBlock(block, rewriter.getInsertionPoint());
    Block *end = rewriter.createBlock(rest->getParent(), rest->getParent()->end());
    LLVM::ReturnOp::create(rewriter, loc, ValueRange());
    rewriter.setInsertionPointToEnd(block);
    LLVM::CondBrOp::create(rewriter, loc, isOver, end, rest);
    rewriter.eraseOp(op);
    return success();
  }

  Lowering &lowering;
};

// Memories and pipes the kernel names, and whether its blocks may run side by side.
LogicalResult describe(func::FuncOp kernel, Metadata &metadata) {
  metadata.kernel = kernel.getName().str();
  if (auto arch = kernel->getAttrOfType<StringAttr>(archAttrName))
    if (std::optional<Arch> known = symbolize<Arch>(std::string_view(arch.getValue())))
      metadata.arch = *known;
  for (BlockArgument arg : kernel.getArguments()) {
    auto buffer = dyn_cast<BufferType>(arg.getType());
    Type element = buffer ? buffer.getElementType() : arg.getType();
    std::optional<DType> dtype = element.isIndex() ? DType::I64 : getDType(element);
    if (!dtype || infoOf(*dtype).use != DTypeUse::Tiles)
      return kernel.emitError() << "parameter " << arg.getArgNumber() << " has type " << arg.getType()
                                << ", which a kernel cannot take";
    auto named = dyn_cast<NameLoc>(arg.getLoc());
    metadata.parameters.push_back({named ? named.getName().str() : "", *dtype, bool(buffer)});
  }
  if (auto prints = kernel->getAttrOfType<ArrayAttr>(printsAttrName))
    for (auto site : prints.getAsRange<ArrayAttr>()) {
      PrintSite &print = metadata.prints.emplace_back();
      for (auto [i, text] : llvm::enumerate(site.getAsRange<StringAttr>()))
        (i == 0 ? print.format : print.values.emplace_back()) = text.str();
    }
  metadata.kernelType = kernelTypeOf(kernel);
  metadata.saysType = kernel->hasAttr(isa::kernelTypeAttrName);
  metadata.autoSync = kernel->hasAttr(asc::kernelAttrName);
  metadata.serial = kernel->hasAttr(asc::waitsAttrName);
  if (auto bytes = kernel->getAttrOfType<IntegerAttr>(workspaceAttrName))
    metadata.workspace = bytes.getInt();
  if (auto bytes = kernel->getAttrOfType<IntegerAttr>(sharedWorkspaceAttrName))
    metadata.sharedWorkspace = bytes.getInt();
  if (auto rings = kernel->getAttrOfType<ArrayAttr>(ringsAttrName))
    for (auto ring : rings.getAsRange<DictionaryAttr>())
      metadata.rings.push_back({ringNumber(ring, "offset"), ringNumber(ring, "bytes"), ringNumber(ring, "slots"),
                                ringWord(ring, "from") == StringRef(stringify(CoreKind::AIV)),
                                ringWord(ring, "name").str(), ringWord(ring, "shape").str(),
                                uint32_t(ringNumber(ring, "sent")), uint32_t(ringNumber(ring, "received"))});
  metadata.breakpoints = kernel->hasAttr(breakpointsAttrName);
  WalkResult walk = kernel.walk([&](Operation *op) -> WalkResult {
    if (auto alloc = dyn_cast<AllocOp>(op)) {
      if (!alloc.getAddress())
        return alloc.emitOpError() << "has no address; plan memory before lowering";
      Memory memory = alloc.getResult().getType().getMemory();
      int64_t &usage = metadata.usage[unsigned(memory)];
      usage = std::max<int64_t>(usage, *alloc.getAddress() + alloc.getBytes() * alloc.getSlots());
      auto place = alloc.getLoc()->findInstanceOf<FileLineColLoc>();
      metadata.buffers.push_back({memory, int64_t(*alloc.getAddress()), int64_t(alloc.getBytes()),
                                  int64_t(alloc.getSlots()), alloc.getSource().value_or("").str(),
                                  alloc.getShape().value_or("").str(), place ? place.getLine() : 0});
    }
    if (auto instruction = dyn_cast<InstructionOpInterface>(op))
      metadata.serial |= instruction.getInfo().opcode == Opcode::SetAtomic;
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

// The parameter a buffer of global memory belongs to, or -1 where that is decided while the kernel runs.
int32_t parameterOf(Value buffer) {
  while (Operation *op = buffer.getDefiningOp())
    if (auto offset = dyn_cast<OffsetOp>(op))
      buffer = offset.getBase();
    else if (auto view = dyn_cast<ViewOp>(op))
      buffer = view.getBase();
    else
      return -1;
  auto argument = cast<BlockArgument>(buffer);
  return mlir::isa<func::FuncOp>(argument.getOwner()->getParentOp()) ? int32_t(argument.getArgNumber()) : -1;
}

// Whose arrays instructions access, by their place: findings name them.
struct ArrayPlaces {
  SmallVector<std::pair<Location, int32_t>> found;

  explicit ArrayPlaces(func::FuncOp kernel) {
    kernel.walk([&](InstructionOpInterface op) {
      for (Value operand : op->getOperands())
        if (auto buffer = dyn_cast<BufferType>(operand.getType()); buffer && buffer.getMemory() == Memory::GM)
          found.emplace_back(op.getLoc(), parameterOf(operand));
    });
  }

  void note(Lowering &lowering) const {
    std::vector<int32_t> &arrayAt = lowering.metadata.arrayAt;
    constexpr int32_t unknown = -1, none = -2;
    arrayAt.assign(lowering.metadata.locations.size(), none);
    for (auto [loc, parameter] : found)
      if (uint32_t at = lowering.index(loc); at < arrayAt.size())
        arrayAt[at] = arrayAt[at] == none || arrayAt[at] == parameter ? parameter : unknown;
    llvm::replace(arrayAt, none, unknown);
  }
};

// The kernel as a TsKernelFn: parameters are read from `args` at its head.
LLVM::LLVMFuncOp convertSignature(func::FuncOp kernel, const LLVMTypeConverter &types) {
  OpBuilder b(kernel);
  Location loc = kernel.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {pointer, pointer});
  auto function = LLVM::LLVMFuncOp::create(b, loc, symbolOf(std::string_view(kernel.getName())), type);
  function.getBody().takeBody(kernel.getBody());
  Block &entry = function.getBody().front();
  unsigned numParams = entry.getNumArguments();
  b.setInsertionPointToStart(&entry);
  Value args = entry.insertArgument(0u, pointer, loc);
  entry.insertArgument(0u, pointer, loc);
  for (unsigned i = 0; i < numParams; ++i) {
    BlockArgument param = entry.getArgument(i + 2);
    if (param.use_empty())
      continue;
    Value at = LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), args, ArrayRef<LLVM::GEPArg>{int32_t(i)});
    Value bits = LLVM::LoadOp::create(b, loc, b.getI64Type(), at);
    Value value = fromBits(b, loc, bits, types.convertType(param.getType()));
    if (value.getType() != param.getType())
      value = UnrealizedConversionCastOp::create(b, loc, param.getType(), value).getResult(0);
    param.replaceAllUsesWith(value);
  }
  entry.eraseArguments(2, numParams);
  function.walk([](func::ReturnOp op) {
    OpBuilder b(op);
    LLVM::ReturnOp::create(b, op.getLoc(), ValueRange());
    op.erase();
  });
  kernel.erase();
  return function;
}

LogicalResult lowerControlFlow(LLVM::LLVMFuncOp kernel) {
  MLIRContext *context = kernel.getContext();
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(kernel, target, std::move(patterns));
}

LogicalResult convertToLLVM(LLVM::LLVMFuncOp kernel, const LLVMTypeConverter &types, Lowering &lowering) {
  MLIRContext *context = kernel.getContext();
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  patterns.add<LowerInstruction, LowerOnCube, LowerProbe, LowerCall>(types, context, lowering);
  patterns.add<LowerAlloc, LowerSlot, LowerOffset, LowerView, LowerAt, LowerAddress>(types, context);
  LLVMConversionTarget target(*context);
  target.addLegalOp<UnrealizedConversionCastOp>();
  return applyFullConversion(kernel, target, std::move(patterns));
}

} // namespace

static LogicalResult lowerKernel(func::FuncOp function, Lowering &lowering) {
  if (failed(describe(function, lowering.metadata)))
    return failure();
  ArrayPlaces arrays(function);
  LLVMTypeConverter types(function.getContext());
  types.addConversion([](BufferType type) { return IntegerType::get(type.getContext(), 64); });
  LLVM::LLVMFuncOp kernel = convertSignature(function, types);
  guardScalars(kernel, lowering);
  if (failed(lowerVectorFunctions(kernel, lowering)) || failed(lowerControlFlow(kernel)) ||
      failed(convertToLLVM(kernel, types, lowering)))
    return failure();

  SmallVector<UnrealizedConversionCastOp> casts;
  kernel.walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts);
  arrays.note(lowering);
  return success();
}

LogicalResult lowerToLLVM(ModuleOp module, std::vector<Metadata> &kernels) {
  if (failed(inlineDeviceFunctions(module)))
    return failure();
  SmallVector<func::FuncOp> functions = kernelsOf(module);
  if (functions.empty())
    return module.emitError() << "there is no kernel to lower: no function has the attribute " << kernelAttrName;
  Declarations declared(module);
  for (func::FuncOp function : functions) {
    Lowering lowering(declared, kernels.emplace_back());
    if (failed(lowerKernel(function, lowering)))
      return failure();
  }
  return success();
}

namespace {

struct LowerIsaToLLVMPass : PassWrapper<LowerIsaToLLVMPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerIsaToLLVMPass)

  StringRef getArgument() const override { return "lower-isa-to-llvm"; }
  StringRef getDescription() const override { return "isa IR to llvm: one call of the Machine per instruction"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, cf::ControlFlowDialect, arith::ArithDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    std::vector<Metadata> kernels;
    if (failed(lowerToLLVM(getOperation(), kernels)))
      return signalPassFailure();
    Builder b(&getContext());
    for (const Metadata &metadata : kernels) {
      SmallVector<Attribute> locations;
      for (const SourceLocation &place : metadata.locations) {
        std::string text = place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
        if (!place.name.empty())
          text += " " + place.name;
        if (place.caller)
          text += " from " + std::to_string(place.caller);
        locations.push_back(b.getStringAttr(place.line ? text : "unknown"));
      }
      getOperation().lookupSymbol(symbolOf(metadata.kernel))->setAttr(locationsAttrName, b.getArrayAttr(locations));
    }
  }
};

} // namespace

void registerLowerIsaToLLVMPass() { PassRegistration<LowerIsaToLLVMPass>(); }

} // namespace tilesmith::host
