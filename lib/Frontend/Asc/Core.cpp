#include "Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringMap.h"

namespace tilesmith::frontend::asc {

namespace arith = mlir::arith;

namespace {
struct Service {
  bool hasPlace, gives;
  unsigned parameters;
};
} // namespace

static const Service &serviceOf(llvm::StringRef name) {
  static const auto *table = [] {
    auto *map = new llvm::StringMap<Service>;
#define TILESMITH_ASC_SERVICE(service, place, gives, parameters) (*map)[service] = {place, gives, parameters};
#include "tilesmith/Frontend/AscCalls.inc"
    return map;
  }();
  auto it = table->find(name);
  if (it == table->end())
    llvm::report_fatal_error("the Machine has no service '" + name + "'");
  return it->second;
}

mlir::Value Core::call(llvm::StringRef entry, llvm::ArrayRef<Number> args, bool gives, const Range &range) {
  if (!mayCall(range))
    return gives ? numbers.value(0, range) : mlir::Value();
  const Service &service = serviceOf(entry);
  assert(service.gives == gives && service.parameters == args.size() && "a service is called as its record says");
  llvm::SmallVector<mlir::Value> values;
  for (const Number &arg : args)
    values.push_back(numbers.value(arg, range));
  auto op = tilesmith::asc::CallOp::create(
      builder(), loc(range), gives ? builder().getI64Type() : mlir::Type(), builder().getStringAttr(entry),
      service.hasPlace ? builder().getUnitAttr() : mlir::UnitAttr(), mlir::StringAttr(), values);
  return gives ? op.getResult() : mlir::Value();
}

Number Core::ask(llvm::StringRef service, llvm::ArrayRef<Number> args, const Range &range) {
  return Number(call(service, args, true, range));
}
void Core::tell(llvm::StringRef service, llvm::ArrayRef<Number> args, const Range &range) {
  call(service, args, false, range);
}

bool Core::warn(const llvm::Twine &text, const Range &range) {
  if (host.warn(text.str(), frame().file->name, range.line))
    return true;
  failHost(range);
  return false;
}

bool Core::unsupported(llvm::StringRef what, const Range &range, bool warns) {
  if (!mayCall(range))
    return false;
  tilesmith::asc::CallOp::create(builder(), loc(range), mlir::Type(), builder().getStringAttr("unsupported"),
                                 builder().getUnitAttr(), builder().getStringAttr(what), mlir::ValueRange());
  return !warns || warn(what + ": not in the model; running it is a finding", range);
}

void Core::failAtRun(int64_t finding, llvm::StringRef text, const Range &range) {
  tilesmith::asc::CallOp::create(builder(), loc(range), mlir::Type(), builder().getStringAttr("fail"),
                                 builder().getUnitAttr(), builder().getStringAttr(text),
                                 mlir::ValueRange(numbers.value(finding, range)));
}

void Core::failUnless(const Number &condition, int64_t finding, llvm::StringRef text, const Range &range) {
  mlir::Value fails = numbers.condition(numbers.unary("!", condition, range), range);
  auto branch = mlir::scf::IfOp::create(builder(), loc(range), fails, /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(builder());
  builder().setInsertionPointToStart(branch.thenBlock());
  failAtRun(finding, text, range);
}

bool Core::mayCall(const Range &range) {
  if (writes() && !l.errors.hasFailed())
    fail(range, "NotImplementedError", "this call cannot be written as Ascend C");
  return !writes();
}

mlir::Value Core::issue(llvm::StringRef instruction, llvm::ArrayRef<mlir::Value> operands,
                        llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> choices, const Range &range,
                        mlir::Type result) {
  if (!mayCall(range))
    return {};
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  for (auto [name, number] : choices)
    attributes.push_back(builder().getNamedAttr(name, builder().getI64IntegerAttr(number)));
  auto op = tilesmith::asc::IssueOp::create(builder(), loc(range), result, builder().getStringAttr(instruction),
                                            operands, builder().getDictionaryAttr(attributes));
  return result ? op.getResult() : mlir::Value();
}

void Core::issueNumbers(llvm::StringRef instruction, llvm::ArrayRef<std::variant<Number, mlir::Value>> operands,
                        const Range &range) {
  const isa::InstructionInfo *info = isa::findInstruction(std::string_view(instruction));
  assert(info && info->numOperands == operands.size() && "operands as in the record");
  llvm::SmallVector<mlir::Value> given;
  llvm::SmallVector<std::pair<llvm::StringRef, int64_t>> choices;
  for (unsigned i = 0; i < info->numOperands; ++i)
    if (auto *number = std::get_if<Number>(&operands[i])) {
      if (info->operands[i].kind == isa::OperandKind::Attribute)
        choices.push_back({llvm::StringRef(info->operands[i].name), *number->known});
      else
        given.push_back(numbers.value(*number, range));
    } else {
      given.push_back(std::get<mlir::Value>(operands[i]));
    }
  issue(instruction, given, choices, range);
}

unsigned Core::makeCell(const Number &number, llvm::StringLiteral noun, const Range &range) {
  return l.cells.make(numbers.value(number, range), noun);
}
void Core::setCell(unsigned index, const Number &number, const Range &range) {
  l.cells.set(index, numbers.value(number, range));
}

Number Core::addressOf(const Value &pointer, const Range &range) {
  Number base(mlir::Value(tilesmith::asc::AddressOp::create(
      builder(), loc(range), builder().getI64Type(), llvm::cast<mlir::TypedValue<isa::BufferType>>(pointer.ir))));
  if (pointer.items().empty())
    return base;
  Number offset = numbers.of(pointer.items()[0], "an offset", range);
  return numbers.add(base, numbers.mul(offset, bytesOf(pointer.dtype), range), range);
}

std::optional<int64_t> Core::expectKnown(const Argument &argument, llvm::StringRef what, int64_t otherwise) {
  if (!argument)
    return otherwise;
  Number number = numbers.of(argument.value, what, argument.range);
  if (!number)
    return std::nullopt;
  if (!number.known)
    fail(argument.range, "TypeError", what + " must be known while compiling, not " + describe(argument.value),
         "make it an asc.ConstExpr parameter");
  return number.known;
}

std::optional<Named> match(const CallSite &site, llvm::ArrayRef<llvm::StringRef> names, unsigned required) {
  Named found;
  found.values.resize(names.size());
  if (site.positional.size() > names.size())
    return std::nullopt;
  llvm::copy(site.positional, found.values.begin());
  for (const auto &[key, argument] : site.keywords) {
    auto it = llvm::find(names, key);
    if (it == names.end() || found.values[it - names.begin()])
      return std::nullopt;
    found.values[it - names.begin()] = argument;
  }
  for (unsigned i = 0; i < required; ++i)
    if (!found.values[i])
      return std::nullopt;
  return found;
}

Number Core::expectNumber(const Argument &argument, llvm::StringRef what, int64_t otherwise) {
  return argument ? numbers.of(argument.value, what, argument.range) : Number(otherwise);
}

Number Core::fieldOf(const Argument &tiling, llvm::StringRef name) {
  Value given = values.read(tiling.value);
  if (std::optional<Value> field = given.kind->attribute(l, given, name, tiling.range))
    return *field ? numbers.of(*field, name, tiling.range) : Number();
  Value field = given.isHost() ? Value::ofHost(host.getAttr(given.host, name)) : Value();
  if (field)
    return numbers.of(field, name, tiling.range);
  if (given.isHost())
    failHost(tiling.range);
  else
    fail(tiling.range, "TypeError", "the tiling is an argument of the kernel, not " + describe(given));
  return {};
}

mlir::Value Core::toScalar(const Value &given, DType dtype, const Range &range) {
  Value value = values.read(given);
  if (value.isScalar() || isFloat(dtype) || !values.isNumber(value))
    return scalars.convert(value, dtype, range);
  std::optional<double> real = host.asFloat(value.host);
  Number number = real && std::fabs(*real) < 9.2e18 ? Number(int64_t(*real)) : Number();
  if (!real)
    number = numbers.of(value, "a number", range);
  if (!number)
    return real ? scalars.convert(value, dtype, range) : mlir::Value();
  number = numbers.cut(number, bitWidth(dtype), !isUnsigned(dtype) && dtype != DType::I1, range);
  return l.ir.constant(dtype, *number.known, range);
}

// Pipes end with the kernel, as objects of C++ do.
bool Core::finish(const Range &range) {
  for (int64_t pipe : llvm::reverse(pipes)) // none in a kernel that is written
    tell("pipe_destroy", {pipe}, range);
  mlir::Operation *kernel = builder().getInsertionBlock()->getParentOp();
  if (!prints.empty())
    kernel->setAttr(isa::printsAttrName, builder().getArrayAttr(prints));
  if (writes())
    kernel->setAttr(tilesmith::asc::writtenAttrName, builder().getUnitAttr());
  if (waits)
    kernel->setAttr(tilesmith::asc::waitsAttrName, builder().getUnitAttr());
  if (hasMatmul)
    kernel->setAttr(tilesmith::asc::matmulAttrName, builder().getUnitAttr());
  return true;
}

} // namespace tilesmith::frontend::asc
