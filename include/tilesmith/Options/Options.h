// The options of kernels: what users may say about compiling and launching.
//
// Options.def has one row for each; everything here is made from these rows. A value comes from a host language or from
// text, is checked by the type of its row, and is read as a field of KernelOptions by whoever acts on it.
#ifndef TILESMITH_OPTIONS_OPTIONS_H
#define TILESMITH_OPTIONS_OPTIONS_H

#include "tilesmith/Isa/Isa.h"
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilesmith {

enum class OptionKind : uint8_t { None, Bool, Int, Text, Names, Other };

// A value as a host gives it. `number` of a bool or an int; an int that 64 bits do not hold is Other.
struct OptionValue {
  OptionKind kind = OptionKind::None;
  int64_t number = 0;

  static OptionValue boolean(bool value) { return {OptionKind::Bool, value}; }
  static OptionValue integer(int64_t value) { return {OptionKind::Int, value}; }
  bool operator==(const OptionValue &) const = default;
};

// Types of rows, besides bool, std::optional and enumerations.
template <int64_t from, int64_t to> struct Number {
  int64_t value = from;

  constexpr Number() = default;
  constexpr Number(int64_t value) : value(value) {}
  constexpr operator int64_t() const { return value; }
};
struct Names {};
struct Anything {
  OptionKind standard = OptionKind::None; // its default is the empty value of this kind

  constexpr Anything(OptionKind standard = OptionKind::None) : standard(standard) {}
};

struct KernelOptions {
#define TILESMITH_OPTION(field, name, group, type, standard, affects, text) type field = standard;
#include "tilesmith/Options/Options.def"

  // Sets an option of the table. Returns what its values are ("opt_level is 1, 2 or 3") if this is not one of them.
  std::optional<std::string> set(std::string_view name, const OptionValue &value);

  // Sets options given as "opt_level=1 reuse_ub=true"; "none" is None. Returns what is wrong with the text, if
  // anything.
  std::optional<std::string> parse(std::string_view text);

  // The options that are not at their defaults, as parse() takes them: all, or those that may change code. Equal texts
  // are equal options.
  std::string text() const;
  std::string key() const;
};

enum class OptionGroup : uint8_t { FrontEnd, Compiling, Launching };
enum class Affects : uint8_t { Code, Compiling, Launching, Nothing };

struct OptionRow {
  std::string_view name;
  OptionGroup group;
  Affects affects;
  OptionValue standard;
  std::string annotation; // of its values in Python: "bool | None"
  std::string_view text;
};
std::span<const OptionRow> optionRows();
const OptionRow *findOption(std::string_view name);

// An enumerator as users write it: MixAivHardSync is MIX_AIV_HARD_SYNC.
std::string shownName(std::string_view enumerator);

// docs/options.md.
std::string optionsPage();

} // namespace tilesmith

#endif // TILESMITH_OPTIONS_OPTIONS_H
