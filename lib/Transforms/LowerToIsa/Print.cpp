// device_print: the scalar unit reads what is printed and hands it out, element by element.
//
// Of a tile with many elements only the outer ones of each dimension are read; the text shows no others (as NumPy
// does).
#include "Lowering.h"

using namespace mlir;

namespace tilesmith {

static constexpr int64_t mostElements = 1000, edge = 3;

// Calls `visit` with the position of every element to print, in row-major order.
static void forPrinted(Emitter &e, ArrayRef<int64_t> shape, Int before, bool all, llvm::function_ref<void(Int)> visit) {
  if (shape.empty())
    return visit(before);
  int64_t size = shape.front();
  auto part = [&](int64_t first, int64_t last) {
    e.loop(e.known(first), e.known(last), [&](Int index) {
      forPrinted(e, shape.drop_front(), e.add(e.mul(before, e.known(size)), index), all, visit);
    });
  };
  if (all || size <= 2 * edge)
    return part(0, size);
  part(0, edge);
  part(size - edge, size);
}

LogicalResult Lowering::lowerPrint(tile::PrintOp op) {
  SmallVector<Attribute> site = {op.getFormatAttr()};
  int64_t number = prints.size();
  if (op.getValues().empty())
    emit("device_print", {number, 0, 0, value(known(0))});
  for (auto [i, printed, dtype] : llvm::enumerate(op.getValues(), op.getDtypes().getAsValueRange<StringAttr>())) {
    auto type = dyn_cast<tile::TileType>(printed.getType());
    if (!type) {
      site.push_back(b.getStringAttr(dtype));
      emit("device_print", {number, int64_t(i), 0, printed});
      continue;
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    os << dtype << "[";
    llvm::interleaveComma(type.getShape(), os);
    os << "]";
    site.push_back(b.getStringAttr(text));
    bool isBits = type.getElementType().isInteger(1);
    Value buffer = bufferOf(printed);
    if (isBits)
      buffer = view(buffer, b.getI8Type());
    SmallVector<int64_t> shape = {type.getNumElements()};
    bool all = type.getNumElements() <= mostElements;
    if (!all)
      shape.assign(type.getShape().begin(), type.getShape().end());
    forPrinted(*this, shape, known(0), all, [&](Int element) {
      Int bytes = isBits ? div(element, known(8)) : mul(element, known(sizeOf(type.getElementType())));
      Value content = emit("get_value", {offset(buffer, bytes)}, tile::scalarTypeOf(elementOf(buffer)))->getResult(0);
      if (isBits) {
        Value shift = arith::TruncIOp::create(b, loc, b.getI8Type(), value(rem(element, known(8))));
        content = arith::ShRUIOp::create(b, loc, content, shift);
        content = arith::AndIOp::create(b, loc, content, scalar(b.getI8Type(), 1));
      }
      emit("device_print", {number, int64_t(i), element, content});
    });
  }
  prints.push_back(b.getArrayAttr(site));
  return success();
}

} // namespace tilesmith
