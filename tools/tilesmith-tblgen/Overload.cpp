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

bool OverloadView::isStatic(const Expression &condition) const {
  bool result = true;
  condition.walk([&](const Expression &each) {
    if (each.kind == Expression::Name && !each.isEnumerator())
      result &= is_contained(types, each.text) || hasOption(each.text) || !find(each.text);
    else if (each.kind == Expression::Call)
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

const Record *OverloadView::memberOf(const Expression &member) const {
  const Expression &base = member.of[0];
  if (base.kind == Expression::Member) {
    const Record *outer = memberOf(base);
    const Record *params = outer ? record->getRecords().getDef(outer->getValueAsString("cppType")) : nullptr;
    return params ? memberNamed(params, member.text) : nullptr;
  }
  const Parameter *parameter = base.kind == Expression::Name ? find(base.text) : nullptr;
  return parameter && parameter->params ? memberNamed(parameter->params, member.text) : nullptr;
}

std::string OverloadView::elementOf(const Expression &value) const {
  std::string found;
  value.walk([&](const Expression &each) {
    if (!found.empty())
      return;
    if (each.kind == Expression::Name) {
      if (const Parameter *parameter = find(each.text); parameter && parameter->isTensor())
        found = parameter->element;
    } else if (each.kind == Expression::Member) {
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
    WayView way{form, std::nullopt, std::nullopt, std::vector<Expression>(form.operands.size())};
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
  Expression parse(StringRef text) {
    Expression result =
        parseExpression(text, [&](const Twine &why) { fail("the expression '" + text + "' is wrong: " + why); });
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
  void check(const Expression &expression) {
    expression.walk([&](const Expression &each) {
      if (each.kind == Expression::Name && !each.isEnumerator() && !view.find(each.text) &&
          !is_contained(view.types, each.text) && !view.hasOption(each.text) &&
          !is_contained({"i", "asSet"}, each.text) && !isElementType(each.text) && !isRegister(each.text))
        fail("it has no parameter '" + each.text + "'");
      if (each.kind == Expression::Member && each.of[0].kind == Expression::Name && !view.hasOption(each.of[0].text) &&
          !view.memberOf(each))
        fail("'" + each.of[0].text + "' has no member '" + each.text + "'");
      if (each.kind == Expression::Call && !is_contained(view.types, each.text) &&
          !is_contained(
              {"memory", "bytes", "elements", "min", "sizeof", "lanes", "same", "register", "from", "to", "scales"},
              each.text))
        fail("there is no function '" + each.text + "' in expressions");
    });
  }
  bool isElementType(StringRef name) {
    return any_of(records.getDef("DType")->getValueAsListOfDefs("cases"),
                  [&](const Record *c) { return c->getValueAsString("ascendName") == name; });
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
    StringMap<Expression> given;
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
  Expression valueOf(const OperandView &op, StringMap<Expression> &given) {
    if (auto it = given.find(op.name); it != given.end()) {
      Expression value = std::move(it->second);
      given.erase(it);
      return value;
    }
    if (view.find(op.name))
      return {Expression::Name, op.name.str(), {}};
    for (const Parameter &parameter : view.parameters)
      if (parameter.params && memberNamed(parameter.params, op.name))
        return {Expression::Member, op.name.str(), {{Expression::Name, parameter.name, {}}}};
    fail("operand '" + op.name + "' has no value");
  }

  Expression operandParameter(const FormView &form, const OperandView &op) {
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
    return {Expression::Name, result.name, {}};
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
      Expression field{Expression::Member, memberName, {{Expression::Name, name, {}}}};
      if (value.operand >= 0)
        way.operands[value.operand] = field;
      else if (!StringRef(result.type).ends_with("RepeatParams")) // what the instruction fixes may not be asked for
        view.musts.push_back(
            {{Expression::Binary, "==", {field, parse(value.text)}},
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
