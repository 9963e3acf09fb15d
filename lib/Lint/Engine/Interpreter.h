// An abstract interpreter for candidates: follows a module's import, the construction of ModelNew and two calls of
// forward, and tells which kernels are launched, where their results go, and what else happens to tensors.
//
// forward is called twice because the second call sees what the first one left behind: caches, counters, lazily made
// buffers. The first also shows which inputs are used as tensors.
//
// Invariants
//  - both sides of a branch are followed unless the condition is a known constant; loop bodies are followed twice
//  - calls are followed into functions of the file, each time with the arguments at hand
//  - no part decides whether something is allowed
#ifndef TILESMITH_LINT_ENGINE_INTERPRETER_H
#define TILESMITH_LINT_ENGINE_INTERPRETER_H

#include "Attributes.h"
#include "Buffers.h"
#include "Builtins.h"
#include "Calls.h"
#include "Classes.h"
#include "Containers.h"
#include "ControlFlow.h"
#include "Expressions.h"
#include "Launches.h"
#include "Libraries.h"
#include "Model.h"
#include "Modules.h"
#include "Operators.h"
#include "Outside.h"
#include "Scopes.h"
#include "Statements.h"
#include "Torch.h"

namespace tilesmith::lint {

struct Interpreter {
  Interpreter(const ast::SourceFile &source, Listener &listener) : notes(world, source, listener) {}

  World world;
  Notes notes;
  Scopes scopes{*this};
  Buffers buffers{*this};
  Classes classes{*this};
  Attributes attributes{*this};
  Containers containers{*this};
  Operators operators{*this};
  Outside outside{*this};
  Calls calls{*this};
  KernelTable kernels{*this};
  Launches launches{*this};
  Libraries libraries{*this};
  Builtins builtins{*this};
  Torch torch{*this};
  Modules modules{*this};
  Expressions expressions{*this};
  Statements statements{*this};
  ControlFlow control{*this};
  Model model{*this};
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_INTERPRETER_H
