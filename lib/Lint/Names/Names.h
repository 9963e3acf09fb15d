// What is known about names outside a candidate: data, in the *.def files beside this one.
//
// For torch, NumPy and methods of tensors these are lists of what is harmless; a name that is in none of them computes.
#ifndef TILESMITH_LINT_NAMES_H
#define TILESMITH_LINT_NAMES_H

#include "tilesmith/Lint/Engine.h"

namespace tilesmith::lint {

// What something of torch, NumPy, or a method of a tensor does to its tensors.
enum class Effect : uint8_t {
  Compute,  // everything that is not named
  Allocate, // a new tensor whose contents do not come from a computation
  View,     // the same memory, or a reshaped copy of it
  Part,     // a view of a part, or several
  Copy,     // a new tensor with the same contents
  Host,     // plain host data: sizes, types, devices, contexts
  Read,     // host data read from the tensor
  Address,  // data_ptr
  Fill,     // overwrites with a constant
  CopyInto, // overwrites with another tensor
  Self,     // changes nothing that matters here, gives the tensor itself
};

Effect effectOfTorch(llvm::StringRef name);  // without "torch."
Effect effectOfNumpy(llvm::StringRef name);  // without "numpy."
Effect effectOfMethod(llvm::StringRef name); // of a tensor or array
// Attributes of tensors that are not methods.
bool isHostAttribute(llvm::StringRef name);
bool isViewAttribute(llvm::StringRef name);

// Whether a path makes kernels of functions: triton.jit and friends.
std::optional<Dsl> dslOfJit(llvm::StringRef path);
// Whether a path is in a language that kernels are written in: triton.language, asc2 ...
bool isKernelLanguage(llvm::StringRef path);

// Decorators and wrappers that give back what they wrap.
bool isPassThrough(llvm::StringRef path);
// Modules whose functions take and give plain host data.
bool isHostModule(llvm::StringRef path);
bool isDeviceModule(llvm::StringRef path);
Conduct conductOf(llvm::StringRef path);
// Builtins that only look at their arguments or rearrange them.
bool isHarmlessBuiltin(llvm::StringRef name);
// Those whose results are made of their arguments: exceptions, slices.
bool isHoldingBuiltin(llvm::StringRef name);
// Those that do not run code of their arguments.
bool isPlainBuiltin(llvm::StringRef name);
// A path without the modules through which another one is reached: contextlib.os.fork is os.fork.
llvm::StringRef withoutDetours(llvm::StringRef path);
// Names that hold weights in layers of torch.nn.
bool isWeightName(llvm::StringRef name);
// Bases that make a class a tensor in disguise or intercept operations.
bool isTensorBase(llvm::StringRef path);

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_NAMES_H
