#include "Written.h"
#include "Objects.h"
#include "Records.h"

namespace tilesmith::frontend::asc {

Text &Text::value(mlir::Value value) {
  text += "$" + std::to_string(operands.size());
  operands.push_back(value);
  return *this;
}

Text &Text::number(const Number &number, llvm::StringRef type) {
  if (number.known) {
    bool isLong = *number.known > INT32_MAX || *number.known < -int64_t(INT32_MAX);
    std::string literal = *number.known == INT64_MIN ? "(-9223372036854775807LL - 1)"
                                                     : std::to_string(*number.known) + (isLong ? "LL" : "");
    text += type == "bool" ? (*number.known ? "true" : "false") : literal;
    return *this;
  }
  if (type.empty() || type == "int64_t")
    return value(number.ir);
  text += "static_cast<" + type.str() + ">(";
  value(number.ir);
  text += ")";
  return *this;
}

Text &Text::variable(const Value &given) {
  Value object = core.values.read(given);
  if (!isTensor(object))
    return value(objectOf(object).written);
  return value(core.address(object).ir);
}

Text &Text::scalar(const Value &given, DType dtype) {
  mlir::Value ir = core.toScalar(given, dtype, range);
  failed |= !ir;
  return ir ? value(ir) : *this;
}

mlir::Value Text::make(mlir::Type result, std::optional<llvm::StringRef> type, bool pure) {
  mlir::OpBuilder &b = core.builder();
  return tilesmith::asc::WriteOp::create(b, core.loc(range), result, b.getStringAttr(text),
                                         type ? b.getStringAttr(*type) : mlir::StringAttr(),
                                         pure ? b.getUnitAttr() : mlir::UnitAttr(), operands)
      .getResult();
}

void Text::statement() { make({}, std::nullopt, false); }
mlir::Value Text::result(mlir::Type type, bool pure) { return make(type, std::nullopt, pure); }
// What its variable is in the IR says nothing: only other pieces of text read it.
mlir::Value Text::declare(llvm::StringRef type) { return make(core.builder().getI32Type(), type, false); }

llvm::StringRef cppName(DType dtype) { return isa::infoOf(dtype).ascend; }

std::string positionName(int64_t position) {
  static constexpr llvm::StringLiteral names[] = {"GM",  "A1",  "A2",    "B1",     "B2",      "C1",  "C2",
                                                  "CO1", "CO2", "VECIN", "VECOUT", "VECCALC", "SPM", "TSCM"};
  llvm::StringRef name = position >= 0 && position < std::ssize(names) ? names[position] : "MAX";
  return ("AscendC::TPosition::" + name).str();
}

std::string enumeratorName(llvm::StringRef type, int64_t value) {
  std::string scope = type == "QuantMode_t" ? "" : "AscendC::";
#define TILESMITH_ASC_ENUMERATOR(machine, cpp, machineCase, cppCase, number)                                           \
  if (type == cpp && value == number)                                                                                  \
    return type == "pipe_t" ? cppCase : scope + cpp "::" cppCase;
#include "tilesmith/Frontend/AscCalls.inc"
  return "static_cast<" + scope + type.str() + ">(" + std::to_string(value) + ")";
}

std::string eventName(Core &core, int64_t event, const Range &range) {
  if (pipesOfEvent(event))
    return ("AscendC::HardEvent::" + llvm::StringRef(isa::stringify(isa::HardEvent(event)))).str();
  core.fail(range, "ValueError", "there is no HardEvent " + llvm::Twine(event));
  return "";
}

// A member of a record that is not a number: an element, a tensor, an array, another record.
static bool writeMember(Core &core, Text &place, const StructInfo::Member &member, const Value &value, DType element,
                        mlir::Value variable, const Range &range) {
  auto assign = [&](llvm::StringRef at) {
    Text text(core, range);
    text.value(variable) << "." << member.cpp << at << " = ";
    return text;
  };
  if (isTensor(value)) {
    Text text = assign("");
    text.variable(value).statement();
    return true;
  }
  llvm::SmallVector<Value> items;
  if (llvm::StringRef(member.type).ends_with("]")) {
    if (!core.values.toSequence(value, items, range, member.name))
      return false;
    for (auto [i, item] : llvm::enumerate(items)) {
      Number number = core.numbers.of(item, member.name, range);
      if (!number)
        return false;
      Text text = assign("[" + std::to_string(i) + "]");
      text.number(number, llvm::StringRef(member.type).split('[').first).statement();
    }
    return true;
  }
  if (!core.values.isNumeric(value))
    return bool(core.fail(range, "NotImplementedError",
                          "the member " + member.name + " of a parameter struct cannot be written as Ascend C"));
  Text text = assign("");
  text.scalar(value, element == DType::Void ? DType::F32 : element);
  if (!text.failed)
    text.statement();
  place.failed |= text.failed;
  return !text.failed;
}

bool writeRecord(Core &core, Text &text, const Value &given, llvm::StringRef type, DType element, const Range &range) {
  const StructInfo &info = given.is(record) ? *recordOf(given).info : *findStruct(core.host.typeName(given.host));
  mlir::Value variable;
  auto declared = [&] {
    if (!variable)
      variable = Text(core, range).declare(type);
    return variable;
  };
  for (const StructInfo::Member &member : info.members) {
    if (given.is(record) && !member.bits) {
      Value field = fieldOf(given, member.name);
      if (field && !writeMember(core, text, member, field, element, declared(), range))
        return false;
      continue;
    }
    Value field = memberOf(core, given, member.cpp, range);
    if (!field)
      return false;
    if (!member.bits) {
      if (!core.values.isNone(field) && !writeMember(core, text, member, field, element, declared(), range))
        return false;
      continue;
    }
    Number number = core.numbers.of(field, member.name, range);
    if (!number)
      return false;
    if (number.known && *number.known == defaultOf(member) && !member.isWritten)
      continue;
    bool isEnum = member.bits == 32 && !llvm::StringRef(member.type).contains("int");
    Text assignment(core, range);
    assignment.value(declared()) << "." << member.cpp << " = ";
    if (isEnum && number.known)
      assignment << enumeratorName(member.type, *number.known);
    else
      assignment.number(number, member.type);
    assignment.statement();
  }
  if (variable)
    text.value(variable);
  else
    text << type << "()";
  return true;
}

std::optional<Value> writeBuiltin(Core &core, const Arguments &args) {
  for (auto *write : {writeOfTensors, writeOfObjects, writeOfSystem, writeOfSorting, writeOfMatmul})
    if (std::optional<Value> written = write(core, args))
      return written;
  return std::nullopt;
}

} // namespace tilesmith::frontend::asc
