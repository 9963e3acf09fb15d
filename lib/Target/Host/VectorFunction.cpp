// Vector functions: what the Machine is told about them, and the call.
#include "VectorFunction.h"
#include "mlir/IR/OperationSupport.h"
#include "tilesmith/Dialect/Isa/VfSteps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::host {

static_assert(walkOf(VfWalk::Row) == TS_VF_ROW && walkOf(VfWalk::Element) == TS_VF_ELEMENT &&
              walkOf(VfWalk::One) == TS_VF_ONE && walkOf(VfWalk::Bits) == TS_VF_BITS &&
              walkOf(VfWalk::Group) == TS_VF_GROUP);

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
    pitch = reduce.getWidth();
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
    contiguous &= walk.walk == VfWalk::Bits || walk.walk == VfWalk::Group ||
                  (walk.walk == VfWalk::One && !access.write) ||
                  (walk.walk == VfWalk::Full && walk.pitch == cols * size);
  }
  if (contiguous) {
    cols *= rows;
    rows = 1;
  }
  levels = VfLevels(vf, [&](Operation *op) { return walks.lookup(op).walk; });
}

namespace {

// The bytes the function touches, as it is written.
struct Accesses {
  uint32_t narrowest = 4;
  SmallVector<TsVfAccess> accesses;

  explicit Accesses(VfOp vf) {
    for (Operation &op : vf.getBody().front())
      if (VfAccessView access(&op); access)
        add(vf, access);
  }

  void add(VfOp vf, const VfAccessView &access) {
    TsVfWalk walk = walkOf(access.walk);
    DType dtype = *getDType(access.elementType());
    int64_t size = sizeOf(dtype);
    if (walk != TS_VF_BITS)
      narrowest = std::min<uint32_t>(narrowest, size);
    int64_t pitch = access.pitch;
    if (walk != TS_VF_GROUP)
      pitch = walk != TS_VF_FULL ? 0 : pitch ? pitch : int64_t(vf.getCols()) * size;
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

Value structOf(OpBuilder &b, Location loc, ValueRange fields) {
  Type type = LLVM::LLVMStructType::getLiteral(b.getContext(), llvm::to_vector(fields.getTypes()));
  Value value = LLVM::UndefOp::create(b, loc, type);
  for (auto [i, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(b, loc, value, field, ArrayRef<int64_t>{int64_t(i)});
  return value;
}

} // namespace

// The layouts of TsVfAccess, TsVfStep and TsVfDesc; all are naturally aligned.
LLVM::GlobalOp emitDescriptor(VfOp vf, StringRef name, const VfBody &body, Lowering &lowering) {
  Accesses touched(vf);
  std::vector<TsVfStep> steps = stepsOf(vf);
  Location loc = vf.getLoc();
  MLIRContext *context = vf.getContext();
  auto field = [&](unsigned width) { return IntegerType::get(context, width); };
  Type accessType = LLVM::LLVMStructType::getLiteral(context, {field(8), field(8), field(8), field(8), field(64)});
  Type arrayType = LLVM::LLVMArrayType::get(accessType, touched.accesses.size());
  std::string accessesName = (name + "_accesses").str();
  auto accesses = constantGlobal(lowering, loc, arrayType, accessesName, [&](OpBuilder &b) {
    Value array = LLVM::UndefOp::create(b, loc, arrayType);
    for (auto [i, access] : llvm::enumerate(touched.accesses)) {
      Value entry = structOf(b, loc,
                             {constant(b, loc, access.arg, 8), constant(b, loc, access.walk, 8),
                              constant(b, loc, access.write, 8), constant(b, loc, access.dtype, 8),
                              constant(b, loc, access.pitch)});
      array = LLVM::InsertValueOp::create(b, loc, array, entry, ArrayRef<int64_t>{int64_t(i)});
    }
    return array;
  });
  // Steps are bytes: a struct for each would cost more to build than the rest of the function.
  static_assert(sizeof(TsVfStep) == 12 && std::is_trivially_copyable_v<TsVfStep>);
  StringRef bytes(reinterpret_cast<const char *>(steps.data()), steps.size() * sizeof(TsVfStep));
  OpBuilder b = OpBuilder::atBlockEnd(lowering.module.getBody());
  auto bytesGlobal =
      LLVM::GlobalOp::create(b, loc, LLVM::LLVMArrayType::get(field(8), bytes.size()), /*isConstant=*/true,
                             LLVM::Linkage::Internal, (name + "_steps").str(), b.getStringAttr(bytes), /*alignment=*/8);
  uint64_t digest = llvm::xxh3_64bits(bytes) ^ (uint64_t(vf.getRows()) << 32) ^ uint64_t(vf.getCols());
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type type = LLVM::LLVMStructType::getLiteral(
      context, {field(64), field(64), field(32), field(32), pointer, pointer, field(64), field(64), pointer, pointer});
  return constantGlobal(lowering, loc, type, name, [&](OpBuilder &b) {
    return structOf(b, loc,
                    {constant(b, loc, vf.getRows()), constant(b, loc, vf.getCols()),
                     constant(b, loc, touched.accesses.size(), 32), constant(b, loc, touched.narrowest, 32),
                     LLVM::AddressOfOp::create(b, loc, accesses), LLVM::AddressOfOp::create(b, loc, bytesGlobal),
                     constant(b, loc, steps.size()), constant(b, loc, int64_t(digest)),
                     LLVM::ZeroOp::create(b, loc, pointer),
                     body.part ? LLVM::AddressOfOp::create(b, loc, body.part).getResult()
                               : LLVM::ZeroOp::create(b, loc, pointer).getResult()});
  });
}

namespace {

// What was made of a vector function.
struct Emitted {
  VfOp vf;
  VfBody body;
  LLVM::GlobalOp descriptor;
};

// Whether both compute the same of their arguments.
bool computeTheSame(VfOp a, VfOp b) {
  return a->getAttrDictionary() == b->getAttrDictionary() &&
         a.getBody().front().getOperations().size() == b.getBody().front().getOperations().size() &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

// The copies of an unrolled loop are one function.
FailureOr<Emitted> emit(VfOp vf, ArrayRef<Emitted> before, Lowering &lowering) {
  auto same = llvm::find_if(before, [&](const Emitted &other) { return computeTheSame(other.vf, vf); });
  if (same != before.end())
    return *same;
  std::string number = std::to_string(lowering.declared.numVectorFunctions++);
  FailureOr<VfBody> body = emitBody(vf, "ts_vf_" + number, lowering);
  if (failed(body))
    return failure();
  return Emitted{vf, *body, emitDescriptor(vf, "ts_vf_desc_" + number, *body, lowering)};
}

} // namespace

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
  SmallVector<Emitted> distinct;
  for (VfOp vf : functions) {
    Location loc = vf.getLoc();
    FailureOr<Emitted> emitted = emit(vf, distinct, lowering);
    if (failed(emitted))
      return failure();
    if (emitted->vf == vf)
      distinct.push_back(*emitted);
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
    lowering.call(
        b, loc, "tsm_vf", Type(),
        {Lowering::core(vf), lowering.locationIndex(b, loc), LLVM::AddressOfOp::create(b, loc, emitted->descriptor),
         LLVM::AddressOfOp::create(b, loc, emitted->body.whole), frame, constant(b, loc, vf.getArgs().size())});
  }
  for (VfOp vf : functions)
    vf.erase();
  return success();
}

} // namespace tilesmith::host
