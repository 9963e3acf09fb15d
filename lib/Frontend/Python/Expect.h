// What builtins expect of their arguments. Each reports what is wrong and returns nothing then.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_EXPECT_H
#define TILESMITH_LIB_FRONTEND_PYTHON_EXPECT_H

#include "Builtins.h"
#include "Part.h"

namespace tilesmith::frontend {

class Expect : public Part {
public:
  using Part::Part;

  std::optional<int64_t> integer(const Argument &argument, llvm::StringRef what);
  std::optional<llvm::SmallVector<int64_t>> integers(llvm::ArrayRef<Argument> arguments, llvm::StringRef what);
  std::optional<bool> boolean(const Argument &argument, bool otherwise, llvm::StringRef what);
  std::optional<DType> dtype(const Argument &argument, llvm::StringRef what);
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_EXPECT_H
