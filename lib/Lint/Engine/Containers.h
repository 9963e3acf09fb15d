// Lists, tuples and dictionaries: subscripts, iteration, methods.
#ifndef TILESMITH_LINT_ENGINE_CONTAINERS_H
#define TILESMITH_LINT_ENGINE_CONTAINERS_H

#include "Part.h"

#include "llvm/ADT/DenseSet.h"

namespace tilesmith::lint {

class Containers : public Part {
public:
  explicit Containers(Interpreter &interpreter) : Part(interpreter) {}

  Value subscript(const Value &value, const Value &index, Site site);
  Value iterate(const Value &value);
  // What a key is called among the fields of a dictionary; empty if it is not known.
  llvm::StringRef keyOf(const Value &key);
  // A sequence loses count of its elements and may hold one more.
  void blur(Object &sequence, const Value &added = {});
  // A sequence whose elements come from a call that is made when they are asked for.
  Value lazily(const Value &callee, const Arguments &arguments, Value sequence);
  // `container += value`: others that have the same container see it, too.
  void growInPlace(const Value &container, const Value &value);
  // A method; the container is the first argument.
  Value call(llvm::StringRef method, const Arguments &arguments, Site site);

private:
  // What a lazy sequence gives now.
  Value again(const Atom &sequence);
  // A call of a method, on one of the containers it may be.
  struct MethodCall {
    llvm::StringRef method;
    const Arguments &arguments;
    Site site;
    ObjectId storage;
    const Object before;   // of the container
    const Value *argument; // the first beside it, or null
  };
  using Method = Value (Containers::*)(const MethodCall &call);
  static Method findMethod(llvm::StringRef name);

  Value subscriptAtom(const Atom &atom, const Value &index, Site site);
  Value subscriptPath(const Atom &atom, const Value &index, Site site);
  Value subscriptObject(const Atom &atom, const Value &index, Site site);
  Value entry(const Object &dict, const Value &key);

  Value append(const MethodCall &call);
  Value update(const MethodCall &call);
  Value setDefault(const MethodCall &call);
  Value get(const MethodCall &call);
  Value items(const MethodCall &call);
  Value values(const MethodCall &call);
  Value keys(const MethodCall &call);
  Value copy(const MethodCall &call);
  Value clear(const MethodCall &call);
  Value sort(const MethodCall &call);
  Value setItem(const MethodCall &call);
  Value other(const MethodCall &call);
  Value later(const MethodCall &call, Value view);

  llvm::DenseSet<ObjectId> asked; // lazy sequences whose elements are being made
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_CONTAINERS_H
