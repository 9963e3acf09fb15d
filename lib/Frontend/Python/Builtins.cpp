#include "Builtins.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

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

Builtins::Builtins(llvm::ArrayRef<Declaration> declarations,
                   std::initializer_list<llvm::ArrayRef<Builtin::Row>> families) {
  llvm::StringMap<llvm::StringRef> declared;
  for (const Declaration &declaration : declarations)
    declared[declaration.name] = declaration.signature;
  for (llvm::ArrayRef<Builtin::Row> family : families)
    for (const Builtin::Row &row : family) {
      auto it = declared.find(row.name);
      if (it == declared.end() && row.signature.empty())
        llvm::reportFatalInternalError("builtin " + row.name + " is not declared");
      llvm::StringRef signature = it == declared.end() ? llvm::StringRef(row.signature) : it->second;
      table.try_emplace(row.name, Builtin{row.name, Signature(signature), row.lower});
    }
}

const Builtin *Builtins::find(llvm::StringRef name) const {
  auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
}

const Builtins &pythonBuiltins() {
  static const Builtins table(ascDeclarations(),
                              {scalarBuiltins(), sequenceBuiltins(), rangeBuiltins(), dictBuiltins()});
  return table;
}

llvm::ArrayRef<Declaration> ascDeclarations() {
  static constexpr Declaration declarations[] = {
#define TILESMITH_BUILTIN(name, signature) {name, signature},
#include "tilesmith/Frontend/AscDeclarations.inc"
  };
  return declarations;
}

llvm::StringRef scalarMethod(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
#define TILESMITH_METHOD(owner, method, builtin) .Case(method, builtin)
#include "tilesmith/Frontend/AscDeclarations.inc"
      .Default("");
}

std::vector<std::string> scalarMethodNames() {
  return {
      "dtype",
#define TILESMITH_METHOD(owner, method, builtin) method,
#include "tilesmith/Frontend/AscDeclarations.inc"
  };
}

} // namespace tilesmith::frontend
