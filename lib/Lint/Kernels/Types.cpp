#include "Types.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static constexpr llvm::StringLiteral names[] = {"int8",   "int16",  "int32",   "int64",    "uint8",   "uint16",
                                                "uint32", "uint64", "float16", "bfloat16", "float32", "float64"};

static std::string typeNamed(const KernelFile &file, const Expr *expr, const Function &in) {
  std::string path = file.path(file.meaning(expr, in), in);
  if (path.empty())
    path = file.path(expr, in);
  auto [module, name] = llvm::StringRef(path).rsplit('.');
  bool isModule = module == "asc" || module == "asc2" || module == "numpy" || module == "torch";
  return isModule && llvm::is_contained(names, name) ? name.str() : std::string();
}

static bool isLiteral(llvm::StringRef type) { return type == "integer" || type == "float"; }

std::string writtenType(const KernelFile &file, const Expr *expr, const Function &in, unsigned hops) {
  if (!expr || !hops--)
    return {};
  if (auto *constant = llvm::dyn_cast<Constant>(expr))
    return constant->constant == ConstantKind::Int     ? "integer"
           : constant->constant == ConstantKind::Float ? "float"
                                                       : "";
  if (auto *unary = llvm::dyn_cast<UnaryOp>(expr))
    return unary->op == UnaryOperator::Not ? "" : writtenType(file, unary->operand, in, hops);
  if (auto *binary = llvm::dyn_cast<BinOp>(expr)) {
    std::string lhs = writtenType(file, binary->lhs, in, hops), rhs = writtenType(file, binary->rhs, in, hops);
    if (lhs == rhs)
      return lhs;
    if (isLiteral(lhs) || isLiteral(rhs))
      return isLiteral(lhs) ? isLiteral(rhs) ? "float" : rhs : lhs;
    return {};
  }
  if (auto *call = llvm::dyn_cast<Call>(expr)) {
    if (std::string type = typeNamed(file, call->callee, in); !type.empty())
      return type;
    auto *method = llvm::dyn_cast<Attribute>(call->callee);
    std::string path = file.path(call->callee, in);
    if (method && path.empty() && method->name == "to")
      return typeNamed(file, argument(*call, 0, "dtype"), in);
    if (path == "asc2.cast")
      return typeNamed(file, argument(*call, 1, "dtype"), in);
    if (path == "asc2.full")
      return typeNamed(file, argument(*call, 2, "dtype"), in);
    if (path == "asc2.zeros" || path == "asc2.ones")
      return typeNamed(file, argument(*call, 1, "dtype"), in);
    return {};
  }
  auto *name = llvm::dyn_cast<Name>(expr);
  if (!name)
    return {};
  if (in.def)
    for (const Parameter &parameter : in.def->parameters)
      if (parameter.name == name->id && parameter.annotation)
        return typeNamed(file, parameter.annotation, in.parent ? *in.parent : file.getModule());
  const Expr *value = file.meaning(expr, in);
  return value == expr ? std::string() : writtenType(file, value, in, hops);
}

bool differ(llvm::StringRef one, llvm::StringRef other) {
  if (one.empty() || other.empty() || one == other)
    return false;
  auto takes = [](llvm::StringRef literal, llvm::StringRef type) {
    bool isFloat = type.contains("float");
    return (literal == "integer" && !isFloat) || (literal == "float" && isFloat && type != "integer");
  };
  return !takes(one, other) && !takes(other, one);
}

} // namespace tilesmith::lint
