// The engine: interprets a candidate abstractly and tells a listener what it sees (Events.h). It knows no rule.
//
// It follows the import of the file, the construction of ModelNew and two calls of forward; the second sees what the
// first left behind: caches, counters, lazily made buffers. lib/Lint/Engine/Interpreter.h says what is followed.
//
// Invariants
//  - nothing of the candidate is executed; what is told is a function of its text and the options
//  - no input makes it crash, hang or use the caller's stack without bound: it gives up and says so
#ifndef TILESMITH_LINT_ENGINE_H
#define TILESMITH_LINT_ENGINE_H

#include "tilesmith/Lint/Events.h"

#include <optional>

namespace tilesmith::lint {

enum class Dsl : uint8_t { Triton, Asc2, AscendC, Pypto };
std::optional<Dsl> parseDsl(llvm::StringRef name);

// dsl: only kernels of this language count; all of them otherwise.
void follow(const ast::Tree &tree, const ast::SourceFile &source, std::optional<Dsl> dsl, Listener &listener);

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_H
