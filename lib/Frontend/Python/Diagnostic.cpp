#include "tilesmith/Frontend/Diagnostic.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace tilesmith::frontend {

// The excerpt: the line with its number, and a caret under the first character, tildes under the rest. Columns are
// bytes; under a wide line the marks count characters, and tabs stay tabs, so that they line up in a terminal.
static void printExcerpt(llvm::raw_ostream &os, const ast::SourceFile &file, const ast::Range &range) {
  llvm::StringRef line = file.getLine(range.line);
  if (line.trim().empty())
    return;
  std::string number = std::to_string(range.line);
  std::string margin(std::max<size_t>(number.size(), 5), ' ');
  os << std::string(margin.size() - number.size(), ' ') << number << " | " << line << "\n" << margin << " | ";

  size_t begin = std::min<size_t>(range.column, line.size());
  size_t end = range.endLine == range.line ? std::min<size_t>(range.endColumn, line.size()) : line.rtrim().size();
  auto isCharacter = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  for (char c : line.take_front(begin))
    if (isCharacter(c))
      os << (c == '\t' ? '\t' : ' ');
  os << '^';
  if (end > begin)
    for (char c : line.slice(begin, end).drop_front())
      if (isCharacter(c))
        os << '~';
  os << "\n";
}

static void printPlace(llvm::raw_ostream &os, const ast::SourceFile *file, const ast::Range &range) {
  if (file && range.line)
    os << file->name << ":" << range.line << ":" << range.column + 1 << ": ";
}

std::string Diagnostic::headline() const {
  if (!showException)
    return message;
  return message.empty() ? exception : exception + ": " + message;
}

std::string Diagnostic::render() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printPlace(os, file, range);
  os << "error: " << headline() << "\n";
  if (file && range.line)
    printExcerpt(os, *file, range);
  for (const Note &note : notes) {
    printPlace(os, note.file, note.range);
    os << "note: " << note.text << "\n";
    if (note.file && note.range.line)
      printExcerpt(os, *note.file, note.range);
  }
  if (!help.empty())
    os << "help: " << help << "\n";
  text.pop_back(); // the last newline
  return text;
}

} // namespace tilesmith::frontend
