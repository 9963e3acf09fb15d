// Reductions: over all elements to a runtime scalar, or over some dimensions to a tile.
#include "Tiles.h"

namespace tilesmith::frontend::asc2 {

template <tile::ReduceKind kind> static Value reduce(Tiles &t, const Arguments &args) {
  Value input = t.expectTile(args, 0);
  if (!input)
    return {};
  std::optional<bool> keepDims = t.l.expect.boolean(args[1], false, "keep_dims");
  auto dims = keepDims ? t.l.expect.integers(args.rest, "a dimension to reduce") : std::nullopt;
  if (!dims)
    return {};
  DType dtype = elementType(input);
  if (dtype == DType::I1)
    return t.fail(args[0].range, "RuntimeError", args.name + " is not defined for the result of a comparison",
                  "select numbers first: asc2.where(mask, 1, 0)");
  input = t.toUB(input, args.range);
  llvm::ArrayRef<int64_t> shape = shapeOf(input);
  int64_t rank = shape.size();
  mlir::Location at = t.loc(args.range);

  if (dims->empty()) {
    if (kind == tile::ReduceKind::Prod)
      return t.fail(args.range, "RuntimeError", "reduce_prod needs the dimensions to reduce");
    if (*keepDims)
      return t.fail(args[1].range, "RuntimeError", "keep_dims needs the dimensions to reduce");
    auto all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    auto one = tile::ReduceOp::create(t.builder(), at, t.makeType({1}, dtype), kind, input.ir, all);
    return Value::ofScalar(tile::ExtractOp::create(t.builder(), at, t.l.ir.type(dtype), one), dtype);
  }
  for (auto [dim, argument] : llvm::zip_equal(*dims, args.rest)) {
    if (dim < -rank || dim >= rank)
      return t.fail(argument.range, "RuntimeError",
                    "dimension " + llvm::Twine(dim) + " is out of range for a tile " + formatShape(shape));
    if (dim < 0)
      dim += rank;
  }
  llvm::sort(*dims);
  dims->erase(llvm::unique(*dims), dims->end());
  if (int64_t(dims->size()) == rank && !*keepDims)
    return t.fail(args.range, "RuntimeError", "reducing all dimensions leaves no shape",
                  "give no dimensions for a scalar result, or keep_dims=True");
  llvm::SmallVector<int64_t> result;
  for (int64_t i = 0; i < rank; ++i) {
    bool reduced = llvm::is_contained(*dims, i);
    if (!reduced || *keepDims)
      result.push_back(reduced ? 1 : shape[i]);
  }
  return ofTile(tile::ReduceOp::create(t.builder(), at, t.makeType(result, dtype), kind, input.ir, *dims));
}

llvm::ArrayRef<Builtin::Row> reduceBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc2.reduce_sum", on<reduce<tile::ReduceKind::Sum>>},
      {"asc2.reduce_max", on<reduce<tile::ReduceKind::Max>>},
      {"asc2.reduce_min", on<reduce<tile::ReduceKind::Min>>},
      {"asc2.reduce_prod", on<reduce<tile::ReduceKind::Prod>>},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc2
