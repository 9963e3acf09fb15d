// The loop nest of a vector function: rows, then whole chunks of 64 columns, then the partial chunk at the end of the
// row.
//
// Arithmetic leaves any NaN in a register; it becomes the canonical one where the value is stored or chosen, as an
// instruction would have written it. Floats of 16 bits that are only loaded, chosen and stored travel as bits beside
// their lanes: widening makes a signalling NaN quiet.
//
// What never changes is computed before the loops, what changes with the row before its columns. All trip counts are
// constants, so there is no masking in the main loop and no test for empty loops.
//
// A body of one row of whole chunks without reductions is a function over any range of its chunks: the Machine may run
// it in parts (TsVfDesc::part), and the body as it is called is all of them.
#include "VectorCode.h"
#include "tilesmith/Machine/Instr.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::host {

namespace {

class BodyEmitter {
public:
  BodyEmitter(VfOp vf, LLVM::LLVMFuncOp function, Block *entry, Lowering &lowering)
      : vf(vf), shape(vf), function(function), code(entry, lowering) {}

  LogicalResult emit();

private:
  LogicalResult check();
  void prepare();
  LogicalResult emitLevel(VfLevel level, int64_t count);
  LogicalResult emitOp(Operation &op, int64_t count);
  LogicalResult emitColumns();
  Value addressOf(const VfAccessView &access);
  Block *startLoop(Value begin);
  void endLoop(Block *body, int64_t step, Value end);
  bool isPart() { return function.getNumArguments() == 4; } // with the columns it begins and ends with
  static bool isChoice(Operation *op);
  static bool isMovedOn(Value value);
  bool travelsAsBits(Value value);
  Value bitsOf(Value value);
  LaneType typeOf(Value value) { return *laneTypeOf(mlir::cast<RegType>(value.getType()).getElementType()); }

  VfOp vf;
  VfShape shape;
  LLVM::LLVMFuncOp function;
  VectorCode code;
  DenseMap<Value, Value> values;             // registers to their frame memory, buffer arguments to host pointers
  DenseMap<Value, Value> bits;               // of 16-bit floats that are moved on
  DenseMap<Operation *, Value> accumulators; // of reductions
  Value row, column;                         // indices of the loops around; null: 0
};

LogicalResult BodyEmitter::check() {
  for (Operation &op : vf.getBody().front()) {
    for (Value result : op.getResults())
      if (auto type = dyn_cast<RegType>(result.getType()); type && !laneTypeOf(type.getElementType()))
        return op.emitOpError() << "elements of type " << type.getElementType()
                                << " do not fit into the lanes of a vector function";
    if (auto scalar = dyn_cast<VfScalarOp>(op)) {
      std::optional<DType> dtype = getDType(scalar.getValue().getType());
      Type element = scalar.getResult().getType().getElementType();
      if (!dtype || sizeOf(*dtype) != sizeOf(*getDType(element)) ||
          mlir::isa<FloatType>(scalar.getValue().getType()) != mlir::isa<FloatType>(element))
        return op.emitOpError() << "cannot spread a scalar of type " << scalar.getValue().getType()
                                << " over elements of " << element;
    }
    VfAccessView access(&op);
    if (!access)
      continue;
    TsVfWalk walk = shape.walk(&op);
    bool mask = access.elementType().isInteger(1);
    if (mask != (walk == TS_VF_BITS))
      return op.emitOpError() << "masks, and only masks, are walked as bits";
    if (walk == TS_VF_BITS && shape.rows > 1 && shape.cols % 8)
      return op.emitOpError() << "rows of " << shape.cols << " bits do not start on whole bytes";
    auto store = dyn_cast<VfStoreOp>(op);
    if (!store || walk == TS_VF_FULL || walk == TS_VF_BITS)
      continue;
    VfLevel level = shape.levels.of(store.getValue());
    if (walk == TS_VF_ROW || level == VfLevel::Chunk || (walk == TS_VF_ONE && level == VfLevel::Row))
      return op.emitOpError() << "walk '" << stringifyVfWalk(store.getWalk())
                              << "' would write different values to one element";
  }
  return success();
}

// Pointers of buffer arguments, frame memory of registers and accumulators.
void BodyEmitter::prepare() {
  OpBuilder &b = code.b;
  Value ub = function.getArgument(0), args = function.getArgument(1);
  for (BlockArgument arg : vf.getBody().getArguments()) {
    Value at = LLVM::GEPOp::create(b, code.loc, args.getType(), b.getI64Type(), args,
                                   ArrayRef<LLVM::GEPArg>{int32_t(arg.getArgNumber())});
    Value bits = LLVM::LoadOp::create(b, code.loc, b.getI64Type(), at);
    if (mlir::isa<BufferType>(arg.getType())) {
      Value mask = constant(b, code.loc, machine::Address::offsetMask);
      values[arg] = code.offset(ub, LLVM::AndOp::create(b, code.loc, bits, mask));
    } else {
      values[arg] = bits;
    }
  }
  for (Operation &op : vf.getBody().front()) {
    for (Value result : op.getResults())
      values[result] = code.reserve(typeOf(result));
    if (auto reduce = dyn_cast<VfReduceOp>(op); reduce && !reduce.getWidth())
      accumulators[&op] = code.reserve(typeOf(reduce.getValue()));
  }
}

Value BodyEmitter::addressOf(const VfAccessView &access) {
  OpBuilder &b = code.b;
  TsVfWalk walk = shape.walk(access.op);
  int64_t size = sizeOf(*getDType(access.elementType()));
  Value pointer = values[access.buffer];
  auto advance = [&](Value index, int64_t stride) {
    if (index)
      pointer = code.offset(pointer, LLVM::MulOp::create(b, code.loc, index, constant(b, code.loc, stride)));
  };
  switch (walk) {
  case TS_VF_FULL:
    advance(row, shape.pitch(access.op));
    advance(column, size);
    break;
  case TS_VF_ROW:
    advance(column, size);
    break;
  case TS_VF_ELEMENT:
    advance(row, size);
    break;
  case TS_VF_ONE:
    break;
  case TS_VF_BITS:
    advance(row, shape.cols / 8);
    if (column)
      pointer = code.offset(pointer, LLVM::LShrOp::create(b, code.loc, column, constant(b, code.loc, 3)));
    break;
  case TS_VF_GROUP: // chunks begin with a group
    if (column) {
      Value group = LLVM::UDivOp::create(b, code.loc, column, constant(b, code.loc, shape.pitch(access.op)));
      advance(group, size);
    }
    break;
  }
  return pointer;
}

bool BodyEmitter::isChoice(Operation *op) {
  auto compute = dyn_cast<VfComputeOp>(op);
  return compute && findInstruction(std::string_view(compute.getInstruction()))->family == Family::Select;
}

// Whether something stores or chooses the value, rather than computing with it.
bool BodyEmitter::isMovedOn(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) { return mlir::isa<VfStoreOp>(user) || isChoice(user); });
}

bool BodyEmitter::travelsAsBits(Value value) {
  LaneType type = typeOf(value);
  Operation *op = value.getDefiningOp();
  return type.isFloat() && !type.isWide() && (mlir::isa<VfLoadOp>(op) || isChoice(op)) && isMovedOn(value);
}

Value BodyEmitter::bitsOf(Value value) {
  Value &reg = bits[value];
  if (!reg)
    reg = code.reserve({DType::U16});
  if (!travelsAsBits(value)) // its lanes hold no NaN that narrowing would change
    code.narrowToBits(typeOf(value), values[value], reg);
  return reg;
}

LogicalResult BodyEmitter::emitOp(Operation &op, int64_t count) {
  code.loc = op.getLoc();
  if (auto load = dyn_cast<VfLoadOp>(op)) {
    Value at = addressOf(VfAccessView(&op)), reg = values[load.getResult()];
    TsVfWalk walk = shape.walk(&op);
    auto loadAs = [&](LaneType type, Value into) {
      if (walk == TS_VF_ONE || walk == TS_VF_ELEMENT)
        code.loadOne(at, type, into);
      else
        code.load(at, count, type, into);
    };
    loadAs(typeOf(load.getResult()), reg);
    if (travelsAsBits(load.getResult()))
      loadAs({DType::U16}, bitsOf(load.getResult()));
  } else if (auto store = dyn_cast<VfStoreOp>(op)) {
    TsVfWalk walk = shape.walk(&op);
    bool single = walk == TS_VF_ONE || walk == TS_VF_ELEMENT;
    Value value = store.getValue();
    bool asBits = travelsAsBits(value);
    code.store(addressOf(VfAccessView(&op)), single ? 1 : count, asBits ? LaneType{DType::U16} : typeOf(value),
               asBits ? bitsOf(value) : values[value]);
  } else if (auto scalar = dyn_cast<VfScalarOp>(op)) {
    Type type = scalar.getValue().getType();
    if (auto integer = dyn_cast<IntegerType>(type))
      type = code.b.getIntegerType(integer.getWidth());
    Value value = fromBits(code.b, code.loc, values[scalar.getValue()], type);
    code.splat(code.toLane(value, typeOf(scalar.getResult())), values[scalar.getResult()]);
  } else if (auto number = dyn_cast<VfConstantOp>(op)) {
    code.setConstant(number.getValue(), typeOf(number.getResult()), values[number.getResult()]);
  } else if (auto compute = dyn_cast<VfComputeOp>(op)) {
    SmallVector<Value> operands;
    for (Value operand : compute.getOperands())
      operands.push_back(values[operand]);
    Value result = compute.getResult(), reg = values[result];
    bool canonical = typeOf(result).isFloat() && !isChoice(&op) && isMovedOn(result);
    if (failed(code.compute(compute, operands, reg, canonical)))
      return failure();
    if (isChoice(&op)) {
      if (travelsAsBits(result))
        code.selectBits(operands[0], bitsOf(compute.getOperands()[1]), bitsOf(compute.getOperands()[2]),
                        bitsOf(result));
    }
  } else if (auto reduce = dyn_cast<VfReduceOp>(op)) {
    LaneType type = typeOf(reduce.getValue());
    Value value = values[reduce.getValue()];
    if (int64_t width = reduce.getWidth())
      code.reduceGroups(reduce.getKind(), type, value, width, count / width, addressOf(VfAccessView(&op)));
    else
      code.accumulate(reduce.getKind(), type, value, count, accumulators[&op]);
  }
  return success();
}

LogicalResult BodyEmitter::emitLevel(VfLevel level, int64_t count) {
  for (Operation &op : vf.getBody().front())
    if (shape.levels.of(&op) == level && failed(emitOp(op, count)))
      return failure();
  return success();
}

// A loop over an index: the new block is entered from here, its argument is the index.
Block *BodyEmitter::startLoop(Value begin) {
  OpBuilder &b = code.b;
  Block *before = b.getInsertionBlock();
  Block *body = new Block;
  function.getBody().push_back(body);
  body->addArgument(b.getI64Type(), code.loc);
  b.setInsertionPointToEnd(before);
  LLVM::BrOp::create(b, code.loc, begin, body);
  b.setInsertionPointToEnd(body);
  return body;
}

void BodyEmitter::endLoop(Block *body, int64_t step, Value end) {
  OpBuilder &b = code.b;
  Value next = LLVM::AddOp::create(b, code.loc, body->getArgument(0), constant(b, code.loc, step));
  Value more = LLVM::ICmpOp::create(b, code.loc, LLVM::ICmpPredicate::slt, next, end);
  Block *after = new Block;
  function.getBody().push_back(after);
  LLVM::CondBrOp::create(b, code.loc, more, body, ValueRange{next}, after, ValueRange());
  b.setInsertionPointToEnd(after);
}

LogicalResult BodyEmitter::emitColumns() {
  for (Operation &op : vf.getBody().front())
    if (auto reduce = dyn_cast<VfReduceOp>(op); reduce && !reduce.getWidth())
      code.startReduction(reduce.getKind(), typeOf(reduce.getValue()), shape.cols, accumulators[&op]);
  int64_t whole = shape.cols - shape.tail();
  if (whole) {
    OpBuilder &b = code.b;
    Value begin = isPart() ? Value(function.getArgument(2)) : constant(b, code.loc, 0);
    Value end = isPart() ? Value(function.getArgument(3)) : constant(b, code.loc, whole);
    Block *body = whole > TS_VF_LANES ? startLoop(begin) : nullptr;
    column = body ? Value(body->getArgument(0)) : Value();
    if (failed(emitLevel(VfLevel::Chunk, TS_VF_LANES)))
      return failure();
    if (body)
      endLoop(body, TS_VF_LANES, end);
    column = Value();
  }
  if (shape.tail()) {
    if (whole)
      column = constant(code.b, code.loc, whole);
    if (failed(emitLevel(VfLevel::Chunk, shape.tail())))
      return failure();
    column = Value();
  }
  for (Operation &op : vf.getBody().front())
    if (auto reduce = dyn_cast<VfReduceOp>(op); reduce && !reduce.getWidth())
      code.finishReduction(reduce.getKind(), typeOf(reduce.getValue()), accumulators[&op],
                           addressOf(VfAccessView(&op)));
  return success();
}

LogicalResult BodyEmitter::emit() {
  if (failed(check()))
    return failure();
  code.loc = vf.getLoc();
  prepare();
  if (failed(emitLevel(VfLevel::Call, 1)))
    return failure();
  Block *body = shape.rows > 1 ? startLoop(constant(code.b, code.loc, 0)) : nullptr;
  row = body ? Value(body->getArgument(0)) : Value();
  if (failed(emitLevel(VfLevel::Row, 1)) || failed(emitColumns()))
    return failure();
  if (body)
    endLoop(body, 1, constant(code.b, code.loc, shape.rows));
  LLVM::ReturnOp::create(code.b, vf.getLoc(), ValueRange());
  return success();
}

} // namespace

bool VfShape::hasParts() const {
  return rows == 1 && cols > TS_VF_LANES && tail() == 0 && llvm::all_of(walks, [](const auto &entry) {
           return entry.second.walk == VfWalk::Full && !mlir::isa<VfReduceOp>(entry.first);
         });
}

FailureOr<VfBody> emitBody(VfOp vf, StringRef name, Lowering &lowering) {
  Location loc = vf.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(vf.getContext());
  OpBuilder b = OpBuilder::atBlockEnd(lowering.module.getBody());
  auto declare = [&](const Twine &name, ArrayRef<Type> params) {
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(vf.getContext()), params);
    return LLVM::LLVMFuncOp::create(b, loc, name.str(), type, LLVM::Linkage::Internal);
  };
  VfShape shape(vf);
  VfBody body;
  body.whole = declare(name, {pointer, pointer});
  if (!shape.hasParts()) {
    Block *entry = body.whole.addEntryBlock(b);
    if (failed(BodyEmitter(vf, body.whole, entry, lowering).emit()))
      return failure();
    return body;
  }
  body.part = declare(name + "_part", {pointer, pointer, b.getI64Type(), b.getI64Type()});
  body.part.setNoInline(true); // compiled once
  if (failed(BodyEmitter(vf, body.part, body.part.addEntryBlock(b), lowering).emit()))
    return failure();
  b.setInsertionPointToEnd(body.whole.addEntryBlock(b));
  LLVM::CallOp::create(b, loc, body.part,
                       ValueRange{body.whole.getArgument(0), body.whole.getArgument(1), constant(b, loc, 0),
                                  constant(b, loc, shape.cols)});
  LLVM::ReturnOp::create(b, loc, ValueRange());
  return body;
}

} // namespace tilesmith::host
