// What several rules ask of an expression.
#include "tilesmith/Lint/Kernels.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

bool isConstExpr(const KernelFile &file, const Parameter &parameter, const Function &in) {
  const Expr *annotation = parameter.annotation;
  if (auto *subscript = llvm::dyn_cast_or_null<Subscript>(annotation))
    annotation = subscript->value;
  if (auto *text = llvm::dyn_cast_or_null<Constant>(annotation))
    return text->constant == ConstantKind::String && text->text.contains("ConstExpr");
  std::string path = file.path(annotation, in.parent ? *in.parent : file.getModule());
  return path == "asc.ConstExpr" || path == "asc2.ConstExpr" || llvm::StringRef(path).ends_with(".constexpr");
}

static bool isCompileTime(const KernelFile &file, const Expr *expr, const Function &in, unsigned depth);

static bool isCompileTimeName(const KernelFile &file, const Name &name, const Function &in, unsigned depth) {
  if (in.def)
    for (const Parameter &parameter : in.def->parameters)
      if (parameter.name == name.id)
        return isConstExpr(file, parameter, in);
  auto found = in.bound.find(name.id);
  if (found == in.bound.end()) // of the module or of the function around the kernel: its value is taken while compiling
    return true;
  return found->second.size() == 1 && found->second[0] && isCompileTime(file, found->second[0], in, depth);
}

static bool isCompileTime(const KernelFile &file, const Expr *expr, const Function &in, unsigned depth) {
  if (!expr || !depth--)
    return false;
  auto all = [&](Exprs exprs) {
    return llvm::all_of(exprs, [&](const Expr *it) { return isCompileTime(file, it, in, depth); });
  };
  if (llvm::isa<Constant>(expr))
    return true;
  if (auto *name = llvm::dyn_cast<Name>(expr))
    return isCompileTimeName(file, *name, in, depth);
  if (auto *binary = llvm::dyn_cast<BinOp>(expr))
    return all({binary->lhs, binary->rhs});
  if (auto *unary = llvm::dyn_cast<UnaryOp>(expr))
    return all({unary->operand});
  if (auto *compare = llvm::dyn_cast<Compare>(expr))
    return all(compare->operands);
  if (auto *logic = llvm::dyn_cast<BoolOp>(expr))
    return all(logic->operands);
  if (auto *choice = llvm::dyn_cast<IfExp>(expr))
    return all({choice->condition, choice->body, choice->orElse});
  if (auto *sequence = llvm::dyn_cast<Sequence>(expr))
    return all(sequence->elements);
  if (auto *subscript = llvm::dyn_cast<Subscript>(expr))
    return all({subscript->value, subscript->index});
  if (auto *attribute = llvm::dyn_cast<Attribute>(expr)) // what a type is, and how large a tile, is known
    return attribute->name == "dtype" || attribute->name == "itemsize" || attribute->name == "ndim" ||
           !file.path(expr, in).empty() || isCompileTime(file, attribute->value, in, depth);
  if (auto *call = llvm::dyn_cast<Call>(expr)) {
    std::string path = file.path(call->callee, in);
    auto *name = llvm::dyn_cast<Name>(call->callee);
    static constexpr llvm::StringLiteral folding[] = {"len", "int", "float", "min", "max", "abs", "isinstance", "bool"};
    bool isFolding = (name && llvm::is_contained(folding, name->id)) || path == "asc.ceildiv" || path == "asc2.ceildiv";
    return isFolding && all(call->arguments);
  }
  return false;
}

bool isCompileTime(const KernelFile &file, const Expr *expr, const Function &in) {
  return isCompileTime(file, expr, in, 12);
}

bool isCheck(llvm::StringRef path) {
  llvm::StringRef last = path.rsplit('.').second;
  if (last.empty())
    last = path;
  static constexpr llvm::StringLiteral known[] = {
      "assert_allclose", "assert_array_equal",  "assert_array_almost_equal", "assert_equal",
      "assert_close",    "assert_almost_equal", "assert_array_max_ulp",      "detailed_tensor_compare"};
  if (llvm::is_contained(known, last))
    return true;
  // A function of another file whose name says that it compares; libraries that compute are not meant.
  static constexpr llvm::StringLiteral libraries[] = {"numpy", "torch", "asc2", "math", "os", "sys"};
  if (!path.contains('.') || llvm::is_contained(libraries, path.split('.').first))
    return false;
  return llvm::any_of(llvm::ArrayRef<llvm::StringLiteral>{"check", "verify", "compare", "assert", "accept"},
                      [&](llvm::StringRef word) { return last.contains_insensitive(word); });
}

} // namespace tilesmith::lint
