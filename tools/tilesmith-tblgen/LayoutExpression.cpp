#include "LayoutExpression.h"
#include "Expression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

constexpr StringLiteral knownNames[] = {"size", "size2", "perElement", "c310", "perRepeat"};

// What values of readers have; the grammar knows more.
constexpr StringLiteral operators[] = {"||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/"};

// Numbers of arguments: of a function, or of a shape.
struct Callable {
  StringLiteral name;
  unsigned least, most;
};
constexpr Callable callables[] = {{"min", 2, 2},      {"max", 2, 2},     {"ceil", 2, 2},   {"up", 2, 2},
                                  {"span", 1, 1},     {"kept", 2, 2},    {"run", 1, 7},    {"rows", 3, 3},
                                  {"elements", 1, 2}, {"bits", 1, 1},    {"lanes", 4, 5},  {"nz", 4, 6},
                                  {"zz", 2, 2},       {"results", 5, 5}, {"packed", 4, 4}, {"at", 2, 2}};

// The tree of an expression with its names looked up in the form.
class Resolver {
public:
  Resolver(const FormView &form, const RecordKeeper &records, StringRef text)
      : form(form), records(records), whole(text) {}

  LayoutExpressionPtr parse() {
    return resolve(parseExpression(whole, [&](const Twine &why) { fail(why); }));
  }

private:
  [[noreturn]] void fail(const Twine &why) { PrintFatalError(form.record, "in '" + whole + "': " + why); }
  static LayoutExpressionPtr node(LayoutExpression::Kind kind, StringRef text, std::vector<LayoutExpressionPtr> parts) {
    auto result = std::make_shared<LayoutExpression>();
    result->kind = kind;
    result->text = text.str();
    result->parts = std::move(parts);
    return result;
  }
  static LayoutExpressionPtr number(int64_t value) {
    LayoutExpressionPtr result = node(LayoutExpression::Number, "", {});
    result->number = value;
    return result;
  }

  LayoutExpressionPtr resolve(const Expression &expression) {
    std::vector<LayoutExpressionPtr> parts;
    for (const Expression &each : expression.of)
      parts.push_back(resolve(each));
    switch (expression.kind) {
    case Expression::Number: {
      int64_t value = 0;
      if (StringRef(expression.text).getAsInteger(10, value))
        fail("'" + expression.text + "' is not a number");
      return number(value);
    }
    case Expression::Name:
      return name(expression.text);
    case Expression::Unary:
      if (expression.text != "!")
        fail("a layout has no unary '" + expression.text + "'");
      return node(LayoutExpression::Unary, expression.text, std::move(parts));
    case Expression::Binary:
      if (!is_contained(operators, expression.text))
        fail("a layout has no '" + expression.text + "'");
      return node(LayoutExpression::Binary, expression.text, std::move(parts));
    case Expression::Choose:
      return node(LayoutExpression::Choice, expression.text, std::move(parts));
    case Expression::Call:
      return call(expression.text, std::move(parts));
    case Expression::Member:
    case Expression::Index:
      fail("a layout has no members and no indices");
    }
    fail("unknown expression");
  }
  LayoutExpressionPtr call(StringRef function, std::vector<LayoutExpressionPtr> arguments) {
    const Callable *known = find_if(callables, [&](const Callable &each) { return each.name == function; });
    if (known == std::end(callables))
      fail("nothing is called '" + function + "'");
    if (arguments.size() < known->least || arguments.size() > known->most)
      fail("'" + function + "' does not take " + Twine(arguments.size()) + " arguments");
    return node(LayoutExpression::Call, function, std::move(arguments));
  }
  LayoutExpressionPtr name(StringRef word) {
    for (const OperandView &op : form.operands)
      if (op.name == word && !op.isBuffer())
        return node(LayoutExpression::Name, word, {});
    if (is_contained(knownNames, word))
      return node(LayoutExpression::Name, word, {});
    if (const Record *rule = records.getDef(word); rule && rule->isSubClassOf("ChipNumber"))
      return number(rule->getValueAsInt("value"));
    for (const OperandView &op : form.operands)
      if (op.isAttribute())
        for (const Record *enumerator : records.getDef(op.enumeration)->getValueAsListOfDefs("cases"))
          if (enumerator->getValueAsString("caseName") == word)
            return number(enumerator->getValueAsInt("caseValue"));
    fail("'" + word + "' is neither an operand with a number nor known");
  }

  const FormView &form;
  const RecordKeeper &records;
  StringRef whole;
};

std::optional<int64_t> apply(StringRef op, int64_t a, int64_t b) {
  if (op == "/" && b == 0)
    return std::nullopt;
  return StringSwitch<std::optional<int64_t>>(op)
      .Case("+", a + b)
      .Case("-", a - b)
      .Case("*", a * b)
      .Case("/", b ? a / b : 0)
      .Default(std::nullopt);
}

} // namespace

LayoutExpressionPtr parseLayoutExpression(const FormView &form, const RecordKeeper &records, StringRef text) {
  return Resolver(form, records, text).parse();
}

std::string cppOf(const LayoutExpression &e, std::set<std::string> &names) {
  auto part = [&](size_t i) { return cppOf(*e.parts[i], names); };
  switch (e.kind) {
  case LayoutExpression::Number:
    return "V(" + std::to_string(e.number) + ")";
  case LayoutExpression::Name:
    names.insert(e.text);
    return e.text;
  case LayoutExpression::Unary:
    return "!" + part(0);
  case LayoutExpression::Binary:
    return "(" + part(0) + " " + e.text + " " + part(1) + ")";
  case LayoutExpression::Choice:
    return "choose(" + part(0) + ", " + part(1) + ", " + part(2) + ")";
  case LayoutExpression::Call: {
    // Lanes and patterns are the reader's business, arithmetic the value's.
    std::string text = (e.text == "span" || e.text == "kept" ? "reader." : "") + e.text + "(";
    for (size_t i = 0; i < e.parts.size(); ++i)
      text += (i ? ", " : "") + part(i);
    return text + ")";
  }
  }
  return "";
}

std::string textOf(const LayoutExpression &e, bool c310) {
  auto part = [&](size_t i) { return textOf(*e.parts[i], c310); };
  auto numberOf = [](StringRef text) -> std::optional<int64_t> {
    int64_t value = 0;
    return text.getAsInteger(10, value) ? std::nullopt : std::optional(value);
  };
  switch (e.kind) {
  case LayoutExpression::Number:
    return std::to_string(e.number);
  case LayoutExpression::Name:
    return e.text == "c310" ? (c310 ? "1" : "0") : e.text;
  case LayoutExpression::Unary:
    return "!" + part(0);
  case LayoutExpression::Binary: {
    std::string left = part(0), right = part(1);
    if (auto a = numberOf(left), b = numberOf(right); a && b)
      if (std::optional<int64_t> value = apply(e.text, *a, *b))
        return std::to_string(*value);
    if (e.text == "-" && left == "0")
      return "-" + right;
    return left + " " + e.text + " " + right;
  }
  case LayoutExpression::Choice:
    if (std::optional<int64_t> condition = numberOf(part(0)))
      return part(*condition ? 1 : 2);
    return part(0) + " ? " + part(1) + " : " + part(2);
  case LayoutExpression::Call: {
    std::string text = e.text + "(";
    for (size_t i = 0; i < e.parts.size(); ++i)
      text += (i ? ", " : "") + part(i);
    return text + ")";
  }
  }
  return "";
}

} // namespace tilesmith::tblgen
