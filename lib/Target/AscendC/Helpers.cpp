#include "Helpers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilesmith::ascendc {

namespace {

// In `body` $T is the signed type, $U the unsigned one, $B the number of bits, $L the type's largest value as a float
// (one too large, so that comparing with it is exact), $M its largest and $N its smallest value.
struct Helper {
  StringRef name, parameters, result, body;
};

constexpr Helper integerHelpers[] = {
    {"WrapAdd", "$T a, $T b", "$T", "return static_cast<$T>(static_cast<$U>(a) + static_cast<$U>(b));"},
    {"WrapSub", "$T a, $T b", "$T", "return static_cast<$T>(static_cast<$U>(a) - static_cast<$U>(b));"},
    {"WrapMul", "$T a, $T b", "$T", "return static_cast<$T>(static_cast<$U>(a) * static_cast<$U>(b));"},
    {"Min", "$T a, $T b", "$T", "return a < b ? a : b;"},
    {"Max", "$T a, $T b", "$T", "return a > b ? a : b;"},
    {"MinUnsigned", "$U a, $U b", "$T", "return static_cast<$T>(a < b ? a : b);"},
    {"MaxUnsigned", "$U a, $U b", "$T", "return static_cast<$T>(a > b ? a : b);"},
    // Quotients that have no value are 0.
    {"Div", "$T a, $T b", "$T", "return b == 0 || (b == -1 && a == $N) ? 0 : a / b;"},
    {"Rem", "$T a, $T b", "$T", "return b == 0 || (b == -1 && a == $N) ? 0 : a % b;"},
    {"DivUnsigned", "$U a, $U b", "$T", "return b == 0 ? 0 : static_cast<$T>(a / b);"},
    {"RemUnsigned", "$U a, $U b", "$T", "return b == 0 ? 0 : static_cast<$T>(a % b);"},
    {"FloorDiv", "$T a, $T b", "$T",
     "if (b == 0 || (b == -1 && a == $N)) return 0;\n  return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);"},
    {"CeilDiv", "$T a, $T b", "$T",
     "if (b == 0 || (b == -1 && a == $N)) return 0;\n  return a / b + (a % b != 0 && (a % b < 0) == (b < 0) ? 1 : 0);"},
    {"CeilDivUnsigned", "$U a, $U b", "$T", "return b == 0 ? 0 : static_cast<$T>(a / b + (a % b != 0 ? 1 : 0));"},
    // A shift by the width or more is 0.
    {"ShiftLeft", "$T a, $U n", "$T", "return n < $B ? static_cast<$T>(static_cast<$U>(a) << n) : 0;"},
    {"ShiftRight", "$T a, $U n", "$T", "return n < $B ? static_cast<$T>(a >> n) : 0;"},
    {"ShiftRightUnsigned", "$U a, $U n", "$T", "return n < $B ? static_cast<$T>(a >> n) : 0;"},
    // A float beyond the type becomes its nearest value, NaN 0.
    {"ToInt", "float x", "$T", "return x != x ? 0 : x >= $L ? $M : x < -$L ? $N : static_cast<$T>(x);"},
    {"ToUnsigned", "float x", "$T",
     "return static_cast<$T>(!(x > 0.0f) ? $U(0) : x >= 2.0f * $L ? static_cast<$U>(-1) : static_cast<$U>(x));"},
    {"BitsOf", "float x", "$T", "union { float value; $T bits; } u = {x};\n  return u.bits;"},
};

constexpr Helper floatHelpers[] = {
    {"FloatOf", "uint32_t bits", "float", "union { uint32_t bits; float value; } u = {bits};\n  return u.value;"},
    // The remainder of truncated division; every difference below is exact.
    {"RemFloat", "float a, float b", "float",
     "const float infinity = __builtin_inff();\n"
     "  float x = a < 0.0f ? -a : a, y = b < 0.0f ? -b : b;\n"
     "  if (a != a || b != b || x == infinity || y == 0.0f) return infinity - infinity;\n"
     "  while (x >= y && y != infinity) {\n"
     "    float part = y;\n"
     "    while (part <= x * 0.5f) part += part;\n"
     "    x -= part <= x ? part : part * 0.5f;\n"
     "  }\n"
     "  return a < 0.0f || (a == 0.0f && 1.0f / a < 0.0f) ? -x : x;"},
};

std::string substitute(StringRef pattern, unsigned width) {
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '$') {
      text += pattern[i];
      continue;
    }
    std::string bits = std::to_string(width);
    switch (pattern[++i]) {
    case 'T':
      text += "int" + bits + "_t";
      break;
    case 'U':
      text += "uint" + bits + "_t";
      break;
    case 'B':
      text += bits;
      break;
    case 'L':
      text += "0x1p+" + std::to_string(width - 1) + "f";
      break;
    case 'M':
      text += width == 64   ? "9223372036854775807LL"
              : width == 32 ? "2147483647"
                            : std::to_string((1 << (width - 1)) - 1);
      break;
    case 'N':
      text += width == 64   ? "(-9223372036854775807LL - 1)"
              : width == 32 ? "(-2147483647 - 1)"
                            : "(-" + std::to_string(1 << (width - 1)) + ")";
      break;
    }
  }
  return text;
}

} // namespace

std::string Helpers::call(StringRef name, unsigned width, ArrayRef<std::string> arguments) {
  std::string full = name.str() + (width ? std::to_string(width) : "");
  ArrayRef<Helper> table = width ? ArrayRef(integerHelpers) : ArrayRef(floatHelpers);
  const Helper *helper = llvm::find_if(table, [&](const Helper &other) { return other.name == name; });
  assert(helper != table.end() && "no such helper");
  used[full] = "__aicore__ inline " + substitute(helper->result, width) + " " + full + "(" +
               substitute(helper->parameters, width) + ") {\n  " + substitute(helper->body, width) + "\n}\n";
  return full + "(" + llvm::join(arguments, ", ") + ")";
}

std::string Helpers::field(StringRef type, StringRef value) {
  used["Field"] =
      "// A number as a field of a parameter struct: what does not fit is cut on the chip, and an error on the model.\n"
      "template <typename T> __aicore__ inline T Field(int64_t value, uint32_t line = __builtin_LINE()) {\n"
      "#ifdef TILESMITH_ASCENDC\n"
      "  tilesmith::checkField<T>(value, {__FILE__, line});\n"
      "#endif\n"
      "  return static_cast<T>(value);\n}\n";
  return ("Field<" + type + ">(" + value + ")").str();
}

std::string Helpers::rowsToUb() {
  used["ROWS_TO_UB"] = "// How results lie in UB.\n"
                       "constexpr AscendC::FixpipeConfig ROWS_TO_UB = {AscendC::CO2Layout::ROW_MAJOR, true};\n";
  return "ROWS_TO_UB";
}

void Helpers::reserve(Names &names) {
  names.unique("Field");
  names.unique("ROWS_TO_UB");
  for (const Helper &helper : floatHelpers)
    names.unique(helper.name);
  for (const Helper &helper : integerHelpers)
    for (const char *width : {"8", "16", "32", "64"})
      names.unique((helper.name + width).str());
}

std::string Helpers::definitions() const {
  std::string text;
  for (auto &[name, definition] : used)
    text += definition;
  return text;
}

} // namespace tilesmith::ascendc
