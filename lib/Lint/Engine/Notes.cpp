#include "Notes.h"

namespace tilesmith::lint {

using namespace ast;

Notes::Notes(const World &world, const SourceFile &source, Listener &listener) : world(world), listener(listener) {
  llvm::StringRef(source.text).split(lines, '\n');
}

std::string Notes::textOf(const Expr &expr) const {
  std::string text;
  for (unsigned line = expr.range.line; line <= expr.range.endLine && text.size() < 200; ++line) {
    llvm::StringRef whole = line && line <= lines.size() ? lines[line - 1] : llvm::StringRef();
    size_t begin = line == expr.range.line ? expr.range.column : 0;
    size_t end = line == expr.range.endLine ? expr.range.endColumn : whole.size();
    llvm::StringRef part = whole.slice(std::min(begin, whole.size()), std::min(end, whole.size()));
    text += (line == expr.range.line ? part : part.trim()).str();
  }
  if (text.size() > 80)
    text = "..." + text.substr(text.size() - 77);
  return text;
}

std::string Notes::spellCall(Site site, llvm::StringRef fallback, llvm::StringRef brackets) const {
  bool isWritten = site.callee && (llvm::isa<Attribute>(site.callee) || llvm::isa<Name>(site.callee));
  return (isWritten ? textOf(*site.callee) : fallback.str()) + brackets.str();
}

} // namespace tilesmith::lint
