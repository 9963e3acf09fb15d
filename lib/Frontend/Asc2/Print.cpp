// device_print: a line of text with values of the running kernel; device_assert: one that ends the block.
//
// What is known while compiling becomes part of the text; the rest are fields, filled in when the kernel ran.
#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::frontend::asc2 {

namespace {

class Line {
public:
  Line(Tiles &t, const Arguments &args) : t(t), args(args) {}

  bool addText(llvm::StringRef fmt);
  bool addValue(const Value &value, llvm::StringRef spec, const Range &range);
  void print() {
    tile::PrintOp::create(t.builder(), t.loc(args.range), text, values, t.builder().getStrArrayAttr(dtypes));
  }
  void literal(llvm::StringRef piece) {
    for (char c : piece) {
      text += c;
      if (c == '{' || c == '}')
        text += c;
    }
  }

private:
  bool fieldOf(const Value &value, DType dtype, llvm::StringRef spec, const Range &range);
  bool wrongFormat(const llvm::Twine &message, const llvm::Twine &help = "") {
    return bool(t.fail(args[0].range, "ValueError", message, help));
  }

  Tiles &t;
  const Arguments &args;
  std::string text;
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<llvm::StringRef> dtypes;
};

} // namespace

// A runtime value: the format is tried out on a value of its type.
bool Line::fieldOf(const Value &value, DType dtype, llvm::StringRef spec, const Range &range) {
  HostRef sample = dtype == DType::I1 ? t.host.makeBool(false)
                   : isFloat(dtype)   ? t.host.makeFloat(0)
                                      : t.host.makeInt(0);
  if (!t.host.format(sample, 0, spec)) {
    HostError error = t.host.takeError();
    return bool(t.fail(args[0].range, "ValueError",
                       "the format `" + spec + "` does not fit " + t.describe(value) + ": " + error.message));
  }
  text += "{";
  if (!spec.empty())
    text += ":" + spec.str();
  text += "}";
  values.push_back(value.ir);
  dtypes.push_back(name(dtype));
  return true;
}

bool Line::addValue(const Value &given, llvm::StringRef spec, const Range &range) {
  Value value = t.values.read(given);
  if (HostRef object = t.values.toHost(value)) {
    HostRef formatted = t.host.format(object, 0, spec);
    if (!formatted)
      return bool(t.failHost(range));
    literal(t.host.asString(formatted).value_or(""));
    return true;
  }
  if (value.isScalar())
    return fieldOf(value, value.dtype, spec, range);
  if (isTile(value))
    return fieldOf(t.toUB(value, range), elementType(value), spec, range);
  if (!value.isSequence())
    return bool(
        t.fail(range, "TypeError",
               "device_print prints numbers, tiles and what is known while compiling, not " + t.describe(value)));
  literal(value.sequence().isList ? "[" : "(");
  for (auto [i, item] : llvm::enumerate(value.items())) {
    literal(i ? ", " : "");
    if (!addValue(item, spec, range))
      return false;
  }
  literal(value.sequence().isList ? "]" : ")");
  return true;
}

bool Line::addText(llvm::StringRef fmt) {
  size_t next = 0;
  bool hasFields = false;
  while (!fmt.empty()) {
    if (fmt.starts_with("{{") || fmt.starts_with("}}")) {
      literal(fmt.take_front());
      fmt = fmt.drop_front(2);
      continue;
    }
    char c = fmt.front();
    fmt = fmt.drop_front();
    if (c == '}')
      return wrongFormat("a single } in the format of device_print", "write }} for the character");
    if (c != '{') {
      text += c;
      continue;
    }
    size_t end = fmt.find('}');
    if (end == llvm::StringRef::npos)
      return wrongFormat("a { without } in the format of device_print", "write {{ for the character");
    llvm::StringRef field = fmt.take_front(end);
    fmt = fmt.drop_front(end + 1);
    if ((!field.empty() && !field.starts_with(":")) || field.contains('{'))
      return wrongFormat("the field {" + field + "} of device_print has a name",
                         "fields are {} or {:format} and take the values in order");
    hasFields = true;
    if (next == args.rest.size())
      return wrongFormat("device_print has more {} fields than values: " + llvm::Twine(args.rest.size()) +
                         " were given");
    const Argument &argument = args.rest[next++];
    if (!addValue(argument.value, field.drop_front(field.empty() ? 0 : 1), argument.range))
      return false;
  }
  if (hasFields && next != args.rest.size())
    return wrongFormat("device_print has " + llvm::Twine(next) + " {} fields for " + llvm::Twine(args.rest.size()) +
                       " values");
  for (; next < args.rest.size(); ++next) {
    literal(text.empty() ? "" : " ");
    if (!addValue(args.rest[next].value, "", args.rest[next].range))
      return false;
  }
  return true;
}

static Value devicePrint(Tiles &t, const Arguments &args) {
  HostRef object = t.values.toHost(args[0].value);
  std::optional<std::string> fmt = object ? t.host.asString(object) : std::nullopt;
  if (!fmt)
    return t.fail(args[0].range, "TypeError",
                  "the first argument of device_print is its format, a string, not " + t.describe(args[0].value),
                  "asc2.device_print(\"n = {}\", n)");
  Line line(t, args);
  if (!line.addText(*fmt))
    return {};
  line.print();
  return t.none();
}

// What the values are is printed before the block ends, in the branch that it does not survive.
static Value deviceAssert(Tiles &t, const Arguments &args) {
  Truth holds = t.values.truth(args[0].value, args[0].range);
  if (!holds.valid)
    return {};
  std::string message;
  if (args[1]) {
    HostRef object = t.values.toHost(args[1].value);
    std::optional<std::string> text = object ? t.host.asString(object) : std::nullopt;
    if (!text)
      return t.fail(args[1].range, "TypeError",
                    "the message of device_assert is a string, not " + t.describe(args[1].value),
                    "asc2.device_assert(n > 0, \"n is not positive\", n)");
    message = *text;
  }
  if (holds.isKnown && holds.known)
    return t.none();
  mlir::Location at = t.loc(args.range);
  mlir::Value condition = holds.isKnown ? t.l.ir.constant(DType::I1, 0, args.range) : holds.runtime;
  if (!args.rest.empty()) {
    mlir::Value fails =
        mlir::arith::XOrIOp::create(t.builder(), at, condition, t.l.ir.constant(DType::I1, 1, args.range));
    auto branch = mlir::scf::IfOp::create(t.builder(), at, fails, /*withElseRegion=*/false);
    mlir::OpBuilder::InsertionGuard guard(t.builder());
    t.builder().setInsertionPointToStart(branch.thenBlock());
    Line line(t, args);
    line.literal(message.empty() ? "assertion:" : message + ":");
    if (!line.addText(""))
      return {};
    line.print();
  }
  tile::AssertOp::create(t.builder(), at, condition, t.builder().getStringAttr(message));
  return t.none();
}

llvm::ArrayRef<Builtin::Row> printBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc2.device_assert", on<deviceAssert>},
      {"asc2.device_print", on<devicePrint>},
      {"asc.device_print", on<devicePrint>},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc2
