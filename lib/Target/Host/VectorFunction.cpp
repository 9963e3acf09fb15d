// Vector functions: what the Machine is told about them, and the call.
#include "VectorFunction.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::host {

static_assert(walkOf(VfWalk::Row) == TS_VF_ROW && walkOf(VfWalk::Element) == TS_VF_ELEMENT &&
              walkOf(VfWalk::One) == TS_VF_ONE && walkOf(VfWalk::Bits) == TS_VF_BITS);

VfAccessView::VfAccessView(Operation *op) : op(op) {
  if (auto load = dyn_cast<VfLoadOp>(op)) {
    buffer = load.getBuffer();
    walk = load.getWalk();
    pitch = load.getPitch();
  } else if (auto store = dyn_cast<VfStoreOp>(op)) {
    buffer = store.getBuffer();
    walk = store.getWalk();
    pitch = store.getPitch();
    write = true;
  } else if (auto reduce = dyn_cast<VfReduceOp>(op)) {
    buffer = reduce.getBuffer();
    walk = reduce.getWalk();
    write = true;
  }
}

static int64_t sizeOfElement(Type type) {
  std::optional<DType> dtype = getDType(type);
  return dtype ? sizeOf(*dtype) : 0;
}

VfShape::VfShape(VfOp vf) : rows(vf.getRows()), cols(vf.getCols()) {
  bool contiguous = true;
  for (Operation &op : vf.getBody().front()) {
    VfAccessView access(&op);
    if (!access)
      continue;
    int64_t size = sizeOfElement(access.elementType());
    Walk walk = {access.walk, access.pitch ? access.pitch : cols * size};
    if (!mlir::isa<VfReduceOp>(op)) {
      if (walk.walk == VfWalk::Element && cols == 1)
        walk = {VfWalk::Full, size};
      if ((walk.walk == VfWalk::Row && rows == 1) || (walk.walk == VfWalk::One && rows == 1 && cols == 1))
        walk = {VfWalk::Full, cols * size};
    }
    walks[&op] = walk;
    contiguous &= walk.walk == VfWalk::Bits || (walk.walk == VfWalk::One && !access.write) ||
                  (walk.walk == VfWalk::Full && walk.pitch == cols * size);
  }
  if (contiguous) {
    cols *= rows;
    rows = 1;
  }
  levels = VfLevels(vf, [&](Operation *op) { return walks.lookup(op).walk; });
}

namespace {

Type elementOf(Value reg) { return mlir::cast<RegType>(reg.getType()).getElementType(); }

// What needs no instruction or none that counts: logic of masks, casts that move bits.
bool isFree(VfComputeOp compute) {
  Type to = elementOf(compute.getResult());
  Family family = compute.getInfo().family;
  if (family != Family::Cast)
    return to.isInteger(1) && family != Family::Compare && family != Family::CompareScalar;
  Type from = elementOf(compute.getOperands()[0]);
  if (from == to)
    return mlir::isa<IntegerType>(to) || !compute.getRound() || compute.getRound()->getValue() == RoundMode::None;
  return mlir::isa<IntegerType>(from) && mlir::isa<IntegerType>(to) && sizeOfElement(from) == sizeOfElement(to);
}

// Counts as the function is written, and as Ascend C writes it: what does not change with the chunk is done once per
// row, what never changes once per call. Spreading a scalar over the lanes is free.
struct Counts {
  uint16_t perTrip[TS_VF_COST_CLASSES] = {}, perRow[TS_VF_COST_CLASSES] = {}, perCall[TS_VF_COST_CLASSES] = {};
  uint16_t loadsPerTrip = 0, storesPerTrip = 0, loadsPerRow = 0, storesPerRow = 0, loadsPerCall = 0, storesPerCall = 0;
  uint32_t narrowest = 4;
  SmallVector<TsVfAccess> accesses;

  explicit Counts(VfOp vf) {
    VfLevels levels(vf);
    for (Operation &op : vf.getBody().front()) {
      if (VfAccessView access(&op); access)
        count(vf, access);
      if (auto compute = dyn_cast<VfComputeOp>(op)) {
        if (isFree(compute))
          continue;
        VfLevel level = levels.of(&op);
        auto &counts = level == VfLevel::Call ? perCall : level == VfLevel::Row ? perRow : perTrip;
        Opcode opcode = compute.getInfo().opcode;
        // Registers have no such instructions: a division by the root, or of one.
        if (opcode == Opcode::Rsqrt) {
          ++counts[unsigned(CostClass::Transcendental)];
          if (!elementOf(compute.getResult()).isF32()) // computed in f32, to be rounded once
            counts[unsigned(CostClass::Convert)] += 2;
        }
        if (opcode == Opcode::Rsqrt || opcode == Opcode::Reciprocal)
          ++counts[unsigned(CostClass::Divide)];
        else
          ++counts[unsigned(compute.getInfo().cost)];
      } else if (auto reduce = dyn_cast<VfReduceOp>(op)) {
        bool sum = reduce.getKind() == VfReduction::Sum;
        ++perTrip[unsigned(CostClass::TwoSource)];
        ++perRow[unsigned(sum ? CostClass::ReduceAdd : CostClass::ReduceMax)];
        // Narrow elements are accumulated in 32 bits, except where order alone matters.
        Type element = elementOf(reduce.getValue());
        if (sizeOfElement(element) < 4 && (sum || element.isBF16() || sizeOfElement(element) == 1)) {
          ++perTrip[unsigned(CostClass::Convert)];
          ++perRow[unsigned(CostClass::Convert)];
        }
      }
    }
  }

  void count(VfOp vf, const VfAccessView &access) {
    TsVfWalk walk = walkOf(access.walk);
    DType dtype = *getDType(access.elementType());
    int64_t size = sizeOf(dtype);
    if (walk != TS_VF_BITS)
      narrowest = std::min<uint32_t>(narrowest, size);
    if (mlir::isa<VfReduceOp>(access.op) || walk == TS_VF_ELEMENT)
      ++(access.write ? storesPerRow : loadsPerRow);
    else if (walk == TS_VF_ONE)
      ++(access.write ? storesPerCall : loadsPerCall);
    else
      ++(access.write ? storesPerTrip : loadsPerTrip);
    int64_t pitch = walk != TS_VF_FULL ? 0 : access.pitch ? access.pitch : int64_t(vf.getCols()) * size;
    TsVfAccess entry = {uint8_t(access.argument()), uint8_t(walk), access.write, uint8_t(dtype), pitch};
    auto same = [&](const TsVfAccess &other) {
      return other.arg == entry.arg && other.walk == entry.walk && other.write == entry.write &&
             other.dtype == entry.dtype && other.pitch == entry.pitch;
    };
    if (llvm::none_of(accesses, same))
      accesses.push_back(entry);
  }
};

// A constant global whose value is built by `init`, which returns it.
LLVM::GlobalOp constantGlobal(Lowering &lowering, Location loc, Type type, StringRef name,
                              function_ref<Value(OpBuilder &)> init) {
  OpBuilder b = OpBuilder::atBlockEnd(lowering.module.getBody());
  auto global = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name, Attribute(),
                                       /*alignment=*/8);
  b.createBlock(&global.getInitializerRegion());
  LLVM::ReturnOp::create(b, loc, init(b));
  return global;
}

Value arrayOf(OpBuilder &b, Location loc, unsigned width, ArrayRef<int64_t> values) {
  Type element = b.getIntegerType(width);
  SmallVector<Attribute> attrs;
  for (int64_t value : values)
    attrs.push_back(b.getIntegerAttr(element, value));
  auto type = RankedTensorType::get({int64_t(values.size())}, element);
  return LLVM::ConstantOp::create(b, loc, LLVM::LLVMArrayType::get(element, values.size()),
                                  DenseElementsAttr::get(type, attrs));
}

Value structOf(OpBuilder &b, Location loc, ValueRange fields) {
  Type type = LLVM::LLVMStructType::getLiteral(b.getContext(), llvm::to_vector(fields.getTypes()));
  Value value = LLVM::UndefOp::create(b, loc, type);
  for (auto [i, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(b, loc, value, field, ArrayRef<int64_t>{int64_t(i)});
  return value;
}

} // namespace

// The layouts of TsVfAccess and TsVfDesc; both are naturally aligned.
LLVM::GlobalOp emitDescriptor(VfOp vf, StringRef name, Lowering &lowering) {
  Counts counts(vf);
  Location loc = vf.getLoc();
  MLIRContext *context = vf.getContext();
  auto field = [&](unsigned width) { return IntegerType::get(context, width); };
  Type accessType = LLVM::LLVMStructType::getLiteral(context, {field(8), field(8), field(8), field(8), field(64)});
  Type arrayType = LLVM::LLVMArrayType::get(accessType, counts.accesses.size());
  std::string accessesName = (name + "_accesses").str();
  auto accesses = constantGlobal(lowering, loc, arrayType, accessesName, [&](OpBuilder &b) {
    Value array = LLVM::UndefOp::create(b, loc, arrayType);
    for (auto [i, access] : llvm::enumerate(counts.accesses)) {
      Value entry = structOf(b, loc,
                             {constant(b, loc, access.arg, 8), constant(b, loc, access.walk, 8),
                              constant(b, loc, access.write, 8), constant(b, loc, access.dtype, 8),
                              constant(b, loc, access.pitch)});
      array = LLVM::InsertValueOp::create(b, loc, array, entry, ArrayRef<int64_t>{int64_t(i)});
    }
    return array;
  });
  auto classes = [&](const uint16_t *values) { return SmallVector<int64_t>(values, values + TS_VF_COST_CLASSES); };
  Type perClass = LLVM::LLVMArrayType::get(field(16), TS_VF_COST_CLASSES);
  Type rest = LLVM::LLVMArrayType::get(field(16), 8);
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type type = LLVM::LLVMStructType::getLiteral(
      context, {field(64), field(64), field(32), field(32), pointer, perClass, perClass, rest, perClass, pointer});
  return constantGlobal(lowering, loc, type, name, [&](OpBuilder &b) {
    return structOf(b, loc,
                    {constant(b, loc, vf.getRows()), constant(b, loc, vf.getCols()),
                     constant(b, loc, counts.accesses.size(), 32), constant(b, loc, counts.narrowest, 32),
                     LLVM::AddressOfOp::create(b, loc, accesses), arrayOf(b, loc, 16, classes(counts.perTrip)),
                     arrayOf(b, loc, 16, classes(counts.perRow)),
                     arrayOf(b, loc, 16,
                             {counts.loadsPerTrip, counts.storesPerTrip, counts.loadsPerRow, counts.storesPerRow,
                              /*nests=*/1, counts.loadsPerCall, counts.storesPerCall, 0}),
                     arrayOf(b, loc, 16, classes(counts.perCall)), LLVM::ZeroOp::create(b, loc, pointer)});
  });
}

// Arguments travel in one array of the kernel's frame; the Machine copies what it keeps.
LogicalResult lowerVectorFunctions(LLVM::LLVMFuncOp kernel, Lowering &lowering) {
  SmallVector<VfOp> functions;
  kernel.walk([&](VfOp vf) { functions.push_back(vf); });
  if (functions.empty())
    return success();
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value frame = LLVM::AllocaOp::create(b, kernel.getLoc(), pointer, b.getI64Type(),
                                       constant(b, kernel.getLoc(), TS_VF_MAX_ARGS), /*alignment=*/8);
  for (VfOp vf : functions) {
    Location loc = vf.getLoc();
    std::string number = std::to_string(lowering.declared.numVectorFunctions++);
    FailureOr<LLVM::LLVMFuncOp> body = emitBody(vf, "ts_vf_" + number, lowering);
    if (failed(body))
      return failure();
    LLVM::GlobalOp descriptor = emitDescriptor(vf, "ts_vf_desc_" + number, lowering);
    b.setInsertionPoint(vf);
    for (auto [j, arg] : llvm::enumerate(vf.getArgs())) {
      Value bits;
      if (mlir::isa<FloatType>(arg.getType()) || arg.getType().isSignlessInteger())
        bits = toBits(b, loc, arg, /*isUnsigned=*/false);
      else if (auto integer = dyn_cast<IntegerType>(arg.getType())) {
        Type plain = b.getIntegerType(integer.getWidth());
        bits =
            toBits(b, loc, UnrealizedConversionCastOp::create(b, loc, plain, arg).getResult(0), integer.isUnsigned());
      } else
        bits = UnrealizedConversionCastOp::create(b, loc, b.getI64Type(), arg).getResult(0);
      Value at = LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), frame, ArrayRef<LLVM::GEPArg>{int32_t(j)});
      LLVM::StoreOp::create(b, loc, bits, at);
    }
    lowering.call(b, loc, "tsm_vf", Type(),
                  {Lowering::core(vf), lowering.locationIndex(b, loc), LLVM::AddressOfOp::create(b, loc, descriptor),
                   LLVM::AddressOfOp::create(b, loc, *body), frame, constant(b, loc, vf.getArgs().size())});
    vf.erase();
  }
  return success();
}

} // namespace tilesmith::host
