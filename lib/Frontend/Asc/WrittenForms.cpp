// Calls of functions of the table in a kernel that is written: `AscendC::Add(z, x, y, 64)`.
#include "Bound.h"
#include "Records.h"
#include "Written.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::frontend::asc {

// Arguments of the template: all of its types where one has to be named, whether the mask is set, options.
bool Bound::writeOptions(Text &text) {
  llvm::SmallVector<std::string> options, skipped;
  for (auto [parameter, argument] : llvm::zip_equal(form.parameters, arguments)) {
    if (!parameter.isOption)
      continue;
    if (!argument) { // named only where one behind it is
      skipped.push_back(parameter.defaultValue);
      continue;
    }
    options.append(skipped.begin(), skipped.end());
    skipped.clear();
    if (parameter.type == "typename") {
      options.push_back(cppName(typeOf(parameter.name)).str());
      continue;
    }
    if (llvm::StringRef(parameter.type).contains("FixpipeConfig")) {
      Value layout = Value::ofHost(core.host.getAttr(argument.value.host, "layout"));
      std::optional<int64_t> number = layout ? core.expectKnown({layout, range}, "layout") : std::nullopt;
      if (!number)
        return false;
      options.push_back(*number ? "AscendC::CFG_ROW_MAJOR" : "AscendC::CFG_NZ");
      continue;
    }
    std::optional<int64_t> number = core.expectKnown(argument, parameter.python);
    if (!number)
      return false;
    if (parameter.type == "bool")
      options.push_back(*number ? "true" : "false");
    else if (parameter.type == "HardEvent")
      options.push_back(eventName(core, *number, range));
    else
      options.push_back(enumeratorName(parameter.type, *number));
    if (options.back().empty())
      return false;
  }
  std::optional<bool> sets =
      isSetMask ? core.l.expect.boolean(isSetMask, true, "is_set_mask") : std::optional<bool>(true);
  if (!sets)
    return false;
  if (*sets && options.empty())
    return true;
  llvm::SmallVector<std::string> all;
  for (const std::string &type : form.types)
    all.push_back(cppName(typeOf(type)).str());
  if (form.setsMask)
    all.push_back(*sets ? "true" : "false");
  llvm::append_range(all, options);
  if (!all.empty())
    text << "<" << llvm::join(all, ", ") << ">";
  return true;
}

bool writeMask(Core &core, Text &text, const Argument &mask, const Range &range) {
  if (core.values.isInteger(mask.value)) {
    Number lanes = core.numbers.of(mask.value, "mask", mask.range);
    if (!lanes)
      return false;
    if (lanes.known && *lanes.known == 0)
      text << "uint64_t(0)"; // 0 is a pointer, too
    else
      text.number(lanes, "uint64_t");
    return true;
  }
  std::optional<std::pair<Number, Number>> words = maskWords(core, mask);
  if (!words)
    return false;
  Text array(core, range);
  array << "const uint64_t $r[2] = {";
  auto write = [&](const Number &word) {
    if (word.known)
      array << "0x" << llvm::utohexstr(uint64_t(*word.known), /*LowerCase=*/true) << "ull";
    else
      array.number(word, "uint64_t");
  };
  write(words->first);
  array << ", ";
  write(words->second);
  array << "}";
  text.value(array.declare(""));
  return true;
}

bool Bound::writeArgument(Text &text, const Form::Parameter &parameter, const Argument &argument) {
  Value value = core.values.read(argument.value);
  if (parameter.isTensor()) {
    text.variable(value);
    return true;
  }
  if (parameter.isMask())
    return writeMask(core, text, argument, range);
  if (parameter.isTyped()) {
    text.scalar(value, typeOf(parameter.type) == DType::Void ? DType::F32 : typeOf(parameter.type));
    return !text.failed;
  }
  if (findStruct(parameter.type)) {
    std::string type = "AscendC::" + parameter.type;
    DType element = typeOf(parameter.element);
    if (parameter.element == "layout")
      type += "<>";
    else if (!parameter.element.empty())
      type += ("<" + cppName(element) + ">").str();
    return writeRecord(core, text, value, type, element, range);
  }
  Number number = core.numbers.of(value, parameter.python, argument.range);
  if (!number)
    return false;
  bool isNumber =
      llvm::StringRef(parameter.type).ends_with("_t") && parameter.type != "pipe_t" && parameter.type != "QuantMode_t";
  if (number.known && !isNumber && parameter.type != "bool")
    text << enumeratorName(parameter.type, *number.known);
  else
    text.number(number, parameter.type);
  return true;
}

bool Bound::write() {
  Text text(core, range);
  text << "AscendC::" << form.cpp;
  if (!writeOptions(text))
    return false;
  text << "(";
  size_t last = 0; // behind it nothing was given
  for (size_t i = 0; i < arguments.size(); ++i)
    if ((arguments[i] || form.parameters[i].isWritten) && !form.parameters[i].isOption)
      last = i + 1;
  bool isFirst = true;
  for (size_t i = 0; i < last; ++i) {
    const Form::Parameter &parameter = form.parameters[i];
    if (parameter.isOption)
      continue;
    text << (isFirst ? "" : ", ");
    isFirst = false;
    if (!arguments[i])
      text << (findEnumerator(parameter.defaultValue) ? "AscendC::" : "") << parameter.defaultValue;
    else if (!writeArgument(text, parameter, arguments[i]))
      return false;
  }
  text << ")";
  text.statement();
  return true;
}

} // namespace tilesmith::frontend::asc
