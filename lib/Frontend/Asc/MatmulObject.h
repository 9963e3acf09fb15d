// Matrix objects of a kernel, whether it runs or is written.
#ifndef TILESMITH_LIB_FRONTEND_ASC_MATMULOBJECT_H
#define TILESMITH_LIB_FRONTEND_ASC_MATMULOBJECT_H

#include "Objects.h"

namespace tilesmith::frontend::asc {

struct MatmulParts : ObjectParts {
  Number object; // its handle in the Machine
  DType result = DType::F32;
};

inline MatmulParts &matmulOf(const Value &value) { return static_cast<MatmulParts &>(*value.parts); }

// mm.iterate(): goes on while there is another tile, and counts them.
struct IterationParts : Parts {
  Value matmul;
  Number partial, sync;
  unsigned count = 0; // a cell
};

// What a MatmulType says of one of the matrices.
struct MatrixType {
  DType dtype = DType::Void;
  int64_t position = 0, format = 0, isTransposed = 0, layout = 0;
};
std::optional<MatrixType> matrixTypeOf(Core &core, const Argument &type);

// Each member of the given configuration that is not as it is without one: its number (TsMatmulConfig), its C++ type
// and name, its value. False after an error.
bool forConfig(Core &core, Argument config,
               llvm::function_ref<void(int64_t, llvm::StringRef, llvm::StringRef, int64_t)> each);

bool isGiven(Core &core, const Argument &argument);
// A number that may be None.
Number optionalNumber(Core &core, const Argument &argument, llvm::StringRef what, int64_t otherwise);
// The tensor a result goes to. An error, or a finding when it runs, where its elements are of another type.
Value resultTensor(Core &core, const Value &matmul, const Argument &argument);

// The matrix object as a variable, and the call that says whether there is another tile.
void writeMatmul(Core &core, const Value &matmul, const Arguments &args);
mlir::Value writeIterate(Core &core, const IterationParts &parts, const Range &range);

} // namespace tilesmith::frontend::asc

#endif // TILESMITH_LIB_FRONTEND_ASC_MATMULOBJECT_H
