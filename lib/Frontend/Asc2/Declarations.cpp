#include "Tiles.h"

namespace tilesmith::frontend::asc2 {

static constexpr Declaration declared[] = {
#define TILESMITH_BUILTIN(name, signature) {name, signature},
#include "tilesmith/Frontend/Asc2Declarations.inc"
#define TILESMITH_BUILTIN(name, signature) {name, signature},
#include "tilesmith/Frontend/AscDeclarations.inc"
};

llvm::ArrayRef<Declaration> declarations() {
  static const auto all = [] {
    llvm::SmallVector<Declaration, 0> all(std::begin(declared), std::end(declared));
    // Inside a kernel the bare name is asc2's.
    for (const Declaration &declaration : declared)
      if (declaration.name == "asc2.range")
        all.push_back({"range", declaration.signature});
    return all;
  }();
  return all;
}

namespace {
struct Method {
  llvm::StringLiteral owner, name, builtin;
};
} // namespace
static constexpr Method methods[] = {
#define TILESMITH_METHOD(owner, method, builtin) {#owner, method, builtin},
#include "tilesmith/Frontend/Asc2Declarations.inc"
};

static llvm::StringRef findMethod(llvm::StringRef wanted, llvm::StringRef name) {
  for (const Method &method : methods)
    if (method.owner == wanted && method.name == name)
      return method.builtin;
  return {};
}

llvm::StringRef tileMethod(llvm::StringRef name) { return findMethod("Tile", name); }
llvm::StringRef shapeMethod(llvm::StringRef name) { return findMethod("TensorShape", name); }

std::vector<std::string> tileMethodNames() {
  std::vector<std::string> names;
  for (const Method &method : methods)
    if (method.owner == "Tile")
      names.push_back(method.name.str());
  return names;
}

} // namespace tilesmith::frontend::asc2
