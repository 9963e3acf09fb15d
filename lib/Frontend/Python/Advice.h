// What a help line says about a name that is not there: the one it is misspelt from, or what stands here for a name of
// another language or library. Empty: nothing is known.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_ADVICE_H
#define TILESMITH_LIB_FRONTEND_PYTHON_ADVICE_H

#include "Part.h"

namespace tilesmith::frontend {

class Advice : public Part {
public:
  using Part::Part;

  // A name nobody bound; `attribute` is what was asked of it, or empty.
  std::string undefined(llvm::StringRef name, llvm::StringRef attribute);
  std::string attribute(const Value &base, llvm::StringRef name);
  // A function of the host as messages name it: "math.sqrt", "double".
  std::string nameOf(const HostRef &callee);
  // A function of the host that was given a runtime value.
  std::string function(const HostRef &callee, const Value &given);
  // A parameter of the kernel that was given a number in place of an array, or an array in place of a number.
  std::string swapped(const Value &value);
  // What an address cannot do, a tensor there can.
  std::string address(const Value &value);
  // "did you mean tile_id? ", or nothing: before a line of help.
  template <typename Names> static std::string question(llvm::StringRef wanted, const Names &names);

private:
  std::string elsewhere(llvm::StringRef origin, llvm::StringRef name);
};

} // namespace tilesmith::frontend

#include "tilesmith/Support/Closest.h"

namespace tilesmith::frontend {

template <typename Names> std::string Advice::question(llvm::StringRef wanted, const Names &names) {
  Closest close(wanted);
  for (const auto &name : names)
    close.add(std::string_view(name));
  return close.name().empty() ? "" : close.question() + " ";
}

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_ADVICE_H
