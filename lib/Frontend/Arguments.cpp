// What builtins expect of their arguments, and what they say if it is not so.
#include "Lowering.h"

namespace tilesmith::frontend {

Value Lowering::expectTile(const Arguments &args, unsigned index) {
  Value value = read(args[index].value);
  if (value.isTile())
    return value;
  return fail(args[index].range, "TypeError", args.name + " needs a tile, not " + describe(value));
}

Value Lowering::expectTensor(const Arguments &args, unsigned index) {
  const Value &value = args[index].value;
  if (value.kind == Value::Tensor)
    return value;
  return fail(args[index].range, "TypeError", args.name + " needs a tensor, not " + describe(value),
              value.kind == Value::Address ? "describe the array first: asc2.tensor(pointer, [size])" : "");
}

std::optional<int64_t> Lowering::expectInt(const Argument &argument, llvm::StringRef what) {
  const Value &value = argument.value;
  if (value.isHost() && host.isInt(value.host))
    if (std::optional<int64_t> integer = host.asInt(value.host))
      return integer;
  fail(argument.range, "TypeError", what + " must be an int known while compiling, not " + describe(value),
       value.isScalar() ? "annotate the parameter it comes from with asc.ConstExpr" : "");
  return std::nullopt;
}

std::optional<bool> Lowering::expectBool(const Argument &argument, bool otherwise, llvm::StringRef what) {
  if (!argument)
    return otherwise;
  if (argument.value.isHost())
    if (std::optional<bool> known = host.asBool(argument.value.host))
      return known;
  fail(argument.range, "TypeError", what + " must be True or False, not " + describe(argument.value));
  return std::nullopt;
}

std::optional<DType> Lowering::expectDType(const Argument &argument, llvm::StringRef what) {
  if (argument.value.isHost())
    if (std::optional<DType> dtype = host.asDType(argument.value.host))
      return dtype;
  fail(argument.range, "TypeError", what + " must be a dtype such as asc.float32, not " + describe(argument.value));
  return std::nullopt;
}

std::optional<isa::Memory> Lowering::expectLocation(const Argument &argument) {
  if (!argument)
    return isa::Memory::UB;
  if (argument.value.isHost() && host.typeName(argument.value.host) == "TileLocation") {
    std::string member = host.asString(host.getAttr(argument.value.host, "name")).value_or("");
    if (auto memory = isa::symbolize<isa::Memory>(member); memory && *memory != isa::Memory::GM)
      return *memory;
    host.takeError();
    fail(argument.range, "NotImplementedError", "tiles cannot be placed in " + member);
    return std::nullopt;
  }
  fail(argument.range, "TypeError", "location must be a member of asc2.TileLocation, not " + describe(argument.value));
  return std::nullopt;
}

std::optional<llvm::SmallVector<int64_t>> Lowering::expectInts(llvm::ArrayRef<Argument> arguments,
                                                               llvm::StringRef what) {
  llvm::SmallVector<int64_t> result;
  for (const Argument &argument : arguments) {
    std::optional<int64_t> item = expectInt(argument, what);
    if (!item)
      return std::nullopt;
    result.push_back(*item);
  }
  return result;
}

std::optional<llvm::SmallVector<int64_t>> Lowering::expectShape(const Argument &argument, llvm::StringRef what) {
  llvm::SmallVector<Value> items;
  if (!toSequence(argument.value, items, argument.range, what))
    return std::nullopt;
  llvm::SmallVector<int64_t> shape;
  for (const Value &item : items) {
    std::optional<int64_t> dim = item.isHost() && host.isInt(item.host) ? host.asInt(item.host) : std::nullopt;
    if (!dim) {
      fail(argument.range, "RuntimeError",
           "All values in 'shape' must be integers known while compiling, not " + describe(item),
           "annotate the parameter it comes from with asc.ConstExpr[int]");
      return std::nullopt;
    }
    if (*dim <= 0) {
      fail(argument.range, "RuntimeError", "All values in 'shape' must be positive, not " + llvm::Twine(*dim));
      return std::nullopt;
    }
    shape.push_back(*dim);
  }
  if (shape.empty()) {
    fail(argument.range, "RuntimeError", what + " must not be empty");
    return std::nullopt;
  }
  return shape;
}

bool Lowering::checkTileType(llvm::ArrayRef<int64_t> shape, DType dtype, const Range &range) {
  // No on-chip memory holds more; the bound also keeps element counts and byte offsets within int32.
  static constexpr int64_t maxElements = int64_t(1) << 28;
  static constexpr size_t maxRank = 8;
  if (!isTileElement(dtype))
    return bool(fail(range, "RuntimeError", "tiles of " + name(dtype) + " are not supported",
                     "tiles hold float16, bfloat16, float32 and integers of 8 to 64 bits"));
  if (shape.size() > maxRank)
    return bool(fail(range, "RuntimeError",
                     "tiles have at most " + llvm::Twine(maxRank) + " dimensions, not " + llvm::Twine(shape.size())));
  int64_t elements = 1;
  for (int64_t dim : shape)
    if (__builtin_mul_overflow(elements, dim, &elements) || elements > maxElements)
      return bool(fail(range, "RuntimeError", "a tile of shape " + formatShape(shape) + " does not fit on the chip"));
  return true;
}

bool Lowering::checkAlignment(llvm::ArrayRef<int64_t> shape, DType dtype, const Range &range) {
  if (shape.size() < 2 || dtype == DType::Int1)
    return true;
  int64_t bytes = shape.back() * (bitWidth(dtype) / 8);
  if (bytes % 32 == 0)
    return true;
  int64_t unit = 32 / (bitWidth(dtype) / 8);
  return bool(fail(range, "RuntimeError",
                   "a row of the tile " + formatShape(shape) + " " + name(dtype) + " has " + llvm::Twine(bytes) +
                       " bytes, which is not a multiple of 32",
                   "round the last dimension up to " + llvm::Twine((shape.back() + unit - 1) / unit * unit) +
                       "; elements outside the tensor are padded on load and dropped on store"));
}

tile::TileType Lowering::tileType(llvm::ArrayRef<int64_t> shape, DType dtype, isa::Memory memory) {
  return tile::TileType::get(&context, shape, element(dtype), memory);
}

} // namespace tilesmith::frontend
