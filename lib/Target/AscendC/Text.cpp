#include "Text.h"
#include "tilesmith/Isa/DType.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilesmith::ascendc {

void Text::line(const Twine &text) {
  lines.append(2 * depth, ' ');
  lines += text.str();
  lines += '\n';
}

void Text::open(const Twine &head) {
  line(head + " {");
  ++depth;
}

void Text::close(const Twine &tail) {
  --depth;
  line(tail);
}

void Text::otherwise() {
  --depth;
  line("} else {");
  ++depth;
}

Names::Names() {
  for (const char *word : {"alignas",
                           "alignof",
                           "and",
                           "and_eq",
                           "asm",
                           "auto",
                           "bitand",
                           "bitor",
                           "bool",
                           "break",
                           "case",
                           "catch",
                           "char",
                           "class",
                           "compl",
                           "const",
                           "constexpr",
                           "continue",
                           "decltype",
                           "default",
                           "delete",
                           "do",
                           "double",
                           "dynamic_cast",
                           "else",
                           "enum",
                           "explicit",
                           "export",
                           "extern",
                           "false",
                           "float",
                           "for",
                           "friend",
                           "goto",
                           "if",
                           "inline",
                           "int",
                           "long",
                           "mutable",
                           "namespace",
                           "new",
                           "noexcept",
                           "not",
                           "not_eq",
                           "nullptr",
                           "operator",
                           "or",
                           "or_eq",
                           "private",
                           "protected",
                           "public",
                           "register",
                           "reinterpret_cast",
                           "return",
                           "short",
                           "signed",
                           "sizeof",
                           "static",
                           "static_assert",
                           "static_cast",
                           "struct",
                           "switch",
                           "template",
                           "this",
                           "thread_local",
                           "throw",
                           "true",
                           "try",
                           "typedef",
                           "typeid",
                           "typename",
                           "union",
                           "unsigned",
                           "using",
                           "virtual",
                           "void",
                           "volatile",
                           "wchar_t",
                           "while",
                           "xor",
                           "xor_eq",
                           "AscendC",
                           "Reg",
                           "asc_vf_call",
                           "GM_ADDR",
                           "main",
                           "linux",
                           "unix",
                           "NULL",
                           "EOF",
                           "char16_t",
                           "char32_t",
                           "const_cast"})
    taken.insert(word);
  for (const isa::DTypeInfo &type : isa::dtypeTable)
    taken.insert(StringRef(type.ascend));
}

// Python identifiers may be Unicode; Ascend C's should not be. What is left of such a name still tells names apart.
std::string Names::unique(StringRef wanted) {
  std::string name;
  for (char c : wanted)
    name += isAlnum(c) ? c : '_';
  if (name.empty() || isDigit(name.front()))
    name.insert(0, "v");
  // Names with two underscores, or one before a capital letter, belong to the compiler.
  while (name.size() > 1 && name.front() == '_')
    name.erase(0, 1);
  if (name.front() == '_')
    name = "v_";
  for (size_t at; (at = name.find("__")) != std::string::npos;)
    name.erase(at, 1);
  std::string result = name;
  for (unsigned number = 1; !taken.insert(result).second; ++number)
    result = name + (isDigit(name.back()) ? "_" : "") + std::to_string(number);
  return result;
}

} // namespace tilesmith::ascendc
