// The table as JSON, for what is not C++: tools/isa.py writes the pages of docs/isa and the Python declarations from
// it.
#include "Call.h"
#include "Emitters.h"
#include "LayoutExpression.h"
#include "Overload.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

json::Array strings(ArrayRef<StringRef> list) {
  json::Array result;
  for (StringRef each : list)
    result.push_back(each);
  return result;
}

json::Object argumentOf(const CallArgument &argument, const FormView &form) {
  if (argument.params) {
    json::Array members;
    for (const CallArgument &member : argument.members)
      members.push_back(argumentOf(member, form));
    return json::Object{{"params", argument.params->getName()}, {"members", std::move(members)}};
  }
  if (argument.operand >= 0)
    return json::Object{{"operand", form.operands[argument.operand].name}};
  return json::Object{{"text", argument.text}};
}

// What an integer may be, for each architecture; empty: anything.
json::Object limitsOf(const OperandView &op, const FormView &form, const RecordKeeper &records) {
  json::Object result;
  if (op.high.empty())
    return result;
  auto text = [&](StringRef expression, StringRef arch) {
    return textOf(*parseLayoutExpression(form, records, expression), /*c310=*/arch == "C310");
  };
  for (const Record *each : records.getDef("Arch")->getValueAsListOfDefs("cases")) {
    StringRef arch = each->getValueAsString("caseName");
    result[arch] = json::Object{{"low", text(op.low, arch)},
                                {"high", text(op.high, arch)},
                                {"multiple", op.multiple.empty() ? "" : text(op.multiple, arch)}};
  }
  return result;
}

// Where the bytes of buffers lie, as the record says it.
json::Array layoutOf(const FormView &form) {
  json::Array result;
  for (const Record *lies : layoutsOf(form))
    result.push_back(json::Object{{"operand", lies->getValueAsString("operand")},
                                  {"shape", lies->getValueAsString("shape")},
                                  {"when", lies->getValueAsString("when")},
                                  {"access", lies->getValueAsString("access")}});
  return result;
}

json::Object formOf(const FormView &form, const RecordKeeper &records) {
  json::Array operands;
  for (const OperandView &op : form.operands)
    operands.push_back(json::Object{{"name", op.name},
                                    {"python", op.python},
                                    {"kind", op.kind},
                                    {"access", op.access},
                                    {"memories", strings(op.memories)},
                                    {"enumeration", op.enumeration},
                                    {"element", op.element},
                                    {"register", op.fromRegister},
                                    {"alignment", op.alignment},
                                    {"limits", limitsOf(op, form, records)}});
  json::Object result{
      {"form", form.form}, {"mnemonic", form.mnemonic}, {"operands", std::move(operands)}, {"layout", layoutOf(form)}};
  if (auto call = readCall(form, records)) {
    json::Array templates, arguments;
    for (const CallArgument &argument : call->templateArguments)
      templates.push_back(argumentOf(argument, form));
    for (const CallArgument &argument : call->arguments)
      arguments.push_back(argumentOf(argument, form));
    result["template"] = std::move(templates);
    result["call"] = std::move(arguments);
  }
  return result;
}

json::Object instructionOf(const Record *record) {
  json::Object result;
  for (StringRef field : {"mnemonic", "ascendName", "pythonName", "summary", "family", "pipe", "cost", "dtypeOf",
                          "dtype2Of", "element", "example"})
    result[field] = record->getValueAsString(field);
  result["inRegisters"] = record->getValueAsBit("inRegisters");
  result["hasResult"] = record->getValueAsBit("hasResult");
  result["pythonForms"] = strings(record->getValueAsListOfStrings("pythonForms"));
  json::Object dtypes;
  for (const Record *on : record->getValueAsListOfDefs("dtypes"))
    dtypes[on->getValueAsString("arch")] = strings(on->getValueAsListOfStrings("dtypes"));
  result["dtypes"] = std::move(dtypes);
  return result;
}

json::Object enumerationOf(const Record *record) {
  json::Array cases;
  for (const Record *c : record->getValueAsListOfDefs("cases"))
    cases.push_back(json::Object{{"name", c->getValueAsString("caseName")},
                                 {"cpp", c->getValueAsString("cppName")},
                                 {"python", c->getValueAsInt("pythonValue")}});
  return json::Object{{"name", record->getName()},
                      {"summary", record->getValueAsString("summary")},
                      {"cpp", record->getValueAsString("cppName")},
                      {"python", record->getValueAsString("pythonName")},
                      {"cases", std::move(cases)}};
}

json::Object paramsOf(const Record *record) {
  auto membersOf = [&](StringRef field) {
    json::Array members;
    for (const Record *member : record->getValueAsListOfDefs(field))
      members.push_back(json::Object{{"name", member->getValueAsString("memberName")},
                                     {"type", member->getValueAsString("cppType")},
                                     {"wide", member->getValueAsString("wideType")},
                                     {"default", member->getValueAsString("defaultValue")}});
    return members;
  };
  return json::Object{{"name", record->getName()},
                      {"summary", record->getValueAsString("summary")},
                      {"python", record->getValueAsString("pythonName")},
                      {"order", strings(record->getValueAsListOfStrings("pythonOrder"))},
                      {"members", membersOf("members")},
                      {"others", membersOf("others")}};
}

json::Object overloadOf(const OverloadView &view) {
  json::Array types, options, parameters, musts, ways;
  for (const std::string &type : view.types)
    types.push_back(type);
  for (const Option &each : view.options)
    options.push_back(json::Object{{"type", each.type}, {"name", each.name}, {"default", each.defaultValue}});
  for (const Parameter &each : view.parameters)
    parameters.push_back(json::Object{
        {"type", each.type}, {"element", each.element}, {"name", each.name}, {"default", each.defaultValue}});
  for (const MustView &must : view.musts)
    musts.push_back(json::Object{
        {"condition", toJson(must.condition)}, {"static", view.isStatic(must.condition)}, {"finding", must.finding}});
  for (const WayView &way : view.ways) {
    json::Object operands;
    for (const auto &[op, value] : zip_equal(way.form.operands, way.operands))
      operands[op.name] = toJson(value);
    json::Object entry{{"instruction", way.form.mnemonic}, {"operands", std::move(operands)}};
    if (way.when)
      entry["when"] = toJson(*way.when);
    if (way.times)
      entry["times"] = toJson(*way.times);
    ways.push_back(std::move(entry));
  }
  bool own = view.record->isSubClassOf("Instruction"); // the call an instruction's record gives itself
  json::Object result{{"name", view.name},
                      {"own", own},
                      {"summary", own ? "" : view.summary},
                      {"types", std::move(types)},
                      {"setsMask", view.setsMask},
                      {"options", std::move(options)},
                      {"parameters", std::move(parameters)},
                      {"musts", std::move(musts)},
                      {"ways", std::move(ways)},
                      {"otherwise", view.otherwise}};
  if (view.where)
    result["where"] = toJson(*view.where);
  return result;
}

json::Object serviceOf(const Record *record) {
  json::Array parameters;
  for (const Record *value : record->getValueAsListOfDefs("parameters"))
    parameters.push_back(
        json::Object{{"name", value->getValueAsString("name")}, {"type", value->getValueAsString("cType")}});
  return json::Object{{"mnemonic", record->getValueAsString("mnemonic")},
                      {"object", record->getValueAsString("object")},
                      {"summary", record->getValueAsString("summary")},
                      {"result", record->getValueAsString("result")},
                      {"place", record->getValueAsBit("hasPlace")},
                      {"core", record->getValueAsBit("hasCore")},
                      {"parameters", std::move(parameters)}};
}

} // namespace

void emitJson(const RecordKeeper &records, raw_ostream &os) {
  json::Array enums, params, services, overloads, instructions;
  for (const Record *e : collectEnums(records))
    enums.push_back(enumerationOf(e));
  for (const Record *p : collectParams(records))
    params.push_back(paramsOf(p));
  for (const Record *service : collect(records, "Service"))
    services.push_back(serviceOf(service));
  for (const OverloadView &view : collectOverloads(records))
    overloads.push_back(overloadOf(view));
  // One entry for each record, with its forms in it.
  std::vector<FormView> forms = collectForms(records);
  for (size_t i = 0; i < forms.size();) {
    json::Object entry = instructionOf(forms[i].record);
    json::Array list;
    for (const Record *record = forms[i].record; i < forms.size() && forms[i].record == record; ++i)
      list.push_back(formOf(forms[i], records));
    entry["forms"] = std::move(list);
    instructions.push_back(std::move(entry));
  }
  json::Object table{{"enums", std::move(enums)},
                     {"params", std::move(params)},
                     {"services", std::move(services)},
                     {"overloads", std::move(overloads)},
                     {"instructions", std::move(instructions)},
                     {"dtypes", dtypesAsJson(records)},
                     {"chip", chipOf(records)}};
  os << formatv("{0:1}\n", json::Value(std::move(table)));
}

} // namespace tilesmith::tblgen
