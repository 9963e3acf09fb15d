#include "Call.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

class CallReader {
public:
  CallReader(const FormView &form, const RecordKeeper &records, StringRef text)
      : form(form), records(records), rest(text), used(form.operands.size()) {}

  CallView read() {
    CallView call;
    if (take("<"))
      call.templateArguments = list(">");
    // Types are named, not passed: only arguments count as uses.
    used.assign(form.operands.size(), 0);
    call.arguments = list("");
    for (size_t i = 0; i < used.size(); ++i)
      if (used[i] != 1)
        fail("operand '" + form.operands[i].name + "' appears " + Twine(used[i]) + " times, not once");
    return call;
  }

private:
  [[noreturn]] void fail(const Twine &why) {
    PrintFatalError(form.record, "the Ascend C call of the form " + form.form + " is wrong: " + why);
  }
  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  std::vector<CallArgument> list(StringRef end) {
    std::vector<CallArgument> items;
    do
      items.push_back(argument());
    while (take(","));
    rest = rest.ltrim();
    if (end.empty() ? !rest.empty() : !rest.consume_front(end))
      fail("expected '" + (end.empty() ? StringRef("the end") : end) + "' before '" + rest + "'");
    return items;
  }
  CallArgument argument() {
    CallArgument result;
    if (take("'")) {
      std::tie(result.text, rest) = rest.split('\'');
      return result;
    }
    rest = rest.ltrim();
    StringRef word = rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    if (word.empty())
      fail("expected a name before '" + rest + "'");
    rest = rest.drop_front(word.size());
    if (take("{")) {
      result.params = records.getDef(word);
      if (!result.params || !result.params->isSubClassOf("Params"))
        fail("no parameter struct named '" + word + "'");
      result.members = list("}");
      if (result.members.size() != result.params->getValueAsListOfDefs("members").size())
        fail("'" + word + "' has " + Twine(result.params->getValueAsListOfDefs("members").size()) + " members, not " +
             Twine(result.members.size()));
      return result;
    }
    result.operand = form.operandIndex(word);
    ++used[result.operand];
    return result;
  }

  const FormView &form;
  const RecordKeeper &records;
  StringRef rest;
  std::vector<int> used;
};

} // namespace

std::optional<CallView> readCall(const FormView &form, const RecordKeeper &records) {
  StringRef text = form.field(form.form == "Repeat" ? "repeatCall" : "countCall");
  if (text.empty())
    return std::nullopt;
  return CallReader(form, records, text).read();
}

} // namespace tilesmith::tblgen
