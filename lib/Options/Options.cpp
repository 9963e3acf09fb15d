#include "tilesmith/Options/Options.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <type_traits>

namespace tilesmith {
namespace {

// What the values of a type are, in the words of an error; a value from the host; and back.
template <typename T> struct TypeOf;

template <> struct TypeOf<bool> {
  static std::string wants() { return "True or False"; }
  static std::string annotation(std::string_view) { return "bool"; }
  // As in Python, where a number is true or false, too.
  static std::optional<bool> read(const OptionValue &value) {
    if (value.kind != OptionKind::Bool && value.kind != OptionKind::Int)
      return std::nullopt;
    return value.number != 0;
  }
  static OptionValue write(bool value) { return OptionValue::boolean(value); }
};

template <int64_t from, int64_t to> struct TypeOf<Number<from, to>> {
  static std::string wants() {
    if (to - from > 5)
      return "a number from " + std::to_string(from) + " to " + std::to_string(to);
    std::string text = std::to_string(from);
    for (int64_t i = from + 1; i <= to; ++i)
      text += (i == to ? " or " : ", ") + std::to_string(i);
    return text;
  }
  static std::string annotation(std::string_view) { return "int"; }
  static std::optional<Number<from, to>> read(const OptionValue &value) {
    if (value.kind != OptionKind::Int || value.number < from || value.number > to)
      return std::nullopt;
    return value.number;
  }
  static OptionValue write(Number<from, to> value) { return OptionValue::integer(value); }
};

template <typename T>
  requires std::is_enum_v<T>
struct TypeOf<T> {
  static bool isKnown(int64_t number) { return isa::symbolize<T>(isa::stringify(T(number))).has_value(); }
  static std::string wants() {
    std::string text = "one of ";
    for (int64_t i = 0; isKnown(i); ++i)
      text += (i ? ", " : "") + shownName(isa::stringify(T(i)));
    return text;
  }
  // The class of this name in asc.runtime.config, or its number.
  static std::string annotation(std::string_view type) {
    type = type.substr(type.rfind(':') + 1);
    return std::string(type.substr(0, type.find('>'))) + " | int";
  }
  static std::optional<T> read(const OptionValue &value) {
    if (value.kind != OptionKind::Int || value.number < 0 || value.number > UINT8_MAX || !isKnown(value.number))
      return std::nullopt;
    return T(value.number);
  }
  static OptionValue write(T value) { return OptionValue::integer(int64_t(value)); }
};

template <typename T> struct TypeOf<std::optional<T>> {
  static std::string wants() { return TypeOf<T>::wants(); }
  static std::string annotation(std::string_view type) { return TypeOf<T>::annotation(type) + " | None"; }
  static std::optional<std::optional<T>> read(const OptionValue &value) {
    if (value.kind == OptionKind::None)
      return std::optional<T>();
    std::optional<T> given = TypeOf<T>::read(value);
    return given ? std::optional<std::optional<T>>(given) : std::nullopt;
  }
  static OptionValue write(const std::optional<T> &value) { return value ? TypeOf<T>::write(*value) : OptionValue(); }
};

template <> struct TypeOf<Names> {
  static std::string wants() { return "a dict of names"; }
  static std::string annotation(std::string_view) { return "dict[str, Any]"; }
  static std::optional<Names> read(const OptionValue &value) {
    return value.kind == OptionKind::Names ? std::optional<Names>(Names()) : std::nullopt;
  }
  static OptionValue write(Names) { return {OptionKind::Names}; }
};

template <> struct TypeOf<Anything> {
  static OptionValue write(Anything value) { return {value.standard}; }
  static std::string annotation(std::string_view) { return "Any"; }
};

// None stands for the default of a switch.
template <typename T> std::optional<std::string> assign(T &field, const T &standard, const OptionValue &value) {
  if constexpr (!std::is_same_v<T, Anything>) {
    std::optional<T> given = TypeOf<T>::read(value);
    if constexpr (std::is_same_v<T, bool>)
      if (value.kind == OptionKind::None)
        given = standard;
    if (!given)
      return TypeOf<T>::wants();
    field = *given;
  }
  return std::nullopt;
}

std::string textOf(const OptionValue &value, bool forPython) {
  switch (value.kind) {
  case OptionKind::Bool:
    return forPython ? (value.number ? "True" : "False") : (value.number ? "true" : "false");
  case OptionKind::Int:
    return std::to_string(value.number);
  case OptionKind::Text:
    return "''";
  case OptionKind::Names:
    return "{}";
  case OptionKind::None:
  case OptionKind::Other:
    break;
  }
  return forPython ? "None" : "none";
}

std::optional<OptionValue> valueOf(std::string_view text) {
  if (text == "true" || text == "false")
    return OptionValue::boolean(text == "true");
  if (text == "none")
    return OptionValue();
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return OptionValue::integer(number);
}

std::string describe(const KernelOptions &options, bool codeOnly) {
  static const KernelOptions initial;
  std::string result;
  auto add = [&](std::string_view name, Affects affects, const OptionValue &value, const OptionValue &otherwise) {
    if ((!codeOnly || affects == Affects::Code) && value != otherwise)
      result += (result.empty() ? "" : " ") + std::string(name) + "=" + textOf(value, false);
  };
#define TILESMITH_OPTION(field, name, group, type, standard, affects, text)                                            \
  add(name, Affects::affects, TypeOf<type>::write(options.field), TypeOf<type>::write(initial.field));
#include "tilesmith/Options/Options.def"
  return result;
}

} // namespace

std::optional<std::string> KernelOptions::set(std::string_view wanted, const OptionValue &value) {
  static const KernelOptions initial;
#define TILESMITH_OPTION(field, name, group, type, standard, affects, text)                                            \
  if (wanted == name) {                                                                                                \
    std::optional<std::string> wants = assign<type>(field, initial.field, value);                                      \
    return wants ? std::optional(name " is " + *wants) : std::nullopt;                                                 \
  }
#include "tilesmith/Options/Options.def"
  return "unknown option: " + std::string(wanted);
}

std::optional<std::string> KernelOptions::parse(std::string_view text) {
  while (!text.empty()) {
    size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty())
      continue;
    size_t sign = std::min(word.find('='), word.size());
    std::optional<OptionValue> value = valueOf(word.substr(std::min(sign + 1, word.size())));
    if (!value)
      return "'" + std::string(word) + "' is not name=value with a value of true, false, none or a number";
    if (std::optional<std::string> wrong = set(word.substr(0, sign), *value))
      return wrong;
  }
  return std::nullopt;
}

std::string KernelOptions::text() const { return describe(*this, /*codeOnly=*/false); }
std::string KernelOptions::key() const { return describe(*this, /*codeOnly=*/true); }

std::span<const OptionRow> optionRows() {
  static const KernelOptions initial;
  static const OptionRow rows[] = {
#define TILESMITH_OPTION(field, name, group, type, standard, affects, text)                                            \
  {name, OptionGroup::group, Affects::affects, TypeOf<type>::write(initial.field), TypeOf<type>::annotation(#type),    \
   text},
#include "tilesmith/Options/Options.def"
  };
  return rows;
}

const OptionRow *findOption(std::string_view name) {
  for (const OptionRow &row : optionRows())
    if (row.name == name)
      return &row;
  return nullptr;
}

std::string shownName(std::string_view enumerator) {
  std::string text;
  for (unsigned char c : enumerator) {
    if (std::isupper(c) && !text.empty())
      text += '_';
    text += char(std::toupper(c));
  }
  return text;
}

std::string optionsPage() {
  std::string page =
      "# Options of kernels\n\n"
      "Given to the decorator, `@asc2.jit(opt_level=1)`, or to a launch, `kernel[8](x, y, opt_level=1)`; a "
      "launch's come first. No option\nchanges the results of a kernel. This page is made from "
      "`include/tilesmith/Options/Options.def` by `tools/options.py`.\n";
  constexpr std::array<const char *, 3> titles = {"Front end", "Compiling", "Launching"};
  for (size_t group = 0; group < titles.size(); ++group) {
    page += "\n## " + std::string(titles[group]) + "\n\n| option | default | what it does |\n|---|---|---|\n";
    for (const OptionRow &row : optionRows())
      if (size_t(row.group) == group)
        page += "| `" + std::string(row.name) + "` | `" + textOf(row.standard, true) + "` | " +
                (row.affects == Affects::Nothing ? "no effect: " : "") + std::string(row.text) + " |\n";
  }
  return page;
}

} // namespace tilesmith
