#include "Tiles.h"
#include "tilesmith/Isa/Chip.h"

namespace tilesmith::frontend::asc2 {

Value Tiles::expectTile(const Arguments &args, unsigned index) {
  Value value = values.read(args[index].value);
  if (isTile(value))
    return value;
  return fail(args[index].range, "TypeError", args.name + " needs a tile, not " + describe(value), toTile(value));
}

std::string Tiles::toTile(const Value &value) {
  if (value.kind == kinds::tensor)
    return "load a tile of it: asc2.load(tensor, [64], tile_id=[i])";
  if (value.kind == frontend::kinds::address)
    return (l.language.words().describe + "; then load a tile of it").str();
  bool isArray = value.isHost() && (host.isSequence(value.host) || host.typeName(value.host) == "ndarray" ||
                                    host.typeName(value.host) == "Tensor");
  return isArray ? "pass it to the kernel as an array, and load a tile of it" : "";
}

Value Tiles::expectTensor(const Arguments &args, unsigned index) {
  const Value &value = args[index].value;
  if (value.kind == kinds::tensor)
    return value;
  return fail(args[index].range, "TypeError", args.name + " needs a tensor, not " + describe(value),
              value.kind == frontend::kinds::address ? l.language.words().describe : "");
}

std::optional<isa::Memory> Tiles::expectLocation(const Argument &argument) {
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

std::optional<llvm::SmallVector<int64_t>> Tiles::expectShape(const Argument &argument, llvm::StringRef what) {
  llvm::SmallVector<Value> items;
  if (!values.toSequence(argument.value, items, argument.range, what))
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

bool Tiles::checkTileType(llvm::ArrayRef<int64_t> shape, DType dtype, const Range &range) {
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

bool Tiles::checkAlignment(llvm::ArrayRef<int64_t> shape, DType dtype, const Range &range) {
  if (shape.size() < 2 || dtype == DType::I1)
    return true;
  int64_t bytes = shape.back() * (bitWidth(dtype) / 8);
  if (bytes % isa::blockBytes == 0)
    return true;
  int64_t unit = isa::blockBytes / (bitWidth(dtype) / 8);
  std::string help = "round the last dimension up to " + std::to_string((shape.back() + unit - 1) / unit * unit) +
                     "; elements outside the tensor are padded on load and dropped on store";
  if (shape.back() == 1) // what a reduction leaves
    help = "leave the last dimension out (.squeeze(-1), or no keep_dims) and use a tensor without it; or " + help;
  return bool(fail(range, "RuntimeError",
                   "a row of the tile " + formatShape(shape) + " " + name(dtype) + " has " + llvm::Twine(bytes) +
                       " bytes, which is not a multiple of 32",
                   help));
}

tile::TileType Tiles::makeType(llvm::ArrayRef<int64_t> shape, DType dtype, isa::Memory memory) {
  return tile::TileType::get(&l.ir.context, shape, l.ir.element(dtype), memory);
}

Value Tiles::cast(const Value &tile, DType dtype, const Range &range) {
  if (elementType(tile) == dtype)
    return tile;
  // The write-out of the cube rounds sums to halves; all other conversions are the vector cores'.
  bool leaves = elementType(tile) == DType::F32 && (dtype == DType::F16 || dtype == DType::BF16);
  Value from = tileType(tile).getMemory() == isa::Memory::L0C && !leaves ? toUB(tile, range) : tile;
  return ofTile(
      tile::CastOp::create(builder(), loc(range), tileType(from).withElementType(l.ir.element(dtype)), from.ir));
}

Value Tiles::toUB(const Value &tile, const Range &range) {
  if (tileType(tile).getMemory() == isa::Memory::UB)
    return tile;
  llvm::SmallVector<mlir::Value> offsets(tileType(tile).getRank(), nullptr);
  for (mlir::Value &offset : offsets)
    offset = l.ir.i32(0, range);
  return ofTile(
      tile::CopyOp::create(builder(), loc(range), tileType(tile).withMemory(isa::Memory::UB), tile.ir, offsets));
}

std::optional<llvm::SmallVector<int64_t>> Tiles::commonShape(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b,
                                                             llvm::StringRef what, const Range &range) {
  llvm::SmallVector<int64_t> shape(std::max(a.size(), b.size()));
  for (size_t i = 1; i <= shape.size(); ++i) {
    int64_t x = i <= a.size() ? a[a.size() - i] : 1, y = i <= b.size() ? b[b.size() - i] : 1;
    if (x != y && x != 1 && y != 1) {
      fail(range, "RuntimeError", what + " of tiles of different shapes " + formatShape(a) + " and " + formatShape(b),
           "shapes are compared from the right: each dimension must be equal, 1, or missing");
      return std::nullopt;
    }
    shape[shape.size() - i] = x == 1 ? y : x;
  }
  if (!checkTileType(shape, DType::I8, range))
    return std::nullopt;
  return shape;
}

Value Tiles::broadcast(const Value &tile, llvm::ArrayRef<int64_t> shape, const Range &range) {
  if (shapeOf(tile) == shape)
    return tile;
  return ofTile(tile::BroadcastOp::create(builder(), loc(range), tileType(tile).withShape(shape), tile.ir));
}

std::optional<DType> Tiles::promote(DType lhs, DType rhs, llvm::StringRef what, const Range &range) {
  if (lhs == rhs)
    return lhs;
  if (isUnsigned(lhs) || isUnsigned(rhs)) {
    fail(range, "NotImplementedError", what + " of " + name(lhs) + " and " + name(rhs) + ": unsigned types do not mix",
         "convert one operand with .to(...)");
    return std::nullopt;
  }
  bool masks = lhs == DType::I1 || rhs == DType::I1;
  if (isFloat(lhs) == isFloat(rhs) && !masks)
    return bitWidth(lhs) >= bitWidth(rhs) ? lhs : rhs;
  if (bitWidth(lhs) == bitWidth(rhs))
    return isFloat(lhs) ? lhs : rhs;
  fail(range, "RuntimeError", what + " of " + name(lhs) + " and " + name(rhs) + " has no common type",
       "convert one operand with .to(...)");
  return std::nullopt;
}

Value Tiles::makeAccumulator(mlir::Value start) { return ofAccumulator(l.cells.make(start, "an accumulator")); }

} // namespace tilesmith::frontend::asc2
