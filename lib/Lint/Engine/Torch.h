// torch and NumPy: functions and methods by their effect on tensors.
#ifndef TILESMITH_LINT_ENGINE_TORCH_H
#define TILESMITH_LINT_ENGINE_TORCH_H

#include "../Names/Names.h"
#include "Part.h"

namespace tilesmith::lint {

class Torch : public Part {
public:
  explicit Torch(Interpreter &interpreter) : Part(interpreter) {}

  Value callFunction(llvm::StringRef name, const Arguments &arguments, Site site); // without "torch."
  Value callNumpy(llvm::StringRef name, const Arguments &arguments, Site site);    // without "numpy."
  Value callMethod(llvm::StringRef name, const Arguments &arguments, Site site);   // of a tensor

private:
  using Maker = Value (Torch::*)(const Arguments &arguments);
  static Maker findMaker(llvm::StringRef name);

  Value makeList(const Arguments &arguments);
  Value makeDict(const Arguments &arguments);
  Value makeSequential(const Arguments &arguments);
  Value makeParameter(const Arguments &arguments);
  // Of torch.npu and the like.
  Value callDevice(llvm::StringRef path, const Arguments &arguments, Site site);
  Value compute(std::string shown, const Arguments &arguments, Site site);
  // What something with tensors does. The tensor is the first argument.
  Value apply(Effect effect, llvm::StringRef path, const Arguments &arguments, Site site);
  Value view(const Value &self, llvm::StringRef path, const Arguments &arguments);
  Value addressOf(const Value &self);
  bool isElementwise(const Value &contents) const;
  Value allocate(llvm::StringRef name, const Arguments &arguments, Site site);
  void tellHostValue(Site site, llvm::StringRef name);
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_TORCH_H
