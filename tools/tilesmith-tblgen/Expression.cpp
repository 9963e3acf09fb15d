#include "Expression.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

// Operators from the loosest to the tightest; of one row the longest stand first.
constexpr StringRef levels[][4] = {
    {"||"}, {"&&"}, {"|"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};

class Parser {
public:
  Parser(StringRef text, function_ref<void(const Twine &)> fail) : rest(text), fail(fail) {}

  Expression parse() {
    Expression result = choose();
    rest = rest.ltrim();
    if (!rest.empty())
      fail("'" + rest + "' is left over");
    return result;
  }

private:
  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  Expression choose() {
    Expression condition = binary(0);
    if (!take("?"))
      return condition;
    Expression yes = choose();
    if (!take(":"))
      fail("expected ':' before '" + rest + "'");
    return {Expression::Choose, "?", {std::move(condition), std::move(yes), choose()}};
  }

  // An operator of this level that is not the beginning of a longer one.
  StringRef operatorOf(size_t level) {
    rest = rest.ltrim();
    for (StringRef each : levels[level]) {
      if (each.empty() || !rest.starts_with(each))
        continue;
      StringRef next = rest.drop_front(each.size());
      if (each.size() == 1 && StringRef("&|<>").contains(each[0]) && next.starts_with(each))
        continue;
      return each;
    }
    return "";
  }

  Expression binary(size_t level) {
    if (level == std::size(levels))
      return unary();
    Expression left = binary(level + 1);
    for (StringRef each = operatorOf(level); !each.empty(); each = operatorOf(level)) {
      rest = rest.drop_front(each.size());
      left = {Expression::Binary, each.str(), {std::move(left), binary(level + 1)}};
    }
    return left;
  }

  Expression unary() {
    for (StringRef each : {"!", "-"})
      if (take(each))
        return {Expression::Unary, each.str(), {unary()}};
    return postfix();
  }

  StringRef word() {
    rest = rest.ltrim();
    StringRef found = rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    if (found.empty())
      fail("expected a name or a number before '" + rest + "'");
    rest = rest.drop_front(found.size());
    return found;
  }

  Expression postfix() {
    if (take("(")) {
      Expression inner = choose();
      if (!take(")"))
        fail("expected ')' before '" + rest + "'");
      return inner;
    }
    StringRef first = word();
    if (isDigit(first[0]))
      return {Expression::Number, first.str(), {}};
    if (first == "true" || first == "false")
      return {Expression::Number, first == "true" ? "1" : "0", {}};
    Expression result{Expression::Name, first.str(), {}};
    while (take("::"))
      result.text += "::" + word().str();
    if (take("(")) {
      result.kind = Expression::Call;
      do
        result.of.push_back(choose());
      while (take(","));
      if (!take(")"))
        fail("expected ')' before '" + rest + "'");
      return result;
    }
    while (true) {
      if (take(".")) {
        std::string member = word().str();
        result = {Expression::Member, std::move(member), {std::move(result)}};
      } else if (take("[")) {
        Expression index = choose();
        if (!take("]"))
          fail("expected ']' before '" + rest + "'");
        result = {Expression::Index, "[]", {std::move(result), std::move(index)}};
      } else {
        return result;
      }
    }
  }

  StringRef rest;
  function_ref<void(const Twine &)> fail;
};

} // namespace

Expression parseExpression(StringRef text, function_ref<void(const Twine &)> fail) {
  return Parser(text, fail).parse();
}

json::Value toJson(const Expression &expression) {
  if (expression.kind == Expression::Number) {
    int64_t number = 0;
    StringRef(expression.text).getAsInteger(0, number);
    return number;
  }
  if (expression.kind == Expression::Name)
    return expression.text;
  json::Array of;
  for (const Expression &each : expression.of)
    of.push_back(toJson(each));
  StringRef what = expression.kind == Expression::Member ? "member"
                   : expression.kind == Expression::Call ? "call"
                                                         : "op";
  return json::Object{{what, expression.text}, {"of", std::move(of)}};
}

} // namespace tilesmith::tblgen
