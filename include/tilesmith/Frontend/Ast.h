// Python syntax trees: our own copy of what CPython's `ast` parsed.
//
// A tree is built once per function or module and is immutable afterwards; the front end lowers functions, Lint reads
// modules. Nodes live in the arena of their Tree and are freed with it.
//
// Invariants
//  - every node has a position; lines count from 1 in the user's file, columns are UTF-8 byte offsets from 0
//  - constructs that cannot be lowered are Other nodes: they keep CPython's class name and their children. Those that
//  Lint
//    understands are subclasses of Other with fields of their own, told apart by `detail`
//  - no pointer to a child is null, except where a field says "or null"
#ifndef TILESMITH_FRONTEND_AST_H
#define TILESMITH_FRONTEND_AST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Casting.h"

#include <cstdint>
#include <string>

namespace tilesmith::ast {

struct Range {
  unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
  bool operator==(const Range &) const = default;
};

enum class Kind : uint8_t {
  // Statements.
  FunctionDef,
  Return,
  Assign,
  AugAssign,
  AnnAssign,
  For,
  While,
  If,
  With,
  Assert,
  ExprStmt,
  Pass,
  OtherStmt,
  // Expressions.
  Name,
  Constant,
  BinOp,
  UnaryOp,
  BoolOp,
  Compare,
  Call,
  Attribute,
  Subscript,
  Slice,
  Sequence,
  Starred,
  IfExp,
  JoinedStr,
  FormattedValue,
  OtherExpr,
};

enum class Operator : uint8_t { Add, Sub, Mul, MatMul, Div, Mod, Pow, LShift, RShift, BitOr, BitXor, BitAnd, FloorDiv };
enum class UnaryOperator : uint8_t { Invert, Not, UAdd, USub };
enum class CompareOperator : uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };

// The operator as the user writes it: "+", "not", "<=".
llvm::StringRef spelling(Operator op);
llvm::StringRef spelling(UnaryOperator op);
llvm::StringRef spelling(CompareOperator op);

struct Node {
  Kind kind;
  Range range;
};
struct Stmt : Node {
  static bool classof(const Node *node) { return node->kind <= Kind::OtherStmt; }
};
struct Expr : Node {
  static bool classof(const Node *node) { return node->kind > Kind::OtherStmt; }
};

using Body = llvm::ArrayRef<const Stmt *>;
using Exprs = llvm::ArrayRef<const Expr *>;

template <Kind K, typename Base> struct NodeOf : Base {
  static constexpr Kind nodeKind = K;
  static bool classof(const Node *node) { return node->kind == K; }
};

// Statements.

struct Parameter {
  llvm::StringRef name;
  Range range;
  bool isKeywordOnly = false;
  const Expr *annotation = nullptr;   // or null
  const Expr *defaultValue = nullptr; // or null
};

struct FunctionDef : NodeOf<Kind::FunctionDef, Stmt> {
  llvm::StringRef name;
  Range nameRange; // of `def name`
  llvm::ArrayRef<Parameter> parameters;
  llvm::StringRef variadic; // class of parameter that cannot be used: "*args" or "**kwargs"; empty if none
  llvm::StringRef restName, keywordsName; // of *rest and **keywords; empty if none
  Exprs decorators;
  Exprs otherAnnotations; // of what it returns, of *rest and of **keywords
  Body body;
};
struct Return : NodeOf<Kind::Return, Stmt> {
  const Expr *value; // or null
};
struct Assign : NodeOf<Kind::Assign, Stmt> {
  Exprs targets;
  const Expr *value;
};
struct AugAssign : NodeOf<Kind::AugAssign, Stmt> {
  const Expr *target;
  Operator op;
  const Expr *value;
};
struct AnnAssign : NodeOf<Kind::AnnAssign, Stmt> {
  const Expr *target;
  const Expr *annotation;
  const Expr *value; // or null
};
struct For : NodeOf<Kind::For, Stmt> {
  const Expr *target;
  const Expr *iterable;
  Body body, orElse;
};
struct While : NodeOf<Kind::While, Stmt> {
  const Expr *condition;
  Body body, orElse;
};
struct If : NodeOf<Kind::If, Stmt> {
  const Expr *condition;
  Body body, orElse;
};
struct With : NodeOf<Kind::With, Stmt> {
  Exprs contexts;
  Exprs variables; // null where an item has no `as`
  Body body;
};
struct Assert : NodeOf<Kind::Assert, Stmt> {
  const Expr *condition;
  const Expr *message; // or null
};
struct ExprStmt : NodeOf<Kind::ExprStmt, Stmt> {
  const Expr *value;
};
struct Pass : NodeOf<Kind::Pass, Stmt> {};

// What an Other node is in detail; None: only its class name and children are known.
enum class Detail : uint8_t {
  None,
  // Statements.
  ClassDef,
  Import,
  Try,
  Global,
  Match,
  AsyncStmt,
  // Expressions.
  Lambda,
  Dict,
  Comprehension,
  NamedExpr,
};

struct OtherStmt : NodeOf<Kind::OtherStmt, Stmt> {
  Detail detail = Detail::None;
  llvm::StringRef className;
  llvm::ArrayRef<const Node *> children;
};
struct OtherExpr : NodeOf<Kind::OtherExpr, Expr> {
  Detail detail = Detail::None;
  llvm::StringRef className;
  llvm::ArrayRef<const Node *> children;
};
template <Detail D, typename Base> struct DetailOf : Base {
  static constexpr Detail nodeDetail = D;
  static bool classof(const Node *node) {
    return node->kind == Base::nodeKind && static_cast<const Base *>(node)->detail == D;
  }
};

struct Keyword {
  llvm::StringRef name; // empty: **value
  const Expr *value;
  Range range;
};

struct ClassDef : DetailOf<Detail::ClassDef, OtherStmt> {
  llvm::StringRef name;
  Exprs bases;
  llvm::ArrayRef<Keyword> keywords;
  Exprs decorators;
  Body body;
};
struct ImportedName {
  llvm::StringRef name;  // "a.b" of `import a.b`, "c" or "*" of `from a import c`
  llvm::StringRef alias; // after `as`; empty if none
};
struct Import : DetailOf<Detail::Import, OtherStmt> {
  bool isFrom;
  llvm::StringRef module; // of `from module import`; dots of a relative import in front
  llvm::ArrayRef<ImportedName> names;
};
struct Handler {
  const Expr *type;     // or null
  llvm::StringRef name; // after `as`; empty if none
  Body body;
  Range range;
};
struct Try : DetailOf<Detail::Try, OtherStmt> {
  Body body;
  llvm::ArrayRef<Handler> handlers;
  Body orElse, finally;
};
struct Global : DetailOf<Detail::Global, OtherStmt> {
  bool isNonlocal;
  llvm::ArrayRef<llvm::StringRef> names;
};
struct MatchCase {
  llvm::ArrayRef<llvm::StringRef> captures; // names the pattern binds
  bool isIrrefutable;                       // a pattern that always matches, without a guard
  const Expr *guard;                        // or null
  Body body;
};
struct Match : DetailOf<Detail::Match, OtherStmt> {
  const Expr *subject;
  llvm::ArrayRef<MatchCase> cases;
};
// `async def`, `async for`, `async with`: the statement without the word.
struct AsyncStmt : DetailOf<Detail::AsyncStmt, OtherStmt> {
  const Stmt *stmt;
};

// Expressions.

struct Name : NodeOf<Kind::Name, Expr> {
  llvm::StringRef id;
};
enum class ConstantKind : uint8_t { None, Bool, Int, BigInt, Float, String, Bytes, Ellipsis, Complex };
struct Constant : NodeOf<Kind::Constant, Expr> {
  ConstantKind constant;
  int64_t integer = 0;  // Bool, Int
  double number = 0;    // Float
  llvm::StringRef text; // String, Bytes; digits of a BigInt
};
struct BinOp : NodeOf<Kind::BinOp, Expr> {
  const Expr *lhs;
  Operator op;
  const Expr *rhs;
};
struct UnaryOp : NodeOf<Kind::UnaryOp, Expr> {
  UnaryOperator op;
  const Expr *operand;
};
struct BoolOp : NodeOf<Kind::BoolOp, Expr> {
  bool isAnd;
  Exprs operands;
};
struct Compare : NodeOf<Kind::Compare, Expr> {
  Exprs operands; // one more than operators
  llvm::ArrayRef<CompareOperator> operators;
};
struct Call : NodeOf<Kind::Call, Expr> {
  const Expr *callee;
  Exprs arguments;
  llvm::ArrayRef<Keyword> keywords;
};
struct Attribute : NodeOf<Kind::Attribute, Expr> {
  const Expr *value;
  llvm::StringRef name;
};
struct Subscript : NodeOf<Kind::Subscript, Expr> {
  const Expr *value;
  const Expr *index;
};
struct Slice : NodeOf<Kind::Slice, Expr> {
  const Expr *lower, *upper, *step; // or null
};
struct Sequence : NodeOf<Kind::Sequence, Expr> {
  bool isList; // else a tuple
  Exprs elements;
};
struct Starred : NodeOf<Kind::Starred, Expr> {
  const Expr *value;
};
struct IfExp : NodeOf<Kind::IfExp, Expr> {
  const Expr *condition, *body, *orElse;
};
struct JoinedStr : NodeOf<Kind::JoinedStr, Expr> {
  Exprs parts;
};
struct FormattedValue : NodeOf<Kind::FormattedValue, Expr> {
  const Expr *value;
  char conversion;    // 'r', 's', 'a' or 0
  const Expr *format; // or null
};
struct Lambda : DetailOf<Detail::Lambda, OtherExpr> {
  const FunctionDef *function; // without a name; its body is one return statement
};
struct Dict : DetailOf<Detail::Dict, OtherExpr> {
  Exprs keys; // null: **value
  Exprs values;
};
struct Generator {
  const Expr *target, *iterable;
  Exprs conditions;
};
// Comprehensions of lists, sets and dictionaries, and generator expressions: className tells which.
struct Comprehension : DetailOf<Detail::Comprehension, OtherExpr> {
  const Expr *element; // the value of a dictionary's item
  const Expr *key;     // or null
  llvm::ArrayRef<Generator> generators;
};
struct NamedExpr : DetailOf<Detail::NamedExpr, OtherExpr> {
  const Expr *target, *value;
};

// Owns the nodes and strings of one function or module.
class Tree {
public:
  Tree() = default;
  Tree(const Tree &) = delete;
  Tree &operator=(const Tree &) = delete;

  template <typename T> T *make(const Range &range) {
    T *node = new (allocator.Allocate<T>()) T();
    node->kind = T::nodeKind;
    node->range = range;
    return node;
  }
  llvm::StringRef copy(llvm::StringRef text) { return text.copy(allocator); }
  template <typename T> llvm::ArrayRef<T> copy(llvm::ArrayRef<T> items) { return items.copy(allocator); }

  const FunctionDef *function = nullptr; // of a tree made from one function
  Body module;                           // of a tree made from a module

private:
  llvm::BumpPtrAllocator allocator;
};

// The text a tree came from, for error excerpts. Lines count as in the user's file.
struct SourceFile {
  std::string name;
  unsigned firstLine = 1;
  std::string text;

  // Line `line` without its end, or an empty string outside the text.
  llvm::StringRef getLine(unsigned line) const;
};

// Names that statements of `body` bind (assignments, loop targets), nested blocks included, each once, in order.
llvm::SmallVector<llvm::StringRef> collectAssignedNames(Body body);

} // namespace tilesmith::ast

#endif // TILESMITH_FRONTEND_AST_H
