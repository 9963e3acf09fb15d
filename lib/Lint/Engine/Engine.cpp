#include "tilesmith/Lint/Engine.h"

#include "Interpreter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/thread.h"

namespace tilesmith::lint {

std::optional<Dsl> parseDsl(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Dsl>>(name)
      .Case("triton", Dsl::Triton)
      .Case("asc2", Dsl::Asc2)
      .Case("ascendc", Dsl::AscendC)
      .Case("pypto", Dsl::Pypto)
      .Default(std::nullopt);
}

void follow(const ast::Tree &tree, const ast::SourceFile &source, std::optional<Dsl> dsl, Listener &listener) {
  auto run = [&] {
    Interpreter interpreter(source, listener);
    Model &model = interpreter.model;
    model.importModule(tree);
    bool hasForward = model.hasForward();
    if (hasForward)
      model.follow();
    model.tellKernels(dsl);
    if (hasForward)
      model.tellForward(dsl);
  };
  // Its own stack: candidates may nest deeply, and the caller's may be small.
  constexpr unsigned stackBytes = 256u << 20;
  llvm::thread worker(std::optional<unsigned>(stackBytes), run);
  worker.join();
}

} // namespace tilesmith::lint
