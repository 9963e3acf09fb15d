// What code outside the file may do with values that it is given: call them, call their methods, keep them, change
// them, and give back anything that can be reached from them.
//
// Invariants
//  - a value that came out of an expression holding a tensor is that tensor, unless the expression is known
#ifndef TILESMITH_LINT_ENGINE_OUTSIDE_H
#define TILESMITH_LINT_ENGINE_OUTSIDE_H

#include "Part.h"

#include "llvm/ADT/DenseSet.h"

namespace tilesmith::lint {

class Outside : public Part {
public:
  explicit Outside(Interpreter &interpreter) : Part(interpreter) {}

  // Everything that can be reached from the value, at any depth: its tensors, what can be called, and host data for
  // the rest.
  Value mayGive(const Value &value) const;
  // Functions, methods and properties of what is handed over are called, with the tensors that are handed over beside
  // them, and objects may hold afterwards what was handed over beside them. Gives their results.
  Value handOver(const Arguments &arguments, Site site);
  // A method of an object of the file that Python calls without a call in the source. Gives nothing if the class does
  // not have it.
  std::optional<Value> protocol(const Atom &instance, llvm::StringRef method, const Arguments &arguments, Site site);
  // Whether an instance is handed over that holds what forward was given, or computed.
  bool holdsData(const Value &value) const;
  // What is handed over while the file is imported may be called at any time later.
  void remember(const Arguments &arguments);
  // The methods Python calls without a call in the source, of all objects there are.
  void callProtocols();

private:
  Value callMembers(const Atom &instance, const Value &given, Site site);
  void keep(const Value &holders, const Value &given);
  void callKnown();

  bool isCallingKnown = false;
  Value known;                     // functions and objects that were handed over before forward
  llvm::DenseSet<ObjectId> handed; // classes whose members are being called
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_OUTSIDE_H
