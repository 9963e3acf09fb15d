// The values of the abstract interpreter.
//
// A Value is the set of things an expression may stand for. Each Atom is one of them: a constant, plain host data,
// something of another module known by its dotted path, a kernel, a tensor, or an object of the candidate. Objects and
// tensors' buffers live in a State, which is copied at branches and joined where they meet; copies share what did not
// change.
//
// Invariants
//  - an ObjectId means one object in every State in which it exists
//  - an empty Value belongs to a path that is not taken
#ifndef TILESMITH_LINT_VALUES_H
#define TILESMITH_LINT_VALUES_H

#include "tilesmith/Frontend/Ast.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <memory>
#include <vector>

namespace tilesmith::lint {

using ObjectId = uint32_t; // 0: none

enum class AtomKind : uint8_t {
  Constant, // known exactly
  Host,     // a number, shape, dtype, string ... whatever is not a tensor
  Path,     // something of another module, by name: "torch.matmul", "builtins.len"
  Foreign,  // made by calling something of another module: its path
  Kernel,   // `object` is its number in the table of kernels
  Launcher, // the same, with a grid
  Tensor,   // `object` is its buffer
  Object,
};

struct Atom {
  // Of Host: read from a tensor; computed from such; a truth value; all elements of a tensor. Of Tensor: a part of its
  // buffer; its bits read as another type. Of Launcher: its grid is empty.
  enum Flag : uint8_t { FromTensor = 1, Computed = 2, Part = 4, Idle = 8, Boolean = 16, Many = 32, Bits = 64 };

  AtomKind kind;
  uint8_t flags = 0;
  ast::ConstantKind constant = ast::ConstantKind::None;
  ObjectId object = 0; // of Host: the buffer it is the address of
  int64_t integer = 0;
  double number = 0;
  llvm::StringRef text = {}; // Path, Foreign, String

  bool operator==(const Atom &) const = default;
  bool isNone() const { return kind == AtomKind::Constant && constant == ast::ConstantKind::None; }
  bool isString() const { return kind == AtomKind::Constant && constant == ast::ConstantKind::String; }
  bool isInteger() const {
    return kind == AtomKind::Constant && (constant == ast::ConstantKind::Int || constant == ast::ConstantKind::Bool);
  }
};

class Value {
public:
  Value() = default;
  Value(const Atom &atom) : atoms{atom} {}
  Value(const Value &one, const Value &other) : Value(one) { add(other); }

  static Value host(uint8_t flags = 0) { return Atom{AtomKind::Host, flags}; }
  static Value none() { return Atom{AtomKind::Constant}; }
  static Value boolean(bool value) { return integral(value, ast::ConstantKind::Bool); }
  static Value integral(int64_t value, ast::ConstantKind kind = ast::ConstantKind::Int) {
    Atom atom{AtomKind::Constant, 0, kind};
    atom.integer = value;
    return atom;
  }
  static Value string(llvm::StringRef text) {
    Atom atom{AtomKind::Constant, 0, ast::ConstantKind::String};
    atom.text = text;
    return atom;
  }
  static Value path(llvm::StringRef text) { return named(AtomKind::Path, text); }
  static Value foreign(llvm::StringRef text) { return named(AtomKind::Foreign, text); }
  static Value object(ObjectId id) { return of(AtomKind::Object, id); }
  static Value tensor(ObjectId buffer, uint8_t flags = 0) { return of(AtomKind::Tensor, buffer, flags); }
  static Value kernel(ObjectId number) { return of(AtomKind::Kernel, number); }
  static Value of(AtomKind kind, ObjectId object, uint8_t flags = 0) {
    Atom atom{kind, flags};
    atom.object = object;
    return atom;
  }

  void add(const Atom &atom);
  void add(const Value &other) {
    for (const Atom &atom : other.atoms)
      add(atom);
  }
  // Constants that differ between the two become plain host data: what may change from call to call has no known value.
  void widen(const Value &other);

  bool empty() const { return atoms.empty(); }
  const Atom *single() const { return atoms.size() == 1 ? &atoms[0] : nullptr; }
  bool has(AtomKind kind) const {
    return llvm::any_of(atoms, [&](const Atom &atom) { return atom.kind == kind; });
  }
  bool hasTensor() const { return has(AtomKind::Tensor); } // the value itself, not something in it
  bool operator==(const Value &) const = default;

  llvm::SmallVector<Atom, 1> atoms;

private:
  static Value named(AtomKind kind, llvm::StringRef text) {
    Atom atom{kind};
    atom.text = text;
    return atom;
  }
};

enum class ObjectKind : uint8_t {
  Scope,    // fields: names; parent: the enclosing scope
  Function, // node: FunctionDef; parent: its scope; owner: the class that holds it; elements: defaults by parameter
  Class,    // node: ClassDef; elements: bases; fields: attributes
  Instance, // parent: its class; fields: attributes
  // Elements if isExact, else rest. What gives elements only when it is asked: callee is called once more then, or the
  // comprehension `node` evaluated in the scope `parent`.
  Sequence,
  Dict,     // fields by key, and rest: of keys that are not known, or of all other keys if not isExact
  Bound,    // callee with elements and fields in front of its arguments: methods, functools.partial
  Property, // callee
  Static,   // callee: a static method
  ClassMethod,
  Cached,     // callee: results are kept from call to call
  Sequential, // elements: modules called one after the other
  Super,      // owner: the class to search after; callee: self
  Attributes, // parent: the object whose attributes are used as a dictionary
  Buffer,
};

// Where the contents of a buffer come from, the least welcome last.
enum class Origin : uint8_t { Fresh, Parameter, Input, Computed, Stale };

// Memory of a tensor. Views share it.
struct Buffer {
  Origin origin = Origin::Fresh;
  bool isWritten = false;                  // on every path to here, a kernel of this call stored into it
  llvm::SmallVector<unsigned, 1> inputs;   // of forward: what it is, or was computed from, by number
  llvm::SmallVector<unsigned, 1> kernels;  // whose results may be in it, sorted
  llvm::SmallVector<ObjectId, 0> pointees; // buffers whose addresses it holds

  void addKernels(llvm::ArrayRef<unsigned> more);
};

struct Object {
  ObjectKind kind;
  const ast::Node *node = nullptr;
  ObjectId parent = 0, owner = 0;
  bool isExact = true;
  bool letsRaise = false; // of a generator: no handler is around its yields, so what is raised there leaves it
  bool isClassScope = false;
  std::map<llvm::StringRef, Value> fields;
  std::map<llvm::StringRef, ObjectId> elsewhere; // Scope: names declared global or nonlocal
  std::vector<Value> elements;
  Value rest, callee;
  Buffer buffer;

  explicit Object(ObjectKind kind) : kind(kind) {}
  // All elements or entries in one.
  Value all() const;
};

class State {
public:
  bool alive = true;

  bool exists(ObjectId id) const { return id < objects.size() && objects[id]; }
  // An object that does not exist on this path is an empty buffer: nothing comes from it.
  const Object &get(ObjectId id) const;
  Object &change(ObjectId id);
  void put(ObjectId id, Object object);
  size_t size() const { return objects.size(); }

  enum class Join : uint8_t {
    Plain,
    FirstWrites, // a buffer counts as written if the first path writes it: the other is taken for empty tensors only
    Widen,       // the other path is an earlier call of forward
  };
  void join(const State &other, Join how = Join::Plain);
  // Between two calls of forward: what was computed by the first is stale in the second.
  void age();

private:
  std::vector<std::shared_ptr<Object>> objects;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_VALUES_H
