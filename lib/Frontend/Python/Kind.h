// A kind of values: what Python has to know of them to lower a kernel that uses them.
//
// Kinds are open: a language derives from Kind and makes values that point to its object. The object lives as long as
// the program and has no state; what a kind needs per kernel is in the language's Session. Everything has a default,
// that of a value which can be named, passed around and given to builtins, and nothing else.
//
// Control flow takes a value apart into the IR values it holds (its leaves). These pass through block arguments and
// results, and a value of the same structure is put together on the other side. What has no leaves passes only if it
// does not change.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_KIND_H
#define TILESMITH_LIB_FRONTEND_PYTHON_KIND_H

#include "Value.h"

#include "llvm/Support/JSON.h"

namespace tilesmith::frontend {

class Lowering;
using ast::Range;

class Kind {
public:
  // As messages name a value: "a tile [4, 64] float16".
  virtual std::string describe(Lowering &l, const Value &value) const = 0;
  // As messages name all of them: "tiles".
  virtual llvm::StringRef plural() const { return "these values"; }
  // The class isinstance knows it by ("asc2.Tile"); empty: none.
  virtual llvm::StringRef className(const Value &) const { return {}; }
  // The type of its number or elements.
  virtual DType dtypeOf(Lowering &, const Value &) const { return DType::Void; }
  // What an operation sees: of a value that changes in place, the current one.
  virtual Value read(Lowering &, const Value &value) const { return value; }
  // The object of the host it stands for; null if it holds IR.
  virtual HostRef toHost(Lowering &, const Value &) const { return {}; }

  // Through control flow.
  virtual void flatten(Lowering &, const Value &, llvm::SmallVectorImpl<mlir::Value> &) const {}
  virtual Value rebuild(Lowering &, const Value &like, mlir::ValueRange &) const { return like; }
  // True if both can stand for one another without any carried IR. Both are of this kind.
  virtual bool isSame(Lowering &l, const Value &a, const Value &b) const;
  // True if they differ only in their leaves.
  virtual bool sameStructure(Lowering &l, const Value &a, const Value &b) const { return isSame(l, a, b); }
  // The value with everything in it that may change as a leaf.
  virtual Value carried(Lowering &, const Value &value, const Range &) const { return value; }
  // What a Python number becomes that takes turns with the value; none if there is no such type.
  virtual Target targetOf(const Value &) const { return {}; }
  // `value` as one of this kind and the target's type; invalid, without an error, if it is not possible.
  virtual Value convert(Lowering &, const Value &, const Target &, const Range &) const { return {}; }

  // Operators. Nothing: Python's own rules decide. An operator of two values asks the left one's kind first.
  virtual std::optional<Value> binary(Lowering &, ast::Operator, const Value &, const Value &, const Range &) const {
    return std::nullopt;
  }
  virtual std::optional<Value> unary(Lowering &, ast::UnaryOperator, const Value &, const Range &) const {
    return std::nullopt;
  }
  virtual std::optional<Value> compare(Lowering &, ast::CompareOperator, const Value &, const Value &,
                                       const Range &) const {
    return std::nullopt;
  }
  virtual Truth truth(Lowering &l, const Value &value, const Range &range) const;

  // Attributes; nothing if there is no such name.
  virtual std::optional<Value> attribute(Lowering &, const Value &, llvm::StringRef, const Range &) const {
    return std::nullopt;
  }
  // The builtin behind a method ("sum" to "asc2.reduce_sum"); empty if there is none.
  virtual llvm::StringRef method(const Value &, llvm::StringRef) const { return {}; }

  // The names of all attributes and methods, for "did you mean"; and what Language::instead calls a value of this kind.
  virtual std::vector<std::string> names(const Value &) const { return {}; }
  virtual llvm::StringRef origin() const { return {}; }

  // Items, items and attributes that can be assigned, and values that can be called. Nothing, or false: the kind has
  // none.
  virtual std::optional<Value> item(Lowering &, const Value &, const Value &, const Range &) const {
    return std::nullopt;
  }
  virtual bool hasItems() const { return false; }
  virtual bool setItem(Lowering &, const Value &, const Value &, const Value &, const Range &) const { return false; }
  virtual bool hasAttributes() const { return false; }
  virtual bool setAttribute(Lowering &, const Value &, llvm::StringRef, const Value &, const Range &) const {
    return false;
  }
  // The builtin behind a call of the value itself; empty: it cannot be called.
  virtual llvm::StringRef callee() const { return {}; }

  // What to write instead of something Python has and the kind does not: a builtin ("len"), or "[]" for an item. Empty:
  // no advice.
  virtual llvm::StringRef instead(llvm::StringRef) const { return {}; }

  // What a debugger shows of the value, as JSON. IR it reads when the kernel runs is appended to `ir`, and the JSON has
  // its place there. The default is what messages call the value.
  virtual llvm::json::Value inspect(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &ir) const;

  // With statements. What is not a context is asked of the host.
  virtual bool isContext() const { return false; }
  virtual bool enter(Lowering &, const Value &, const Range &) const { return false; }
  virtual void leave(Lowering &) const {}
  // A with statement whose body runs as long as the value is true (`truth`), for what `next` gives.
  virtual bool isLoop() const { return false; }
  virtual Value next(Lowering &, const Value &, const Range &) const { return {}; }

protected:
  constexpr Kind() = default;
  ~Kind() = default;
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_KIND_H
