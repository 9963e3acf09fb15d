// A part of the interpreter: what it has of its own is private, and it reaches the others by name.
#ifndef TILESMITH_LINT_ENGINE_PART_H
#define TILESMITH_LINT_ENGINE_PART_H

#include "Notes.h"
#include "World.h"

namespace tilesmith::lint {

struct Interpreter;
class Attributes;
class Buffers;
class Builtins;
class Calls;
class Classes;
class Containers;
class ControlFlow;
class Expressions;
class KernelTable;
class Launches;
class Libraries;
class Modules;
class Operators;
class Outside;
class Scopes;
class Statements;
class Torch;

// What a call is given.
struct Arguments {
  llvm::SmallVector<Value, 4> positional;
  llvm::SmallVector<std::pair<llvm::StringRef, Value>, 2> keywords;
  Value rest; // any number of further arguments, by position or name
  bool hasRest = false;

  Arguments() = default;
  Arguments(std::initializer_list<Value> positional) : positional(positional) {}
  // Nothing is known about them but what they may be.
  static Arguments anyOf(Value value);

  Value all() const;
  const Value *keyword(llvm::StringRef name) const;
  const Value *get(size_t position, llvm::StringRef name) const;
  const Value *first() const;
  Arguments withoutFirst() const;
};

class Part {
public:
  Part(const Part &) = delete;

protected:
  explicit Part(Interpreter &interpreter);

  World &world;
  State &state; // of the world
  Notes &notes;
  Scopes &scopes;
  Buffers &buffers;
  Classes &classes;
  Attributes &attributes;
  Containers &containers;
  Operators &operators;
  Outside &outside;
  Calls &calls;
  KernelTable &kernels;
  Launches &launches;
  Libraries &libraries;
  Builtins &builtins;
  Torch &torch;
  Modules &modules;
  Expressions &expressions;
  Statements &statements;
  ControlFlow &control;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_PART_H
