// The lowering of one kernel: Python statements and expressions become operations of arith, scf and the language's
// dialect.
//
// Statements are executed abstractly in program order. Names are bound to Values in the Env of a Frame (one per inlined
// function). Control flow known while compiling is followed; control flow at run time builds regions, and names that
// change in them become block arguments and results (Merge).
//
// The work is done by its parts. Each knows its own state only; this class is where they find each other.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_LOWERING_H
#define TILESMITH_LIB_FRONTEND_PYTHON_LOWERING_H

#include "Advice.h"
#include "Branches.h"
#include "Calls.h"
#include "Cells.h"
#include "Emitter.h"
#include "Errors.h"
#include "Expect.h"
#include "Expressions.h"
#include "Jumps.h"
#include "Language.h"
#include "Loops.h"
#include "Merge.h"
#include "Operators.h"
#include "Probes.h"
#include "Scalars.h"
#include "Statements.h"
#include "Values.h"

namespace tilesmith::frontend {

class Lowering {
public:
  Lowering(mlir::MLIRContext &context, const Language &language, HostEval &host, Diagnostic &diagnostic);
  mlir::OwningOpRef<mlir::ModuleOp> run(const KernelRequest &request);

  bool written = false; // as the request says

  // What the language keeps about this kernel.
  Session &session() { return *own; }

  const Language &language;
  HostEval &host;
  Names names;
  Errors errors;
  Cells cells;
  Emitter ir;
  Values values;
  Scalars scalars;
  Operators operators;
  Merge merge;
  Expect expect;
  Advice advice;
  Calls calls;
  Expressions expressions;
  Statements statements;
  Branches branches;
  Loops loops;
  Jumps jumps;
  Probes probes;

private:
  bool checkParameters(const KernelRequest &request);
  bool makeFunction(const KernelRequest &request, mlir::ModuleOp module);
  bool verify(mlir::ModuleOp module, const ast::FunctionDef &function);

  std::unique_ptr<Session> own;
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_LOWERING_H
