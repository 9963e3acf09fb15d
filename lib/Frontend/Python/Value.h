// What a Python expression inside a kernel evaluates to.
//
// A value is of a kind (Kind.h). Python's own kinds are here: those known while compiling (Host, and sequences, ranges,
// slices and methods made of it) and those that exist when the kernel runs (Scalar, Address: these hold IR). A language
// adds kinds of its own. A value without a kind means that an error was reported.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_VALUE_H
#define TILESMITH_LIB_FRONTEND_PYTHON_VALUE_H

#include "tilesmith/Frontend/HostEval.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"

#include <memory>

namespace tilesmith::frontend {

class Kind;
struct Parts;
struct SequenceParts;
struct RangeParts;
struct MethodParts;
struct FunctionParts;
struct DictParts;
struct Frame;

// The kinds of values Python has.
namespace kinds {
extern const Kind *const host;     // a Python object
extern const Kind *const scalar;   // PlainValue: a runtime number
extern const Kind *const address;  // GlobalAddress; items: the element offset, if any
extern const Kind *const sequence; // a tuple or list with any elements
extern const Kind *const method;   // bound method of a value; items: the value
extern const Kind *const function; // a def or lambda inside a kernel; items: defaults of its parameters, if any
extern const Kind *const range;    // range(...); items: start, stop, step
extern const Kind *const slice;    // items: lower, upper, step
extern const Kind *const dict;     // a dictionary with any values; items: these
} // namespace kinds

struct Value {
  const Kind *kind = nullptr;
  DType dtype = DType::Void;    // Scalar, Address, and what a language makes
  unsigned cell = 0;            // of a value that changes in place (Cells.h)
  mlir::Value ir;               // of what exists when the kernel runs
  HostRef host;                 // Host
  std::shared_ptr<Parts> parts; // shared by all names bound to the value

  explicit operator bool() const { return kind; }
  bool is(const Kind *other) const { return kind == other; }
  bool isHost() const { return is(kinds::host); }
  bool isScalar() const { return is(kinds::scalar); }
  bool isSequence() const { return is(kinds::sequence); }

  llvm::ArrayRef<Value> items() const;
  SequenceParts &sequence() const; // of a Sequence
  RangeParts &range() const;       // of a Range
  MethodParts &method() const;     // of a Method
  FunctionParts &function() const; // of a Function
  DictParts &dict() const;         // of a Dict

  static Value ofHost(HostRef object);
  static Value ofScalar(mlir::Value ir, DType dtype);
  static Value ofAddress(mlir::Value base, DType dtype);
  static Value ofAddress(mlir::Value base, DType dtype, const Value &offset);
  static Value ofSequence(llvm::ArrayRef<Value> items, bool isList, unsigned region = 0);
  static Value ofMethod(const Value &receiver, llvm::StringRef name);
  static Value ofFunction(const ast::FunctionDef &tree, Frame &around, llvm::ArrayRef<Value> defaults);
  static Value ofRange(llvm::ArrayRef<Value> bounds, bool isStatic);
  static Value ofSlice(llvm::ArrayRef<Value> bounds);
  static Value ofDict(unsigned region);
  // A value of any kind made of others.
  static Value ofItems(const Kind *kind, llvm::ArrayRef<Value> items);
};

// What a value is made of. Kinds derive from it to keep more.
struct Parts {
  virtual ~Parts() = default;
  llvm::SmallVector<Value, 3> items;
};
struct SequenceParts : Parts {
  bool isList = false;
  // The builtins behind methods that a tuple does not have; null: none. Given by the language that made it.
  llvm::StringRef (*methods)(llvm::StringRef name) = nullptr;
  DType arrayOf = DType::Void; // asc.array: what each item is
  unsigned region = 0;         // where a list was made: it may only be changed there
};
struct RangeParts : Parts {
  bool isStatic = false;                                 // unrolled while compiling
  llvm::SmallVector<mlir::NamedAttribute, 2> attributes; // what the loop's operation says about it
  llvm::SmallVector<Value> beside;                       // what a loop gives its body beside the index
};
struct MethodParts : Parts {
  std::string name;
};
struct DictParts : Parts {
  llvm::SmallVector<HostRef, 3> keys; // of items; each once
  unsigned region = 0;                // where it was made: it may only be changed there
};
// A function defined inside another one, whose names it sees as they are when it is called.
struct FunctionParts : Parts {
  const ast::FunctionDef *tree = nullptr;
  Frame *around = nullptr;
  unsigned number = 0; // of that frame: it may have ended, and its place belong to another one
};

// The truth of a value: known while compiling, or an i1. Not valid after an error.
struct Truth {
  bool valid = false;
  bool isKnown = false, known = false;
  mlir::Value runtime;
};

// The runtime type a Python number takes when control flow changes it: a scalar, or what a language fills with it.
struct Target {
  const Kind *kind = nullptr;
  DType dtype = DType::Void; // of a scalar
  mlir::Type type;           // of other kinds
  explicit operator bool() const { return kind; }
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_VALUE_H
