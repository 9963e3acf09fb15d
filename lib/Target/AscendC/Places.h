// Where in the Python source an op comes from, as comments.
#ifndef TILESMITH_LIB_TARGET_ASCENDC_PLACES_H
#define TILESMITH_LIB_TARGET_ASCENDC_PLACES_H

#include "Text.h"
#include "mlir/IR/Location.h"
#include "tilesmith/Target/AscendC/Emit.h"

namespace tilesmith::ascendc {

class Places {
public:
  Places(const EmitOptions &options, mlir::Location kernel);

  // "softmax.py:26", or empty; and with the line's text.
  static std::string place(mlir::Location loc);
  std::string describe(mlir::Location loc) const;
  // Writes the place as a comment unless the last comment said the same, or it is the kernel as a whole.
  void comment(Text &text, mlir::Location loc);
  void forget() { last.clear(); }

private:
  const EmitOptions &options;
  std::string kernel, last;
};

} // namespace tilesmith::ascendc

#endif // TILESMITH_LIB_TARGET_ASCENDC_PLACES_H
