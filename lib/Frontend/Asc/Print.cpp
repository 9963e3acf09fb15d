// printf and dump_tensor: lines with values of the running kernel, as device_print makes them.
#include "Core.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::frontend::asc {

// A conversion of C's printf as a field of Python's format: "%-5.2f" as "{:<5.2f}".
static std::string fieldOf(llvm::StringRef flags, char conversion) {
  std::string spec;
  if (flags.consume_front("-"))
    spec += "<";
  spec += flags.str();
  switch (conversion) {
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'x':
  case 'X':
  case 'o':
    spec += conversion;
    break;
  case 'p':
    spec = "#x";
    break;
  default:
    break;
  }
  return spec.empty() ? "{}" : "{:" + spec + "}";
}

static std::string literal(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    result += c;
    if (c == '{' || c == '}')
      result += c;
  }
  return result;
}

static Value printf(Core &core, const Arguments &args) {
  HostRef object = core.values.toHost(args[0].value);
  std::optional<std::string> given = object ? core.host.asString(object) : std::nullopt;
  if (!given)
    return core.fail(args[0].range, "TypeError",
                     "the first argument of printf is its format, a string, not " + core.describe(args[0].value));
  llvm::StringRef format = *given;
  llvm::SmallVector<mlir::Attribute> site = {mlir::Attribute()};
  llvm::SmallVector<mlir::Value> values;
  std::string text;
  size_t next = 0;
  while (!format.empty()) {
    size_t at = format.find('%');
    text += literal(format.take_front(at));
    if (at == llvm::StringRef::npos)
      break;
    format = format.drop_front(at + 1);
    if (format.consume_front("%")) {
      text += "%";
      continue;
    }
    size_t end = format.find_first_of("diufFeEgGxXocspl");
    while (end != llvm::StringRef::npos && (format[end] == 'l' || format[end] == 'h'))
      end = format.find_first_of("diufFeEgGxXocspl", end + 1);
    if (end == llvm::StringRef::npos)
      return core.fail(args[0].range, "ValueError", "the format of printf ends inside a field");
    std::string flags;
    for (char c : format.take_front(end))
      if (c != 'l' && c != 'h' && c != 'z')
        flags += c;
    char conversion = format[end];
    format = format.drop_front(end + 1);
    if (next == args.rest.size())
      return core.fail(args[0].range, "ValueError",
                       "printf has more fields than values: " + llvm::Twine(args.rest.size()) + " were given");
    const Argument &argument = args.rest[next++];
    Value value = core.values.read(argument.value);
    if (HostRef known = core.values.toHost(value)) {
      HostRef shown = core.host.format(known, 0, "");
      text += literal(shown ? core.host.asString(shown).value_or("") : "");
      continue;
    }
    if (!value.isScalar())
      return core.fail(argument.range, "TypeError", "printf prints numbers and strings, not " + core.describe(value),
                       isTensor(value) ? "asc.dump_tensor(tensor, desc, size) shows a tensor" : "");
    text += fieldOf(flags, conversion);
    site.push_back(core.builder().getStringAttr(name(value.dtype)));
    values.push_back(value.ir);
  }
  llvm::StringRef line = text;
  line.consume_back("\n"); // a line of output ends by itself
  site[0] = core.builder().getStringAttr(line);
  int64_t number = core.prints.size();
  core.prints.push_back(core.builder().getArrayAttr(site));
  auto put = [&](int64_t index, mlir::Value content) {
    core.issue("device_print",
               {core.numbers.value(number, args.range), core.numbers.value(index, args.range),
                core.numbers.value(0, args.range), content},
               {}, args.range);
  };
  if (values.empty())
    put(0, core.numbers.value(0, args.range));
  for (auto [i, content] : llvm::enumerate(values))
    put(int64_t(i), content);
  return core.none();
}

// dump_tensor(tensor, desc, dump_size): its elements, read on the scalar unit.
static Value dumpTensor(Core &core, const Arguments &args) {
  Value tensor = core.expectTensor(args[0], "tensor");
  std::optional<int64_t> desc = tensor ? core.expectKnown(args[1], "desc") : std::nullopt;
  std::optional<int64_t> size = desc ? core.expectKnown(args[2], "dump_size") : std::nullopt;
  if (!size)
    return {};
  constexpr int64_t most = 1024; // elements shown
  int64_t shown = std::clamp<int64_t>(*size, 0, most);
  TensorParts &parts = partsOf(tensor);
  mlir::OpBuilder &b = core.builder();
  std::string kind = name(parts.dtype).str() + "[" + std::to_string(shown) + "]";
  int64_t number = core.prints.size();
  core.prints.push_back(
      b.getArrayAttr({b.getStringAttr("dump_tensor " + std::to_string(*desc) + ": {}"), b.getStringAttr(kind)}));
  auto loop = mlir::scf::ForOp::create(b, core.loc(args.range), core.numbers.value(0, args.range),
                                       core.numbers.value(shown, args.range), core.numbers.value(1, args.range));
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Number index{mlir::Value(loop.getInductionVar())};
  Number address =
      core.numbers.add(core.address(tensor), core.numbers.mul(index, bytesOf(parts.dtype), args.range), args.range);
  mlir::Value at =
      core.bufferAt(address, parts.isLocal ? memoryOf(parts.position) : isa::Memory::GM, parts.dtype, args.range);
  mlir::Value content = core.issue("get_value", {at}, {}, args.range, core.l.ir.type(parts.dtype));
  core.issue("device_print",
             {core.numbers.value(number, args.range), core.numbers.value(0, args.range),
              core.numbers.value(index, args.range), content},
             {}, args.range);
  return core.none();
}

llvm::ArrayRef<Builtin::Row> printBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc.basic.printf", on<printf>, "fmt, *values"},
      {"asc.basic.dump_tensor", on<dumpTensor>, "tensor, desc, dump_size, shape_info=None"},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc
