#include "Overload.h"
#include "Call.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace tilesmith::tblgen {

const Parameter *OverloadView::find(StringRef parameter) const {
  for (const Parameter &each : parameters)
    if (each.name == parameter)
      return &each;
  return nullptr;
}

bool OverloadView::hasOption(StringRef option) const {
  return any_of(options, [&](const Option &each) { return each.name == option; });
}

bool OverloadView::isStatic(const CallExpression &condition) const {
  bool result = true;
  condition.walk([&](const CallExpression &each) {
    if (each.kind == CallExpression::Name && !each.isEnumerator())
      result &= is_contained(types, each.text) || hasOption(each.text) || !find(each.text);
    else if (each.kind == CallExpression::Call)
      result &= each.text != "register";
  });
  return result;
}

static const Record *memberNamed(const Record *params, StringRef name) {
  for (StringRef list : {"members", "others"})
    for (const Record *member : params->getValueAsListOfDefs(list))
      if (member->getValueAsString("memberName") == name)
        return member;
  return nullptr;
}

const Record *OverloadView::memberOf(const CallExpression &member) const {
  const CallExpression &base = member.of[0];
  if (base.kind == CallExpression::Member) {
    const Record *outer = memberOf(base);
    const Record *params = outer ? record->getRecords().getDef(outer->getValueAsString("cppType")) : nullptr;
    return params ? memberNamed(params, member.text) : nullptr;
  }
  const Parameter *parameter = base.kind == CallExpression::Name ? find(base.text) : nullptr;
  return parameter && parameter->params ? memberNamed(parameter->params, member.text) : nullptr;
}

std::string OverloadView::elementOf(const CallExpression &value) const {
  std::string found;
  value.walk([&](const CallExpression &each) {
    if (!found.empty())
      return;
    if (each.kind == CallExpression::Name) {
      if (const Parameter *parameter = find(each.text); parameter && parameter->isTensor())
        found = parameter->element;
    } else if (each.kind == CallExpression::Member) {
      if (const Record *member = memberOf(each); member && member->getValueAsString("cppType").contains("Tensor<"))
        found = "T";
    }
  });
  return found;
}

namespace {

class Reader {
public:
  Reader(const RecordKeeper &records, ArrayRef<FormView> forms) : records(records), forms(forms) {}

  OverloadView read(const Record *from) {
    view = {};
    view.record = from;
    view.name = from->getValueAsString("publicName").str();
    view.summary = from->getValueAsString("summary").str();
    view.otherwise = from->getValueAsString("otherwise").str();
    for (StringRef rest = from->getValueAsString("signature"); !rest.trim().empty();)
      parameter(takeItem(rest).trim());
    bool masked = any_of(view.parameters, [](const Parameter &each) { return each.isMask(); }) ||
                  any_of(from->getValueAsListOfDefs("ways"), [](const Record *way) {
                    const Record *to = way->getValueAsDef("to");
                    return way->getValueAsString("form") == "Count" && !to->getValueAsBit("keepsMask");
                  });
    templates(from->getValueAsString("options"), masked);
    if (StringRef where = from->getValueAsString("where"); !where.empty())
      view.where = parse(where);
    for (const Record *must : from->getValueAsListOfDefs("musts"))
      view.musts.push_back({parse(must->getValueAsString("condition")), must->getValueAsString("finding").str()});
    for (const Record *way : from->getValueAsListOfDefs("ways"))
      view.ways.push_back(readWay(way));
    return std::move(view);
  }

  // The call of an instruction form: its operands are its arguments.
  OverloadView read(const FormView &form, const CallView &call) {
    view = {};
    view.record = form.record;
    view.name = form.field("ascendName").str();
    view.summary = form.field("summary").str();
    WayView way{form, std::nullopt, std::nullopt, std::vector<CallExpression>(form.operands.size())};
    unsigned numParams = 0;
    for (const CallArgument &argument : call.arguments)
      if (argument.params)
        paramsOf(form, argument, "params" + std::to_string(numParams++), way);
      else
        way.operands[argument.operand] = operandParameter(form, form.operands[argument.operand]);
    templates("", form.field("pipe") == "V");
    view.ways.push_back(std::move(way));
    return std::move(view);
  }

private:
  [[noreturn]] void fail(const Twine &why) {
    PrintFatalError(view.record, "the call of " + view.name + " is wrong: " + why);
  }
  CallExpression parse(StringRef text) {
    CallExpression result = parseCallExpression(text, [&](const Twine &why) { fail(why); });
    check(result);
    return result;
  }

  // Up to the next comma outside of brackets.
  static StringRef takeItem(StringRef &rest) {
    int depth = 0;
    for (size_t i = 0; i < rest.size(); ++i) {
      depth += StringRef("<({").contains(rest[i]) - StringRef(">)}").contains(rest[i]);
      if (rest[i] == ',' && depth == 0) {
        StringRef item = rest.take_front(i);
        rest = rest.drop_front(i + 1);
        return item;
      }
    }
    return std::exchange(rest, "");
  }

  // "LocalTensor<T> dst", "SELMODE mode = SELMODE::VSEL_CMPMASK_SPR"
  void parameter(StringRef text) {
    Parameter result;
    auto [head, value] = text.split('=');
    result.defaultValue = value.trim().str();
    auto [type, name] = head.trim().rsplit(' ');
    result.name = name.trim().str();
    result.type = type.trim().str();
    if (auto [base, element] = type.trim().split('<'); !element.empty()) {
      result.type = base.str();
      result.element = element.rtrim('>').str();
    }
    if (const Record *params = records.getDef(result.type); params && params->isSubClassOf("Params"))
      result.params = params;
    if (result.name.empty() || result.type.empty())
      fail("expected a type and a name in '" + text + "'");
    view.parameters.push_back(std::move(result));
  }

  void templates(StringRef options, bool masked) {
    for (StringRef type : {"T", "U", "V", "B"})
      if (any_of(view.parameters, [&](const Parameter &each) { return each.element == type || each.type == type; }))
        view.types.push_back(type.str());
    view.setsMask = masked;
    while (!options.trim().empty()) {
      auto [head, value] = takeItem(options).split('=');
      size_t end = head.trim().find_last_of(" &");
      view.options.push_back(
          {head.trim().take_front(end + 1).trim().str(), head.trim().drop_front(end + 1).str(), value.trim().str()});
    }
  }

  // Every name is one of the call's, every member one of its struct's.
  void check(const CallExpression &expression) {
    expression.walk([&](const CallExpression &each) {
      if (each.kind == CallExpression::Name && !each.isEnumerator() && !view.find(each.text) &&
          !is_contained(view.types, each.text) && !view.hasOption(each.text) &&
          !is_contained({"i", "asSet", "half", "int32_t"}, each.text) && !isRegister(each.text))
        fail("it has no parameter '" + each.text + "'");
      if (each.kind == CallExpression::Member && each.of[0].kind == CallExpression::Name &&
          !view.hasOption(each.of[0].text) && !view.memberOf(each))
        fail("'" + each.of[0].text + "' has no member '" + each.text + "'");
      if (each.kind == CallExpression::Call && !is_contained(view.types, each.text) &&
          !is_contained({"memory", "bytes", "elements", "min", "sizeof", "lanes", "same", "register", "from", "to"},
                        each.text))
        fail("there is no function '" + each.text + "' in expressions");
    });
  }
  bool isRegister(StringRef name) {
    return any_of(records.getDef("Register")->getValueAsListOfDefs("cases"),
                  [&](const Record *c) { return c->getValueAsString("caseName") == name; });
  }

  WayView readWay(const Record *way) {
    const Record *to = way->getValueAsDef("to");
    StringRef formName = way->getValueAsString("form");
    auto found = find_if(forms, [&](const FormView &each) { return each.record == to && each.form == formName; });
    if (found == forms.end())
      fail(to->getName() + " has no form " + formName);
    WayView result{*found, std::nullopt, std::nullopt, {}};
    if (StringRef text = way->getValueAsString("when"); !text.empty())
      result.when = parse(text);
    if (StringRef text = way->getValueAsString("times"); !text.empty())
      result.times = parse(text);
    StringMap<CallExpression> given;
    for (StringRef value : way->getValueAsListOfStrings("values")) {
      auto [name, text] = value.split('=');
      if (!given.try_emplace(name.trim(), parse(text)).second)
        fail("operand '" + name.trim() + "' has two values");
    }
    for (const OperandView &op : result.form.operands)
      result.operands.push_back(valueOf(op, given));
    if (!given.empty())
      fail(to->getName() + " has no operand '" + given.begin()->first() + "'");
    return result;
  }

  // What is given; else the parameter of that name; else the member of that name.
  CallExpression valueOf(const OperandView &op, StringMap<CallExpression> &given) {
    if (auto it = given.find(op.name); it != given.end()) {
      CallExpression value = std::move(it->second);
      given.erase(it);
      return value;
    }
    if (view.find(op.name))
      return {CallExpression::Name, op.name.str(), {}};
    for (const Parameter &parameter : view.parameters)
      if (parameter.params && memberNamed(parameter.params, op.name))
        return {CallExpression::Member, op.name.str(), {{CallExpression::Name, parameter.name, {}}}};
    fail("operand '" + op.name + "' has no value");
  }

  CallExpression operandParameter(const FormView &form, const OperandView &op) {
    Parameter result;
    result.name = op.name.str();
    if (op.isBuffer()) {
      result.type = op.memories.size() == 1 && op.memories[0] == "GM" ? "GlobalTensor" : "LocalTensor";
      result.element = !op.element.empty() || (form.hasDtype2() && op.access == "Read") ? "U" : "T";
    } else if (op.isScalar()) {
      result.type = "T";
    } else if (op.isAttribute()) {
      StringRef name = records.getDef(op.enumeration)->getValueAsString("cppName");
      result.type = name.substr(name.rfind(':') + 1).str();
    } else if (form.maskOperand() >= 0 && op.name == form.operands[form.maskOperand()].name) {
      result.type = "Mask";
    } else {
      result.type = "int64_t";
      result.defaultValue = op.name == "calIndex" ? "0" : "";
    }
    view.parameters.push_back(result);
    return {CallExpression::Name, result.name, {}};
  }

  void paramsOf(const FormView &form, const CallArgument &argument, const std::string &name, WayView &way) {
    Parameter result;
    result.type = argument.params->getName().str();
    result.name = name;
    result.params = argument.params;
    auto members = argument.params->getValueAsListOfDefs("members");
    if (any_of(members, [](const Record *member) { return member->getValueAsString("cppType") == "T"; }))
      result.element = "T";
    view.parameters.push_back(result);
    for (const auto &[value, member] : zip_equal(argument.members, members)) {
      std::string memberName = member->getValueAsString("memberName").str();
      CallExpression field{CallExpression::Member, memberName, {{CallExpression::Name, name, {}}}};
      if (value.operand >= 0)
        way.operands[value.operand] = field;
      else if (!StringRef(result.type).ends_with("RepeatParams")) // what the instruction fixes may not be asked for
        view.musts.push_back(
            {{CallExpression::Binary, "==", {field, parse(value.text)}},
             view.name + " with " + result.type + "::" + memberName + " other than " + value.text.str()});
    }
  }

  const RecordKeeper &records;
  ArrayRef<FormView> forms;
  OverloadView view;
};

} // namespace

std::vector<OverloadView> collectOverloads(const RecordKeeper &records) {
  std::vector<OverloadView> overloads;
  std::vector<FormView> forms = collectForms(records);
  for (const FormView &form : forms)
    if (auto call = readCall(form, records)) {
      // A call with fixed arguments is one of several under its name; an Overload chooses between them.
      if (!form.record->getValueAsBit("inOverload") && none_of(call->arguments, [](const CallArgument &argument) {
            return argument.operand < 0 && !argument.params;
          }))
        overloads.push_back(Reader(records, forms).read(form, *call));
    }
  for (const Record *record : collect(records, "Overload"))
    overloads.push_back(Reader(records, forms).read(record));
  return overloads;
}

} // namespace tilesmith::tblgen
