// Builtins: functions the compiler implements, known by name, with the signature Python shows.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_BUILTINS_H
#define TILESMITH_LIB_FRONTEND_PYTHON_BUILTINS_H

#include "Kind.h"

#include "llvm/ADT/StringMap.h"

namespace tilesmith::frontend {

// An argument of a call, with its place.
struct Argument {
  Value value;
  Range range;
  explicit operator bool() const { return bool(value); }
};

struct CallSite {
  Range range;
  llvm::SmallVector<Argument, 4> positional;
  llvm::SmallVector<std::pair<llvm::StringRef, Argument>, 2> keywords;
};

// Arguments of a builtin in the order of its signature; invalid where an optional one is missing.
struct Arguments {
  Range range;
  llvm::StringRef name;
  llvm::SmallVector<Argument, 6> named;
  llvm::SmallVector<Argument, 4> rest; // of the `*` parameter
  const Argument &operator[](unsigned i) const { return named[i]; }
};

// The parameters of a builtin: "tensor, shape=None, *, tile_id=None" or "input, *dims, keep_dims=False".
struct Signature {
  struct Parameter {
    llvm::StringRef name;
    bool required;
  };
  explicit Signature(llvm::StringRef text);

  llvm::StringRef text;
  llvm::SmallVector<Parameter, 6> parameters; // without the `*` one
  size_t positional = 0;                      // those before the `*`
  bool isVariadic = false;
};

// What Python declares (tools/declarations.py): the signature of a builtin.
struct Declaration {
  llvm::StringLiteral name, signature;
};

struct Builtin {
  using Lower = Value (*)(Lowering &, const Arguments &);
  // Python's own functions are not declared and bring their signature.
  struct Row {
    llvm::StringLiteral name;
    Lower lower;
    llvm::StringLiteral signature = "";
  };
  llvm::StringRef name;
  Signature signature;
  Lower lower;
};

// The builtins of a language, made once.
class Builtins {
public:
  Builtins(llvm::ArrayRef<Declaration> declarations, std::initializer_list<llvm::ArrayRef<Builtin::Row>> families);
  // Null if there is none.
  const Builtin *find(llvm::StringRef name) const;

private:
  llvm::StringMap<Builtin> table;
};

// Those of Python itself, which take over where a value is not known while compiling, and the tools of `asc`.
const Builtins &pythonBuiltins();
llvm::ArrayRef<Declaration> ascDeclarations();
llvm::ArrayRef<Builtin::Row> scalarBuiltins();
llvm::ArrayRef<Builtin::Row> sequenceBuiltins();
llvm::ArrayRef<Builtin::Row> rangeBuiltins();
llvm::ArrayRef<Builtin::Row> dictBuiltins();
// The builtin behind a method of a runtime number; empty if there is none.
llvm::StringRef scalarMethod(llvm::StringRef name);
std::vector<std::string> scalarMethodNames(); // and attributes

// range(stop), range(start, stop[, step]): the range of 1 to 3 numbers, for languages whose loops have more arguments.
Value makeRange(Lowering &l, const Arguments &args, bool isStatic);

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_BUILTINS_H
