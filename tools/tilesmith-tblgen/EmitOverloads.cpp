// Every call of the Ascend C headers that the records declare, as a function template.
#include "Emitters.h"
#include "Overload.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

// Expressions of one call as C++. Every value is an int64_t: tensors are addresses, numbers of an element type bits.
class CppWriter {
public:
  CppWriter(const OverloadView &view) : view(view), records(view.record->getRecords()) {}

  std::string text(const Expression &e) const { return strip(write(e)); }

  // A value for an operand. A constant of a scalar operand is one of the element type.
  std::string operand(const Expression &e, const OperandView &op, StringRef dtype, StringRef mask) const {
    if (op.isScalar() && e.kind == Expression::Number)
      return ("tilesmith::bitsOf<" + dtype + ">(" + dtype + "(" + e.text + "))").str();
    if (const Parameter *parameter = e.kind == Expression::Name ? view.find(e.text) : nullptr)
      if (parameter->isMask())
        return mask.str();
    return text(e);
  }

private:
  static std::string strip(std::string text) {
    if (text.empty() || text.front() != '(')
      return text;
    int depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      depth += (text[i] == '(') - (text[i] == ')');
      if (depth == 0)
        return i + 1 == text.size() ? text.substr(1, text.size() - 2) : text;
    }
    return text;
  }

  std::string write(const Expression &e) const {
    auto of = [&](size_t i) { return write(e.of[i]); };
    switch (e.kind) {
    case Expression::Number:
      return e.text;
    case Expression::Name:
      return name(e);
    case Expression::Member:
      return member(e);
    case Expression::Index:
      return "int64_t(" + place(e.of[0]) + "[" + strip(of(1)) + "])";
    case Expression::Call:
      return call(e);
    case Expression::Unary:
      return e.text + of(0);
    case Expression::Binary:
      return "(" + of(0) + " " + e.text + " " + of(1) + ")";
    case Expression::Choose:
      return "(" + of(0) + " ? " + of(1) + " : " + of(2) + ")";
    }
    return "";
  }

  // The C++ object, without a conversion.
  std::string place(const Expression &e) const {
    if (e.kind == Expression::Member)
      return place(e.of[0]) + "." + e.text;
    return e.text;
  }

  std::string name(const Expression &e) const {
    if (e.text == "i" || is_contained(view.types, e.text))
      return e.text;
    if (e.text == "asSet")
      return "TS_AS_SET";
    if (e.isEnumerator())
      return enumerator(e.text);
    const Parameter *parameter = view.find(e.text);
    if (parameter && parameter->isTensor())
      return e.text + ".tsAddress()";
    if (parameter && parameter->isTyped())
      return "tilesmith::bitsOf<" + parameter->type + ">(" + e.text + ")";
    return "int64_t(" + e.text + ")";
  }

  std::string member(const Expression &e) const {
    const Record *member = view.memberOf(e);
    StringRef type = member ? member->getValueAsString("cppType") : "";
    if (type == "T")
      return "tilesmith::bitsOf<T>(" + place(e) + ")";
    if (type.contains("Tensor<"))
      return place(e) + ".tsAddress()";
    return "int64_t(" + place(e) + ")";
  }

  // One of the table is its number; others are Ascend C's own.
  std::string enumerator(StringRef text) const {
    auto [scope, name] = text.rsplit("::");
    for (const Record *e : collectEnums(records)) {
      StringRef cpp = e->getValueAsString("cppName");
      bool machine = e->getName() == scope, ascend = !cpp.empty() && cpp.substr(cpp.rfind(':') + 1) == scope;
      if (!machine && !ascend)
        continue;
      for (const Record *c : e->getValueAsListOfDefs("cases"))
        if (c->getValueAsString(ascend ? "cppName" : "caseName") == name)
          return ascend ? ("int64_t(" + text + ")").str() : std::to_string(c->getValueAsInt("caseValue"));
      PrintFatalError(view.record, "the call of " + view.name + " is wrong: '" + scope + "' has no '" + name + "'");
    }
    return ("int64_t(" + text + ")").str();
  }

  std::string call(const Expression &e) const {
    auto type = [&](size_t i) { return e.of[i].text; };
    if (e.text == "memory")
      return "int64_t(tilesmith::memoryAt(" + write(e.of[0]) + "))";
    if (e.text == "scales")
      return "tilesmith::scalesAt(" + write(e.of[0]) + ")";
    if (e.text == "bytes")
      return "int64_t(" + place(e.of[0]) + ".GetLength())";
    if (e.text == "elements")
      return "int64_t(" + place(e.of[0]) + ".GetSize())";
    if (e.text == "min")
      return "(" + write(e.of[0]) + " < " + write(e.of[1]) + " ? " + write(e.of[0]) + " : " + write(e.of[1]) + ")";
    if (e.text == "sizeof")
      return "int64_t(sizeof(" + type(0) + "))";
    if (e.text == "lanes")
      return "tilesmith::lanesOf<" + type(0) + (e.of.size() > 1 ? ", " + type(1) : "") + ">()";
    if (e.text == "same")
      return "std::is_same_v<" + type(0) + ", " + type(1) + ">";
    if (e.text == "register")
      return "tilesmith::api->tsm_get_register(tilesmith::core, int64_t(tilesmith::Register::" + type(0) + "))";
    if (e.text == "from" || e.text == "to")
      return "int64_t(tilesmith::pipesOf(" + place(e.of[0]) + ")." + e.text + ")";
    return "tilesmith::bitsOf<" + e.text + ">(" + e.text + "(" + place(e.of[0]) + "))"; // T(x)
  }

  const OverloadView &view;
  const RecordKeeper &records;
};

class OverloadEmitter {
public:
  OverloadEmitter(const OverloadView &view, raw_ostream &os) : view(view), cpp(view), os(os) {}

  void emit() {
    if (!view.summary.empty())
      os << "// " << view.summary << "\n";
    bool masked = any_of(view.parameters, [](const Parameter &each) { return each.isMask(); });
    overload("uint64_t ");
    if (masked)
      overload("const uint64_t *");
    os << "\n";
  }

private:
  void overload(StringRef maskType) {
    bool result = any_of(view.ways, [](const WayView &way) { return way.form.hasResult(); });
    std::string type = result ? "int64_t" : "void";
    if (std::string list = templates(); !list.empty())
      os << "template <" << list << ">\n";
    os << "inline " << (view.where ? "std::enable_if_t<" + cpp.text(*view.where) + (result ? ", int64_t>" : ">") : type)
       << " " << view.name << "(";
    for (const Parameter &parameter : view.parameters)
      os << typeOf(parameter, maskType) << (isUsed(parameter.name) ? parameter.name : "")
         << (parameter.defaultValue.empty() ? "" : " = " + parameter.defaultValue) << ", ";
    os << "\n    tilesmith::Where where = tilesmith::Where::here()) {\n";
    for (const MustView &must : view.musts)
      if (view.isStatic(must.condition))
        os << "  static_assert(" << cpp.text(must.condition) << ", \"" << must.finding << "\");\n";
      else
        os << "  if (!(" << cpp.text(must.condition) << "))\n    return tilesmith::unsupported(where, \""
           << must.finding << "\");\n";
    ways(0, "  ");
    os << "}\n";
  }

  std::string templates() {
    std::vector<std::string> list;
    for (const std::string &type : view.types)
      list.push_back("typename " + type);
    if (view.setsMask)
      list.push_back("bool isSetMask = true");
    for (const Option &option : view.options)
      list.push_back(option.type + " " + option.name +
                     (option.defaultValue.empty() ? "" : " = " + option.defaultValue));
    return join(list, ", ");
  }

  void ways(size_t index, const std::string &indent) {
    if (index == view.ways.size()) {
      if (!view.otherwise.empty())
        os << indent << "tilesmith::unsupported(where, \"" << view.otherwise << "\");\n";
      return;
    }
    const WayView &way = view.ways[index];
    if (!way.when)
      return call(way, indent, /*returns=*/way.form.hasResult());
    bool isStatic = view.isStatic(*way.when);
    os << indent << (isStatic ? "if constexpr (" : "if (") << cpp.text(*way.when) << ") {\n";
    if (isStatic) {
      call(way, indent + "  ", way.form.hasResult());
      os << indent << "} else {\n";
      ways(index + 1, indent + "  ");
      os << indent << "}\n";
      return;
    }
    call(way, indent + "  ", /*returns=*/!way.times);
    os << indent << (way.times ? "  return;\n" + indent : "") << "}\n";
    ways(index + 1, indent);
  }

  void call(const WayView &way, const std::string &indent, bool returns) {
    const FormView &form = way.form;
    std::string dtype = form.hasDtype() ? elementOf(way, "dtypeOf") : "",
                dtype2 = form.hasDtype2() ? elementOf(way, "dtype2Of") : "";
    os << indent;
    if (way.times)
      os << "for (int64_t i = 0; i < " << cpp.text(*way.times) << "; ++i)\n" << indent << "  ";
    os << (returns ? "return " : "") << "tilesmith::api->tsm_" << form.mnemonic << "(tilesmith::core, where.loc()";
    for (const std::string &type : {dtype, dtype2})
      if (!type.empty())
        os << ", tilesmith::dtypeOf<" << type << ">()";
    std::string mask = "tilesmith::maskOf<isSetMask, tilesmith::lanesOf<" + dtype +
                       (dtype2.empty() ? "" : ", " + dtype2) + ">()>(" + maskName().str() + ")";
    for (const auto &[op, value] : zip_equal(form.operands, way.operands))
      os << ", " << cpp.operand(value, op, dtype, mask);
    os << ");\n";
  }

  std::string elementOf(const WayView &way, StringRef field) {
    std::string found = view.elementOf(way.operands[way.form.operandIndex(way.form.field(field))]);
    if (found.empty())
      PrintFatalError(view.record, "the call of " + view.name + " is wrong: no tensor gives the element type of " +
                                       way.form.mnemonic);
    return found;
  }

  StringRef maskName() {
    for (const Parameter &each : view.parameters)
      if (each.isMask())
        return each.name;
    return "";
  }

  bool isUsed(StringRef name) {
    bool used = false;
    auto look = [&](const Expression &e) {
      e.walk([&](const Expression &each) { used |= each.kind == Expression::Name && each.text == name; });
    };
    for (const MustView &must : view.musts)
      look(must.condition);
    for (const WayView &way : view.ways) {
      for (const Expression &operand : way.operands)
        look(operand);
      if (way.when)
        look(*way.when);
      if (way.times)
        look(*way.times);
    }
    return used;
  }

  std::string typeOf(const Parameter &parameter, StringRef maskType) {
    if (parameter.isMask())
      return maskType.str();
    if (parameter.isTyped()) { // of a tensor's type: converted to it, not deduced from
      bool deduced = none_of(view.parameters, [&](const Parameter &each) { return each.element == parameter.type; });
      return deduced ? "const " + parameter.type + " &" : "const tilesmith::Same<" + parameter.type + "> &";
    }
    std::string type = parameter.type + (parameter.element.empty() ? "" : "<" + parameter.element + ">");
    return parameter.isTensor() || parameter.params ? "const " + type + " &" : type + " ";
  }

  const OverloadView &view;
  CppWriter cpp;
  raw_ostream &os;
};

} // namespace

void emitAscendCCalls(const RecordKeeper &records, raw_ostream &os) {
  for (const OverloadView &view : collectOverloads(records))
    OverloadEmitter(view, os).emit();
}

} // namespace tilesmith::tblgen
