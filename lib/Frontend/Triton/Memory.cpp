// Pointers, and what is read and written through them.
//
// A block pointer becomes a tile of offsets and a mask where it is used: the passes that read pointers apart find the
// box again.
#include "Program.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::frontend::triton {

Value Program::move(const Value &pointer, const Value &elements, bool back, const Range &range) {
  if (!isValue(elements) || isFloat(values.dtypeOf(elements)))
    return fail(range, "TypeError", "a pointer moves by an integer number of elements, not by " + describe(elements));
  const Value &offset = pointer.items()[0];
  if (offset.isHost() && elements.isHost()) {
    Value sum = l.operators.binary(back ? ast::Operator::Sub : ast::Operator::Add, offset, elements, range);
    return sum ? ofPointer(pointer.ir, pointer.dtype, sum) : Value();
  }
  // Arrays have fewer than 2^31 elements (the launch sees to it), so offsets from their beginning fit.
  Value distance = convert(elements, DType::I32, range);
  if (!distance)
    return {};
  if (offset.isHost() && host.asInt(offset.host) == 0 && !back)
    return ofPointer(pointer.ir, pointer.dtype, distance);
  Value sum = binary(back ? Op::Sub : Op::Add, offset, distance, range);
  return sum ? ofPointer(pointer.ir, pointer.dtype, sum) : Value();
}

// Truth values are bytes in memory.
static DType elementInMemory(const Value &pointer) {
  return fromMlir(llvm::cast<tile::PtrType>(pointer.ir.getType()).getElementType());
}

// What a load or store is about: tiles of offsets with one mask for all, or a number.
struct Access {
  Value pointer, offset, mask; // mask: none, a number or a tile of the offset's shape
};

static Value plus(Program &p, const Value &a, const Value &b, const Range &range) {
  return p.l.operators.binary(ast::Operator::Add, a, b, range);
}

// The pointers and the mask a block pointer stands for; `checked`: dimensions that are clipped.
static std::optional<Access> openBlock(Program &p, const Value &block, llvm::ArrayRef<int64_t> checked,
                                       const Range &range) {
  auto &parts = static_cast<BlockParts &>(*block.parts);
  size_t rank = parts.shape.size();
  llvm::ArrayRef<Value> items = parts.items;
  Value offset = items[0], mask;
  for (size_t d = 0; d < rank; ++d) {
    const Value &extent = items[1 + d], &stride = items[1 + rank + d], &start = items[1 + 2 * rank + d];
    Value counted = plus(p, p.arange(0, parts.shape[d], range), p.convert(start, DType::I32, range), range);
    Shape along(rank, 1);
    along[d] = parts.shape[d];
    counted = counted ? p.reshape(counted, along, range) : Value();
    if (!counted)
      return std::nullopt;
    Value moved = p.binary(Op::Mul, counted, p.convert(stride, DType::I32, range), range);
    offset = moved ? p.binary(Op::Add, offset.isHost() ? p.convert(offset, DType::I32, range) : offset, moved, range)
                   : Value();
    if (!offset)
      return std::nullopt;
    if (!llvm::is_contained(checked, int64_t(d)))
      continue;
    Value low = p.compare(tile::CompareKind::GE, counted, p.convert(p.number(0), DType::I32, range), range);
    Value high = p.compare(tile::CompareKind::LT, counted, p.convert(extent, DType::I32, range), range);
    Value both = p.binary(Op::And, low, high, range);
    mask = mask ? p.binary(Op::And, mask, both, range) : both;
  }
  offset = p.broadcast(offset, parts.shape, range);
  if (mask)
    mask = p.broadcast(mask, parts.shape, range);
  return Access{ofPointer(block.ir, block.dtype, offset), offset, mask};
}

// Pointer, mask and dimensions to be clipped as loads and stores are given them.
static std::optional<Access> accessOf(Program &p, const Arguments &args, const Argument &mask,
                                      const Argument &checked) {
  const Value &pointer = args[0].value;
  const Range &range = args.range;
  if (pointer.is(kinds::block)) {
    if (mask) {
      p.fail(mask.range, "ValueError", "`mask` and `other` arguments cannot be specified for loading block pointers");
      return std::nullopt;
    }
    Shape dims;
    if (checked) {
      llvm::SmallVector<Value> items;
      if (p.values.isNumber(checked.value))
        items.push_back(checked.value);
      else if (!p.values.toSequence(checked.value, items, checked.range, "boundary_check"))
        return std::nullopt;
      for (const Value &item : items) {
        auto dim = p.expectAxis({item, checked.range}, static_cast<BlockParts &>(*pointer.parts).shape.size());
        if (!dim)
          return std::nullopt;
        dims.push_back(*dim);
      }
    }
    return openBlock(p, pointer, dims, range);
  }
  if (!isPointer(pointer)) {
    p.fail(args[0].range, "ValueError",
           "Unsupported ptr type " + p.describe(pointer) + " in `tl." + args.name.drop_front(7) + "`");
    return std::nullopt;
  }
  Access access{pointer, pointer.items()[0], {}};
  if (!mask)
    return access;
  if (!p.isValue(mask.value)) {
    p.fail(mask.range, "TypeError", "a mask is a tensor of truth values, not " + p.describe(mask.value));
    return std::nullopt;
  }
  if (mask.value.isHost()) {
    std::optional<bool> known = p.host.truth(mask.value.host);
    if (known && *known)
      return access;
  } else if (p.values.dtypeOf(mask.value) != DType::I1) {
    p.fail(mask.range, "TypeError", "Mask must have boolean scalar type, not " + p.describe(mask.value),
           "compare it: mask != 0");
    return std::nullopt;
  }
  access.mask = p.convert(mask.value, DType::I1, mask.range);
  if (!access.mask)
    return std::nullopt;
  if (!isTensor(access.offset) && isTensor(access.mask)) {
    p.fail(mask.range, "ValueError", "Mask argument cannot be block type if pointer argument is not a block");
    return std::nullopt;
  }
  if (!isTensor(access.offset))
    return access;
  if (!p.commonShape(p.shapeOfAny(access.mask), shapeOf(access.offset), mask.range))
    return std::nullopt;
  access.mask = p.broadcast(access.mask, shapeOf(access.offset), mask.range);
  if (!access.mask)
    return std::nullopt;
  return access;
}

static mlir::Value elementAt(Program &p, const Access &access, const Range &range) {
  // As long as any offset of i32 goes; the machine knows where the array ends.
  mlir::Value offset = p.scalars.convert(access.offset, DType::I32, range);
  auto type = tile::GlobalTensorType::get(&p.l.ir.context, {1},
                                          llvm::cast<tile::PtrType>(access.pointer.ir.getType()).getElementType());
  return tile::TensorOp::create(p.builder(), p.loc(range), type, access.pointer.ir, offset, mlir::ValueRange(),
                                mlir::ValueRange());
}

// Builds under a condition that is a number; `otherwise` gives the result where it does not hold.
static Value loadNumber(Program &p, const Access &access, const Argument &other, const Range &range) {
  DType inMemory = elementInMemory(access.pointer);
  mlir::Location at = p.loc(range);
  mlir::Type type = p.l.ir.type(inMemory);
  auto get = [&]() -> mlir::Value {
    return tile::GetOp::create(p.builder(), at, type, elementAt(p, access, range),
                               mlir::ValueRange{p.l.ir.i32(0, range)});
  };
  mlir::Value result;
  if (access.mask) {
    mlir::Value pad = p.scalars.convert(other ? other.value : p.number(0), inMemory, range);
    if (!pad)
      return {};
    auto branch = mlir::scf::IfOp::create(p.builder(), at, type, access.mask.ir, true);
    mlir::OpBuilder::InsertionGuard guard(p.builder());
    p.builder().setInsertionPointToEnd(&branch.getThenRegion().front());
    mlir::scf::YieldOp::create(p.builder(), at, get());
    p.builder().setInsertionPointToEnd(&branch.getElseRegion().front());
    mlir::scf::YieldOp::create(p.builder(), at, pad);
    result = branch.getResult(0);
  } else {
    result = get();
  }
  return Value::ofScalar(result, inMemory);
}

Value load(Program &p, const Arguments &args) {
  auto access = accessOf(p, args, args[1], args[3]);
  if (!access)
    return {};
  Argument other = args[2];
  bool isBlock = args[0].value.is(kinds::block);
  if (other && !args[1])
    return p.fail(other.range, "ValueError", "`other` cannot be provided without `mask`");
  if (!isBlock && args[3] && !(args[3].value.isHost() && !p.host.truth(args[3].value.host).value_or(true)))
    return p.fail(args[3].range, "ValueError",
                  "`padding_option` or `boundary_check` argument is not supported for loading a tensor of pointers or "
                  "a scalar");
  std::string padding =
      args[4] && args[4].value.isHost() ? p.host.asString(args[4].value.host).value_or("") : std::string();
  if (!padding.empty() && padding != "zero" && padding != "nan")
    return p.fail(args[4].range, "ValueError", "Padding option " + padding + " not supported");
  DType dtype = access->pointer.dtype, inMemory = elementInMemory(access->pointer);
  Value result;
  if (!isTensor(access->offset)) {
    result = loadNumber(p, *access, other, args.range);
  } else {
    Value pad;
    if (padding == "nan" && access->mask) {
      HostRef nan = p.host.makeFloat(std::numeric_limits<double>::quiet_NaN());
      other = {Value::ofHost(nan), args.range};
      if (!isFloat(dtype))
        return p.fail(args[4].range, "ValueError", "Padding option `nan` is not supported for integer block pointers");
    }
    if (other && access->mask) {
      if (!p.isValue(other.value))
        return p.fail(other.range, "TypeError", "`other` is a tensor or a number, not " + p.describe(other.value));
      if (other.value.isHost() && !isFloat(inMemory) && p.host.asFloat(other.value.host))
        other.value = p.number(int64_t(*p.host.asFloat(other.value.host)));
      pad = p.convert(other.value, inMemory, other.range);
      if (pad && isTensor(pad))
        pad = p.commonShape(shapeOf(pad), shapeOf(access->offset), other.range)
                  ? p.broadcast(pad, shapeOf(access->offset), other.range)
                  : Value();
      if (!pad)
        return {};
    }
    tile::TileType type = p.makeType(shapeOf(access->offset), inMemory);
    result = ofTensor(tilesmith::triton::LoadOp::create(p.builder(), p.loc(args.range), type, access->pointer.ir,
                                                        access->offset.ir, access->mask.ir, pad.ir));
  }
  return result && inMemory != dtype ? p.convert(result, dtype, args.range) : result;
}

Value store(Program &p, const Arguments &args) {
  auto access = accessOf(p, args, args[2], args[3]);
  Value value = access ? p.expectValue(args, 1) : Value();
  if (!value)
    return {};
  mlir::Location at = p.loc(args.range);
  DType dtype = access->pointer.dtype, inMemory = elementInMemory(access->pointer);
  if (value.isHost() && !isFloat(dtype) && p.host.asFloat(value.host))
    value = p.number(int64_t(*p.host.asFloat(value.host)));
  value = p.convert(value, dtype, args[1].range);
  if (value && inMemory != dtype)
    value = p.convert(value, inMemory, args[1].range);
  if (!value)
    return {};
  if (!isTensor(access->offset)) {
    if (isTensor(value) && typeOf(value).getNumElements() != 1)
      return p.fail(args[1].range, "ValueError",
                    "Value argument cannot be block type if pointer argument is not a block");
    // A tile of one element: what the scalar unit writes is a whole line of its cache, which other programs write, too.
    if (isTensor(value))
      value = p.reshape(value, {1}, args.range);
    access->offset = p.broadcast(p.convert(access->offset, DType::I32, args.range), {1}, args.range);
    if (access->mask)
      access->mask = p.broadcast(access->mask, {1}, args.range);
  }
  if (!p.commonShape(p.shapeOfAny(value), shapeOf(access->offset), args[1].range))
    return {};
  value = p.broadcast(value, shapeOf(access->offset), args[1].range);
  if (!value)
    return {};
  tilesmith::triton::StoreOp::create(p.builder(), at, value.ir, access->pointer.ir, access->offset.ir, access->mask.ir);
  return p.none();
}

// `expected` is asked of compare-and-swap only.
static Value update(Program &p, const Arguments &args, const Argument &given, const Argument &mask,
                    const Argument *wanted) {
  auto access = accessOf(p, args, mask, {});
  if (!access)
    return {};
  auto kind = *tilesmith::triton::symbolizeUpdateKind(kindOf(args).lower());
  using Kind = tilesmith::triton::UpdateKind;
  DType dtype = access->pointer.dtype, inMemory = elementInMemory(access->pointer);
  if (isFloat(dtype) && (kind == Kind::And || kind == Kind::Or || kind == Kind::Xor))
    return p.fail(args[0].range, "ValueError",
                  args.name + " is for integers, not for " + p.describe(args[0].value) + " of " + name(dtype));
  bool isNumber = !isTensor(access->offset);
  Shape shape = isNumber ? Shape{1} : Shape(shapeOf(access->offset));
  auto operand = [&](const Argument &argument) -> Value {
    Value value = argument.value;
    if (!p.isValue(value))
      return p.fail(argument.range, "TypeError", args.name + " needs a tensor or a number, not " + p.describe(value));
    if (value.isHost() && !isFloat(dtype) && p.host.asFloat(value.host))
      value = p.number(int64_t(*p.host.asFloat(value.host)));
    value = p.convert(value, dtype, argument.range);
    value = value && inMemory != dtype ? p.convert(value, inMemory, argument.range) : value;
    if (!value)
      return {};
    if (isNumber && isTensor(value)) {
      if (typeOf(value).getNumElements() != 1)
        return p.fail(argument.range, "ValueError",
                      "Value argument cannot be block type if pointer argument is not a block");
      value = p.reshape(value, {1}, args.range);
    }
    return p.commonShape(p.shapeOfAny(value), shape, argument.range) ? p.broadcast(value, shape, argument.range)
                                                                     : Value();
  };
  Value value = operand(given), expected = value && wanted ? operand(*wanted) : Value();
  if (!value || (wanted && !expected))
    return {};
  Value offset = p.broadcast(p.convert(access->offset, DType::I32, args.range), shape, args.range);
  Value chosen = access->mask ? p.broadcast(access->mask, shape, args.range) : Value();
  if (!offset || (access->mask && !chosen))
    return {};
  mlir::Location at = p.loc(args.range);
  mlir::Value found = tilesmith::triton::UpdateOp::create(p.builder(), at, value.ir.getType(), kind, value.ir,
                                                          access->pointer.ir, offset.ir, chosen.ir, expected.ir);
  Value old = ofTensor(found);
  if (isNumber)
    old = Value::ofScalar(tile::ExtractOp::create(p.builder(), at, p.l.ir.type(inMemory), found), inMemory);
  return inMemory == dtype ? old : p.convert(old, dtype, args.range);
}

Value atomic(Program &p, const Arguments &args) { return update(p, args, args[1], args[2], nullptr); }
Value compareAndSwap(Program &p, const Arguments &args) { return update(p, args, args[2], {}, &args[1]); }

// Extents, strides and offsets of an array; blocks of `shape` of it.
static Value blockOf(Program &p, const Arguments &args, const Argument &blockShape, llvm::ArrayRef<Argument> lists) {
  const Value &base = args[0].value;
  if (!isPointer(base) || isTensor(base.items()[0]))
    return p.fail(args[0].range, "ValueError",
                  "Expected `base` to be a pointer type (but not a block pointer type or others)");
  auto parts = std::make_shared<BlockParts>();
  auto shape = p.expectShape(blockShape);
  if (!shape)
    return {};
  parts->shape = *shape;
  parts->items.push_back(base.items()[0]);
  for (const Argument &list : lists) {
    llvm::SmallVector<Value> items;
    if (!list) // without offsets: at the beginning
      items.assign(shape->size(), p.number(0));
    else if (!p.values.toSequence(list.value, items, list.range, "a list of numbers"))
      return {};
    if (items.size() != shape->size())
      return p.fail(list.range, "ValueError", "Expected shape/strides/offsets/block_shape to have the same length");
    for (const Value &item : items) {
      if (!p.values.isInteger(item))
        return p.fail(list.range, "TypeError", "extents, strides and offsets are integers, not " + p.describe(item));
      Value number = item.isHost() ? item : p.convert(item, DType::I32, list.range);
      parts->items.push_back(number);
    }
  }
  Value value;
  value.kind = kinds::block;
  value.ir = base.ir;
  value.dtype = base.dtype;
  value.parts = parts;
  return value;
}

Value makeBlockPtr(Program &p, const Arguments &args) { return blockOf(p, args, args[4], {args[1], args[2], args[3]}); }

Value makeDescriptor(Program &p, const Arguments &args) {
  Value value = blockOf(p, args, args[3], {args[1], args[2], Argument{}});
  if (value)
    value.kind = kinds::descriptor;
  return value;
}

// The descriptor's block at offsets, as a block pointer clipped in all dimensions.
static std::optional<Access> blockAt(Program &p, const Arguments &args) {
  Value block = args[0].value;
  if (!block.is(kinds::descriptor)) {
    p.fail(args[0].range, "TypeError", args.name + " needs a tensor descriptor, not " + p.describe(block));
    return std::nullopt;
  }
  auto parts = std::make_shared<BlockParts>(static_cast<BlockParts &>(*block.parts));
  llvm::SmallVector<Value> offsets;
  if (!p.values.toSequence(args[1].value, offsets, args[1].range, "offsets"))
    return std::nullopt;
  if (offsets.size() != parts->shape.size()) {
    p.fail(args[1].range, "ValueError",
           "expected " + llvm::Twine(parts->shape.size()) + " offsets, but got " + llvm::Twine(offsets.size()));
    return std::nullopt;
  }
  llvm::copy(offsets, llvm::MutableArrayRef(parts->items).take_back(offsets.size()).begin());
  block.parts = parts;
  return openBlock(p, block, llvm::to_vector(llvm::seq<int64_t>(0, offsets.size())), args.range);
}

Value loadDescriptor(Program &p, const Arguments &args) {
  auto access = blockAt(p, args);
  if (!access)
    return {};
  DType dtype = access->pointer.dtype, inMemory = elementInMemory(access->pointer);
  Value loaded = ofTensor(
      tilesmith::triton::LoadOp::create(p.builder(), p.loc(args.range), p.makeType(shapeOf(access->offset), inMemory),
                                        access->pointer.ir, access->offset.ir, access->mask.ir, mlir::Value()));
  return p.convert(loaded, dtype, args.range);
}

Value storeDescriptor(Program &p, const Arguments &args) {
  auto access = blockAt(p, args);
  Value value = access ? p.expectValue(args, 2) : Value();
  value = value ? p.convert(value, access->pointer.dtype, args[2].range) : Value();
  value = value ? p.convert(value, elementInMemory(access->pointer), args[2].range) : Value();
  if (!value || !p.commonShape(p.shapeOfAny(value), shapeOf(access->offset), args[2].range))
    return {};
  value = p.broadcast(value, shapeOf(access->offset), args[2].range);
  if (!value)
    return {};
  tilesmith::triton::StoreOp::create(p.builder(), p.loc(args.range), value.ir, access->pointer.ir, access->offset.ir,
                                     access->mask.ir);
  return p.none();
}

Value advance(Program &p, const Arguments &args) {
  Value value = args[0].value;
  if (!value.is(kinds::block))
    return p.fail(args[0].range, "ValueError", "tl.advance moves block pointers, not " + p.describe(value));
  llvm::SmallVector<Value> items;
  if (!p.values.toSequence(args[1].value, items, args[1].range, "offsets"))
    return {};
  auto parts = std::make_shared<BlockParts>(static_cast<BlockParts &>(*value.parts));
  if (items.size() != parts->shape.size())
    return p.fail(args[1].range, "ValueError", "tl.advance needs one offset for each dimension");
  for (auto [item, start] : llvm::zip_equal(items, llvm::MutableArrayRef(parts->items).take_back(items.size()))) {
    start = plus(p, start, item, args[1].range);
    if (start && !start.isHost())
      start = p.convert(start, DType::I32, args[1].range);
    if (!start)
      return {};
  }
  value.parts = parts;
  return value;
}

} // namespace tilesmith::frontend::triton
