#include "Lowering.h"

namespace tilesmith::frontend {

std::optional<int64_t> Expect::integer(const Argument &argument, llvm::StringRef what) {
  const Value &value = argument.value;
  if (value.isHost() && host.isInt(value.host))
    if (std::optional<int64_t> integer = host.asInt(value.host))
      return integer;
  fail(argument.range, "TypeError", what + " must be an int known while compiling, not " + describe(value),
       value.isScalar() ? "annotate the parameter it comes from with asc.ConstExpr" : "");
  return std::nullopt;
}

std::optional<bool> Expect::boolean(const Argument &argument, bool otherwise, llvm::StringRef what) {
  if (!argument)
    return otherwise;
  if (argument.value.isHost())
    if (std::optional<bool> known = host.asBool(argument.value.host))
      return known;
  fail(argument.range, "TypeError", what + " must be True or False, not " + describe(argument.value));
  return std::nullopt;
}

std::optional<DType> Expect::dtype(const Argument &argument, llvm::StringRef what) {
  if (argument.value.isHost())
    if (std::optional<DType> dtype = host.asDType(argument.value.host)) {
      if (isa::infoOf(*dtype).use != isa::DTypeUse::Named)
        return dtype;
      fail(argument.range, "NotImplementedError", "kernels cannot use " + name(*dtype) + ": no instruction takes it");
      return std::nullopt;
    }
  // "float16", numpy.float16, torch.float16: the last word is its name.
  std::string text = argument.value.isHost() ? host.repr(argument.value.host) : "";
  llvm::StringRef word = llvm::StringRef(text).substr(text.rfind('.') + 1).trim("'\"<>() ");
  fail(argument.range, "TypeError", what + " must be a dtype such as asc.float32, not " + describe(argument.value),
       parseDType(word) ? "write asc." + word : "");
  return std::nullopt;
}

std::optional<llvm::SmallVector<int64_t>> Expect::integers(llvm::ArrayRef<Argument> arguments, llvm::StringRef what) {
  llvm::SmallVector<int64_t> result;
  for (const Argument &argument : arguments) {
    std::optional<int64_t> item = integer(argument, what);
    if (!item)
      return std::nullopt;
    result.push_back(*item);
  }
  return result;
}

} // namespace tilesmith::frontend
