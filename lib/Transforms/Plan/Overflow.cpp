#include "Overflow.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

namespace {
// A line of the table.
struct Row {
  std::string name, type, place;
  SmallVector<int64_t> shape;
  int64_t bytes;
};
} // namespace

// The alloc's shape attribute reads "[4, 1024] float16".
static SmallVector<int64_t> shapeOf(AllocOp alloc) {
  SmallVector<int64_t> shape;
  StringRef text = alloc.getShape().value_or("").split(']').first;
  while (!text.empty()) {
    int64_t extent;
    if (text.consumeInteger(10, extent))
      text = text.drop_front();
    else
      shape.push_back(extent);
  }
  return shape;
}

static std::string text(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(shape, os);
  os << ']';
  return text;
}

static StringRef pythonName(Type type) {
  std::optional<DType> dtype = getDType(type);
  return !dtype ? StringRef("?") : dtype == DType::I1 ? StringRef("bool") : StringRef(infoOf(*dtype).python);
}

static std::string placeOf(Location loc) {
  std::string place;
  loc->walk([&](Location inner) {
    auto line = dyn_cast<FileLineColRange>(inner);
    if (!line)
      return WalkResult::advance();
    place = (llvm::sys::path::filename(line.getFilename().getValue()) + ":" + Twine(line.getStartLine())).str();
    return WalkResult::interrupt();
  });
  return place;
}

static Row rowOf(AllocOp alloc, const Item &item) {
  StringRef element = pythonName(alloc.getResult().getType().getElementType());
  return {alloc.getSource().value_or("temporary").str(), alloc.getShape().value_or(element).str(),
          placeOf(alloc.getLoc()), shapeOf(alloc), item.bytes};
}

static std::string tableOf(ArrayRef<Row> rows) {
  size_t names = 0, types = 0, digits = 0;
  for (const Row &row : rows) {
    names = std::max(names, row.name.size());
    types = std::max(types, row.type.size());
    digits = std::max(digits, std::to_string(row.bytes).size());
  }
  std::string table;
  llvm::raw_string_ostream os(table);
  for (const Row &row : rows) {
    os << "\n        " << row.name;
    os.indent(names - row.name.size() + 2) << row.type;
    std::string bytes = std::to_string(row.bytes);
    os.indent(types - row.type.size() + 2 + digits - bytes.size()) << bytes << " bytes";
    if (!row.place.empty())
      os << "   " << row.place;
  }
  return table;
}

// Rounded down to a number a person would write: three leading binary digits.
static int64_t roundDown(int64_t value) {
  int64_t unit = 1;
  while (unit * 16 <= value)
    unit *= 2;
  return value / unit * unit;
}

static std::string helpFor(const MemoryLimit &limit, ArrayRef<Row> rows, int64_t total) {
  std::string help = "help: ";
  llvm::raw_string_ostream os(help);
  ArrayRef<int64_t> shape;
  bool sameRows = true;
  for (const Row &row : rows)
    if (row.shape.size() > shape.size())
      shape = row.shape;
  for (const Row &row : rows)
    sameRows &= !row.shape.empty() && row.shape.front() == shape.front();
  StringRef memory(stringify(limit.memory).data(), stringify(limit.memory).size());
  if (shape.empty() || !sameRows || total / shape.front() == 0) {
    os << "together they need " << total << " bytes, " << total - limit.capacity << " more than " << memory
       << " has; use smaller tiles";
    return help;
  }
  bool isVector = shape.size() == 1;
  int64_t each = (total + shape.front() - 1) / shape.front(), fit = limit.capacity / each;
  if (fit > 0) {
    os << "one " << (isVector ? "element" : "row") << " needs " << each << " bytes; use tiles of at most "
       << (isVector ? roundDown(fit) : fit)
       << (isVector   ? " elements"
           : fit == 1 ? " row"
                      : " rows");
    return help;
  }
  int64_t columns = 1;
  for (int64_t extent : shape.drop_front())
    columns *= extent;
  int64_t perColumn = std::max<int64_t>(1, (each + columns - 1) / columns);
  os << "one row needs " << each << " bytes; stream the row in chunks of at most "
     << roundDown(limit.capacity / perColumn) << " columns";
  if (limit.memory == Memory::UB)
    os << " (see kernels/rms_norm.py, split-row variant)";
  return help;
}

LogicalResult explainOverflow(const MemoryLimit &limit, ArrayRef<AllocOp> allocs, ArrayRef<Item> items,
                              StringRef wayOut) {
  int64_t peak = peakOf(items), total = 0;
  AllocOp culprit;
  SmallVector<Row> rows;
  for (auto [alloc, item] : llvm::zip(allocs, items)) {
    if (item.life.begin > peak || item.life.end < peak)
      continue;
    rows.push_back(rowOf(alloc, item));
    total += item.bytes;
    if (!culprit && total > limit.capacity)
      culprit = alloc;
  }
  if (!culprit) // the peak fits, but only into memory that is not torn into pieces
    culprit = allocs.back();
  SmallVector<int64_t> shape = shapeOf(culprit);
  StringRef memory(stringify(limit.memory).data(), stringify(limit.memory).size());
  InFlightDiagnostic error = emitError(culprit.getLoc());
  if (shape.empty())
    error << "buffer of " << int64_t(culprit.getBytes()) << " bytes";
  else
    error << "tile of shape " << text(shape);
  error << " does not fit into " << memory;
  error.attachNote() << "live in " << memory << " here (" << (limit.platform.empty() ? "the chip" : limit.platform)
                     << " has " << limit.capacity << " bytes):" << tableOf(rows);
  error.attachNote() << (wayOut.empty() ? helpFor(limit, rows, total) : "help: " + wayOut.str());
  return failure();
}

} // namespace tilesmith::plan
