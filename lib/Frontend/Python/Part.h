// A part of the lowering. Each has one job and its own state, and reaches the others through the Lowering; what most of
// them need is here under short names.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_PART_H
#define TILESMITH_LIB_FRONTEND_PYTHON_PART_H

#include "Kind.h"
#include "Names.h"

#include "mlir/IR/Builders.h"

namespace tilesmith::frontend {

class Scalars;
class Values;

class Part {
public:
  explicit Part(Lowering &lowering);
  Part(const Part &) = delete;

  Value fail(const Range &range, llvm::StringRef exception, const llvm::Twine &message, const llvm::Twine &help = "");
  Value failHost(const Range &range);
  std::string describe(const Value &value);
  mlir::Location loc(const Range &range);
  mlir::OpBuilder &builder();
  Frame &frame();
  Value none() { return Value::ofHost(host.makeNone()); }
  Value number(int64_t value) { return Value::ofHost(host.makeInt(value)); }

  Lowering &l;
  HostEval &host;
  Values &values;
  Scalars &scalars;
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_PART_H
