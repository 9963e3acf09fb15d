#include "Expression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

constexpr StringLiteral knownNames[] = {"size", "size2", "c310", "perRepeat"};

// Numbers of arguments: of a function, or of a shape.
struct Callable {
  StringLiteral name;
  unsigned least, most;
};
constexpr Callable callables[] = {{"min", 2, 2},      {"max", 2, 2},     {"ceil", 2, 2},   {"up", 2, 2},
                                  {"span", 1, 1},     {"kept", 2, 2},    {"run", 1, 7},    {"rows", 3, 3},
                                  {"elements", 1, 2}, {"bits", 1, 1},    {"lanes", 4, 5},  {"nz", 4, 6},
                                  {"zz", 2, 2},       {"results", 5, 5}, {"packed", 4, 4}, {"at", 2, 2}};

// Binary operators by how tightly they bind.
constexpr const char *levels[][4] = {{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/"}};

class Parser {
public:
  Parser(const FormView &form, const RecordKeeper &records, StringRef text)
      : form(form), records(records), whole(text), rest(text) {}

  ExpressionPtr parse() {
    ExpressionPtr result = choice();
    if (!rest.trim().empty())
      fail("'" + rest + "' is left over");
    return result;
  }

private:
  [[noreturn]] void fail(const Twine &why) { PrintFatalError(form.record, "in '" + whole + "': " + why); }
  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  void need(StringRef token) {
    if (!take(token))
      fail("expected '" + token + "' before '" + rest + "'");
  }
  static ExpressionPtr node(Expression::Kind kind, StringRef text, std::vector<ExpressionPtr> parts) {
    auto result = std::make_shared<Expression>();
    result->kind = kind;
    result->text = text.str();
    result->parts = std::move(parts);
    return result;
  }
  static ExpressionPtr number(int64_t value) {
    ExpressionPtr result = node(Expression::Number, "", {});
    result->number = value;
    return result;
  }

  ExpressionPtr choice() {
    ExpressionPtr condition = binary(0);
    if (!take("?"))
      return condition;
    ExpressionPtr yes = choice();
    need(":");
    return node(Expression::Choice, "?", {condition, yes, choice()});
  }
  ExpressionPtr binary(size_t level) {
    if (level == std::size(levels))
      return unary();
    ExpressionPtr left = binary(level + 1);
    for (;;) {
      StringRef found;
      for (const char *op : levels[level])
        if (op && found.empty() && take(op))
          found = op;
      if (found.empty())
        return left;
      left = node(Expression::Binary, found, {left, binary(level + 1)});
    }
  }
  ExpressionPtr unary() {
    if (take("!"))
      return node(Expression::Unary, "!", {unary()});
    if (take("(")) {
      ExpressionPtr inner = choice();
      need(")");
      return inner;
    }
    rest = rest.ltrim();
    StringRef word = rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    rest = rest.drop_front(word.size());
    int64_t value = 0;
    if (!word.getAsInteger(10, value))
      return number(value);
    if (take("("))
      return call(word);
    return name(word);
  }
  ExpressionPtr call(StringRef function) {
    std::vector<ExpressionPtr> arguments;
    do
      arguments.push_back(choice());
    while (take(","));
    need(")");
    const Callable *known = find_if(callables, [&](const Callable &each) { return each.name == function; });
    if (known == std::end(callables))
      fail("nothing is called '" + function + "'");
    if (arguments.size() < known->least || arguments.size() > known->most)
      fail("'" + function + "' does not take " + Twine(arguments.size()) + " arguments");
    return node(Expression::Call, function, std::move(arguments));
  }
  ExpressionPtr name(StringRef word) {
    for (const OperandView &op : form.operands)
      if (op.name == word && !op.isBuffer())
        return node(Expression::Name, word, {});
    if (is_contained(knownNames, word))
      return node(Expression::Name, word, {});
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
  StringRef whole, rest;
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

ExpressionPtr parseExpression(const FormView &form, const RecordKeeper &records, StringRef text) {
  return Parser(form, records, text).parse();
}

std::string cppOf(const Expression &e, std::set<std::string> &names) {
  auto part = [&](size_t i) { return cppOf(*e.parts[i], names); };
  switch (e.kind) {
  case Expression::Number:
    return "V(" + std::to_string(e.number) + ")";
  case Expression::Name:
    names.insert(e.text);
    return e.text;
  case Expression::Unary:
    return "!" + part(0);
  case Expression::Binary:
    return "(" + part(0) + " " + e.text + " " + part(1) + ")";
  case Expression::Choice:
    return "choose(" + part(0) + ", " + part(1) + ", " + part(2) + ")";
  case Expression::Call: {
    // Lanes and patterns are the reader's business, arithmetic the value's.
    std::string text = (e.text == "span" || e.text == "kept" ? "reader." : "") + e.text + "(";
    for (size_t i = 0; i < e.parts.size(); ++i)
      text += (i ? ", " : "") + part(i);
    return text + ")";
  }
  }
  return "";
}

std::string textOf(const Expression &e, bool c310) {
  auto part = [&](size_t i) { return textOf(*e.parts[i], c310); };
  auto numberOf = [](StringRef text) -> std::optional<int64_t> {
    int64_t value = 0;
    return text.getAsInteger(10, value) ? std::nullopt : std::optional(value);
  };
  switch (e.kind) {
  case Expression::Number:
    return std::to_string(e.number);
  case Expression::Name:
    return e.text == "c310" ? (c310 ? "1" : "0") : e.text;
  case Expression::Unary:
    return "!" + part(0);
  case Expression::Binary: {
    std::string left = part(0), right = part(1);
    if (auto a = numberOf(left), b = numberOf(right); a && b)
      if (std::optional<int64_t> value = apply(e.text, *a, *b))
        return std::to_string(*value);
    if (e.text == "-" && left == "0")
      return "-" + right;
    return left + " " + e.text + " " + right;
  }
  case Expression::Choice:
    if (std::optional<int64_t> condition = numberOf(part(0)))
      return part(*condition ? 1 : 2);
    return part(0) + " ? " + part(1) + " : " + part(2);
  case Expression::Call: {
    std::string text = e.text + "(";
    for (size_t i = 0; i < e.parts.size(); ++i)
      text += (i ? ", " : "") + part(i);
    return text + ")";
  }
  }
  return "";
}

} // namespace tilesmith::tblgen
