#include "CallExpression.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

// Operators from the loosest to the tightest; of one row the longest stand first.
constexpr StringRef levels[][4] = {
    {"||"}, {"&&"}, {"|"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};

class Parser {
public:
  Parser(StringRef text, function_ref<void(const Twine &)> fail) : whole(text), rest(text), fail(fail) {}

  CallExpression parse() {
    CallExpression result = choose();
    rest = rest.ltrim();
    if (!rest.empty())
      wrong("'" + rest + "' is left over");
    return result;
  }

private:
  void wrong(const Twine &why) { fail("the expression '" + whole + "' is wrong: " + why); }

  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  CallExpression choose() {
    CallExpression condition = binary(0);
    if (!take("?"))
      return condition;
    CallExpression yes = choose();
    if (!take(":"))
      wrong("expected ':' before '" + rest + "'");
    return {CallExpression::Choose, "?", {std::move(condition), std::move(yes), choose()}};
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

  CallExpression binary(size_t level) {
    if (level == std::size(levels))
      return unary();
    CallExpression left = binary(level + 1);
    for (StringRef each = operatorOf(level); !each.empty(); each = operatorOf(level)) {
      rest = rest.drop_front(each.size());
      left = {CallExpression::Binary, each.str(), {std::move(left), binary(level + 1)}};
    }
    return left;
  }

  CallExpression unary() {
    for (StringRef each : {"!", "-"})
      if (take(each))
        return {CallExpression::Unary, each.str(), {unary()}};
    return postfix();
  }

  StringRef word() {
    rest = rest.ltrim();
    StringRef found = rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    if (found.empty())
      wrong("expected a name or a number before '" + rest + "'");
    rest = rest.drop_front(found.size());
    return found;
  }

  CallExpression postfix() {
    if (take("(")) {
      CallExpression inner = choose();
      if (!take(")"))
        wrong("expected ')' before '" + rest + "'");
      return inner;
    }
    StringRef first = word();
    if (isDigit(first[0]))
      return {CallExpression::Number, first.str(), {}};
    if (first == "true" || first == "false")
      return {CallExpression::Number, first == "true" ? "1" : "0", {}};
    CallExpression result{CallExpression::Name, first.str(), {}};
    while (take("::"))
      result.text += "::" + word().str();
    if (take("(")) {
      result.kind = CallExpression::Call;
      do
        result.of.push_back(choose());
      while (take(","));
      if (!take(")"))
        wrong("expected ')' before '" + rest + "'");
      return result;
    }
    while (true) {
      if (take(".")) {
        std::string member = word().str();
        result = {CallExpression::Member, std::move(member), {std::move(result)}};
      } else if (take("[")) {
        CallExpression index = choose();
        if (!take("]"))
          wrong("expected ']' before '" + rest + "'");
        result = {CallExpression::Index, "[]", {std::move(result), std::move(index)}};
      } else {
        return result;
      }
    }
  }

  StringRef whole, rest;
  function_ref<void(const Twine &)> fail;
};

} // namespace

CallExpression parseCallExpression(StringRef text, function_ref<void(const Twine &)> fail) {
  return Parser(text, fail).parse();
}

json::Value toJson(const CallExpression &expression) {
  if (expression.kind == CallExpression::Number) {
    int64_t number = 0;
    StringRef(expression.text).getAsInteger(0, number);
    return number;
  }
  if (expression.kind == CallExpression::Name)
    return expression.text;
  json::Array of;
  for (const CallExpression &each : expression.of)
    of.push_back(toJson(each));
  StringRef what = expression.kind == CallExpression::Member ? "member"
                   : expression.kind == CallExpression::Call ? "call"
                                                             : "op";
  return json::Object{{what, expression.text}, {"of", std::move(of)}};
}

} // namespace tilesmith::tblgen
