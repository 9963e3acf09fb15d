#include "Builtins.h"

namespace tilesmith::frontend {

Signature::Signature(llvm::StringRef text) : text(text) {
  llvm::SmallVector<llvm::StringRef> pieces;
  text.split(pieces, ", ", -1, false);
  bool keywordOnly = false;
  for (llvm::StringRef piece : pieces) {
    if (piece.consume_front("*")) {
      keywordOnly = true;
      isVariadic |= !piece.empty();
      continue;
    }
    auto [name, otherwise] = piece.split('=');
    parameters.push_back({name, otherwise.empty()});
    positional += !keywordOnly;
  }
}

Builtins::Builtins(std::initializer_list<llvm::ArrayRef<Builtin::Row>> families) {
  for (llvm::ArrayRef<Builtin::Row> family : families)
    for (const Builtin::Row &row : family)
      table.try_emplace(row.name, Builtin{row.name, Signature(row.signature), row.lower});
}

const Builtin *Builtins::find(llvm::StringRef name) const {
  auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
}

const Builtins &pythonBuiltins() {
  static const Builtins table{scalarBuiltins(), sequenceBuiltins(), rangeBuiltins()};
  return table;
}

} // namespace tilesmith::frontend
