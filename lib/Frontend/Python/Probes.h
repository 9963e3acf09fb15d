// What a debugger is told at a statement: the functions around it, and where the values of their names are.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_PROBES_H
#define TILESMITH_LIB_FRONTEND_PYTHON_PROBES_H

#include "Part.h"

#include "llvm/Support/JSON.h"

namespace tilesmith::frontend {

// The numbers are those of the Machine's debug_statement.
enum class ProbeKind : uint8_t { Statement = 0, Breakpoint = 1, End = 2 };

struct ProbeSite {
  std::string text; // JSON: {"frames": [{"function", "file", "line", "names": [[name, value]]}]}, innermost first
  ProbeKind kind = ProbeKind::Statement;
  int64_t depth = 1;                        // frames
  llvm::SmallVector<mlir::Value, 8> values; // what the JSON's "value" fields number
};

class Probes : public Part {
public:
  using Part::Part;

  // Before a statement; nothing without debug information.
  void statement(const Range &range, ProbeKind kind = ProbeKind::Statement);
  // A breakpoint in the source. Without debug information the kernel is only marked.
  void breakpoint(const Range &range);

  // What is shown of a value; see Kind::inspect.
  llvm::json::Value inspect(const Value &value, llvm::SmallVectorImpl<mlir::Value> &ir);

  bool enabled = false;       // the kernel has debug information
  bool anyBreakpoint = false; // its source has breakpoints
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_PROBES_H
