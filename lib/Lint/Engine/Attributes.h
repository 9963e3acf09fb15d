// Attributes: of tensors, of classes and instances of the file, of other modules.
#ifndef TILESMITH_LINT_ENGINE_ATTRIBUTES_H
#define TILESMITH_LINT_ENGINE_ATTRIBUTES_H

#include "Part.h"

namespace tilesmith::lint {

class Attributes : public Part {
public:
  explicit Attributes(Interpreter &interpreter) : Part(interpreter) {}

  Value get(const Value &value, llvm::StringRef name, Site site);
  Value getOf(const Atom &atom, llvm::StringRef name, Site site);
  // Of a name that is a value: any attribute, unless it is a known string.
  Value getNamed(const Value &value, const Value &name, Site site);
  void set(const Value &object, llvm::StringRef name, const Value &value, Site site);
  void setNamed(const Value &object, const Value &name, const Value &value, Site site);
  // Something of another module gets another value.
  void tellPatch(llvm::StringRef path, Site site);

private:
  Value getAny(const Value &value, Site site);
  void setAny(const Value &object, const Value &value, Site site);
  Value ofObject(const Atom &atom, llvm::StringRef name, Site site);
  Value ofInstance(const Atom &atom, llvm::StringRef name, Site site);
  Value ofClass(const Atom &atom, llvm::StringRef name, Site site);
  Value ofSuper(const Object &object, llvm::StringRef name, Site site);
  Value ofFunction(const Atom &atom, llvm::StringRef name, Site site);
  Value ofForeignBase(llvm::StringRef base, const Atom &self, llvm::StringRef name);
  Value ofTensor(const Atom &atom, llvm::StringRef name);
  Value bindToInstance(const Value &found, const Atom &self, ObjectId cls, Site site);
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_ATTRIBUTES_H
