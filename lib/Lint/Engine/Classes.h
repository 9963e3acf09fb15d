// Classes of the file: their bases and members.
#ifndef TILESMITH_LINT_ENGINE_CLASSES_H
#define TILESMITH_LINT_ENGINE_CLASSES_H

#include "Part.h"

namespace tilesmith::lint {

class Classes : public Part {
public:
  static constexpr unsigned maxBases = 64;

  explicit Classes(Interpreter &interpreter) : Part(interpreter) {}

  // The class and its bases, nearest first: classes of the file, paths of others.
  llvm::SmallVector<Atom, 4> linearise(ObjectId cls) const;
  // A member of the class or of a base, of those after one of them; or null.
  const Value *find(ObjectId cls, llvm::StringRef name, ObjectId after = 0) const;
  bool derivesFrom(ObjectId cls, llvm::StringRef path) const;
  // Whether it is a module of torch.
  bool isModule(ObjectId cls) const;
  // Whether it has a base outside of the file that holds what it is given: a container, an exception ...
  bool hasForeignBase(ObjectId cls) const;
  // Whether objects of it are, or look like, tensors.
  bool isTensorClass(ObjectId cls) const;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_CLASSES_H
