#include "Forms.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tilesmith::frontend::asc {

const Form::Parameter *Form::find(llvm::StringRef name) const {
  for (const Parameter &parameter : parameters)
    if (parameter.name == name)
      return &parameter;
  return nullptr;
}

std::string Form::signature() const {
  std::vector<std::string> words;
  for (const Parameter &parameter : parameters)
    words.push_back(parameter.python + (parameter.defaultValue.empty() ? "" : "=..."));
  if (setsMask)
    words.push_back("is_set_mask=True");
  return "(" + llvm::join(words, ", ") + ")";
}

static Form parseForm(const llvm::json::Object &object) {
  Form form;
  auto text = [](const llvm::json::Object &of, llvm::StringRef key) { return of.getString(key).value_or("").str(); };
  form.cpp = text(object, "cpp");
  form.otherwise = text(object, "otherwise");
  form.setsMask = object.getBoolean("setsMask").value_or(false);
  form.where = object.get("where");
  for (const llvm::json::Value &each : *object.getArray("types"))
    form.types.push_back(each.getAsString()->str());
  for (const llvm::json::Value &each : *object.getArray("params")) {
    const llvm::json::Object &parameter = *each.getAsObject();
    form.parameters.push_back({text(parameter, "name"), text(parameter, "type"), text(parameter, "element"),
                               text(parameter, "default"), text(parameter, "python"),
                               parameter.getBoolean("option").value_or(false),
                               parameter.getBoolean("written").value_or(false)});
  }
  for (const llvm::json::Value &each : *object.getArray("ways")) {
    const llvm::json::Object &way = *each.getAsObject();
    form.ways.push_back(
        {isa::findInstruction(text(way, "op")), way.getArray("args"), way.get("when"), way.get("times")});
  }
  if (const llvm::json::Array *musts = object.getArray("musts"))
    for (const llvm::json::Value &each : *musts)
      form.musts.push_back({each.getAsObject()->get("that"), text(*each.getAsObject(), "text")});
  return form;
}

// Parsed when it is first called: a kernel uses a few of them.
const Function *findFunction(llvm::StringRef name) {
  static const auto *texts = [] {
    auto *map = new llvm::StringMap<llvm::StringRef>;
#define TILESMITH_ASC_FUNCTION(name, forms) (*map)[name] = forms;
#include "tilesmith/Frontend/AscCalls.inc"
    return map;
  }();
  static auto *parsed = new llvm::StringMap<std::unique_ptr<Function>>;
  auto it = texts->find(name);
  if (it == texts->end())
    return nullptr;
  std::unique_ptr<Function> &function = (*parsed)[name];
  if (!function) {
    function = std::make_unique<Function>(Function{llvm::cantFail(llvm::json::parse(it->second)), {}});
    for (const llvm::json::Value &each : *function->json.getAsArray())
      function->forms.push_back(parseForm(*each.getAsObject()));
  }
  return function.get();
}

// The Machine numbers pipes one after another; Ascend C and Python leave room for those of other chips.
static int64_t machineNumber(llvm::StringRef enumeration, llvm::StringRef name, int64_t number) {
  if (enumeration == "Pipe")
    return int64_t(*isa::symbolize<isa::Pipe>(std::string_view(name)));
  return number;
}

std::optional<int64_t> pipeOf(int64_t number) {
#define TILESMITH_ASC_ENUMERATOR(machine, cpp, machineCase, cppCase, value)                                            \
  if (llvm::StringRef(machine) == "Pipe" && value == number)                                                           \
    return machineNumber(machine, machineCase, value);
#include "tilesmith/Frontend/AscCalls.inc"
  return std::nullopt;
}

std::optional<int64_t> findEnumerator(llvm::StringRef name) {
  static const auto *table = [] {
    auto *map = new llvm::StringMap<int64_t>;
#define TILESMITH_ASC_ENUMERATOR(machine, cpp, machineCase, cppCase, value)                                            \
  (*map)[machine "::" machineCase] = machineNumber(machine, machineCase, value);                                       \
  (*map)[cpp "::" cppCase] = machineNumber(machine, machineCase, value);
#include "tilesmith/Frontend/AscCalls.inc"
    // Those of Ascend C alone.
    (*map)["BlockMode::BLOCK_MODE_NORMAL"] = 0;
    (*map)["DeqScale::DEQ_NONE"] = 0;
    (*map)["CO2Layout::NZ"] = 0;
    (*map)["CO2Layout::ROW_MAJOR"] = 1;
    (*map)["CO2Layout::COLUMN_MAJOR"] = 2;
    (*map)["CFG_NZ"] = 0;
    (*map)["CFG_ROW_MAJOR"] = 1;
    return map;
  }();
  auto it = table->find(name);
  return it == table->end() ? std::nullopt : std::optional(it->second);
}

} // namespace tilesmith::frontend::asc
