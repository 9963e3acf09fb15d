// Objects that a kernel makes and calls methods of: those of the framework (pipes, queues, buffers, pools, allocators),
// and matrix objects.
#ifndef TILESMITH_LIB_FRONTEND_ASC_OBJECTS_H
#define TILESMITH_LIB_FRONTEND_ASC_OBJECTS_H

#include "Core.h"

namespace tilesmith::frontend::asc {

class ObjectKind : public Kind {
public:
  // Methods are the builtins of `rows` whose names begin with `methods`.
  constexpr ObjectKind(llvm::StringLiteral cls, llvm::StringLiteral methods, llvm::ArrayRef<Builtin::Row> (*rows)())
      : cls(cls), methods(methods), rows(rows) {}
  std::string describe(Lowering &, const Value &) const override {
    return ("a " + llvm::StringRef(cls).rsplit('.').second).str();
  }
  llvm::StringRef plural() const override { return "objects"; }
  llvm::StringRef className(const Value &) const override { return cls; }
  bool isSame(Lowering &, const Value &a, const Value &b) const override { return a.parts == b.parts; }
  llvm::StringRef method(const Value &, llvm::StringRef name) const override {
    for (const Builtin::Row &row : rows())
      if (row.name.starts_with(methods) && row.name.drop_front(methods.size()) == name)
        return row.name;
    return {};
  }
  std::vector<std::string> names(const Value &) const override {
    std::vector<std::string> names;
    for (const Builtin::Row &row : rows())
      if (row.name.starts_with(methods))
        names.push_back(row.name.drop_front(methods.size()).str());
    return names;
  }

private:
  llvm::StringLiteral cls, methods;
  llvm::ArrayRef<Builtin::Row> (*rows)();
};

// Of the framework. What changes when the kernel runs is in cells.
struct ObjectParts : Parts {
  const Kind *kind = nullptr;
  int64_t src = 0, dst = 0;               // positions
  int64_t depth = 0;                      // of a queue
  int64_t number = 0;                     // of a pipe
  unsigned handle = 0;                    // of a queue; the address of a buffer; the head of a pool or allocator
  unsigned bytes = 0, begin = 0, end = 0; // of a buffer; of a pool
  mlir::Value written;                    // its variable, in a kernel that is written
};

inline ObjectParts &objectOf(const Value &value) { return static_cast<ObjectParts &>(*value.parts); }

namespace object {
extern const Kind *const pipe, *const queue, *const bind, *const buffer, *const pool, *const allocator;
}

} // namespace tilesmith::frontend::asc

#endif // TILESMITH_LIB_FRONTEND_ASC_OBJECTS_H
