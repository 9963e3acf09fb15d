// What a file of an operator imports, in whatever way.
#include "Pypto.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

namespace tilesmith::lint::pypto {

using namespace ast;

// The text an expression is, as far as it is written in the file; `?` for the rest.
static std::string textOf(const KernelFile &file, const Expr *expr, const Function &in, unsigned hops = 8) {
  expr = file.meaning(expr, in);
  if (!expr || !hops--)
    return "?";
  if (auto *constant = llvm::dyn_cast<Constant>(expr))
    return constant->constant == ConstantKind::String ? constant->text.str() : "?";
  if (auto *joined = llvm::dyn_cast<JoinedStr>(expr)) {
    std::string text;
    for (const Expr *part : joined->parts) {
      auto *value = llvm::dyn_cast<FormattedValue>(part);
      text += textOf(file, value ? value->value : part, in, hops);
    }
    return text;
  }
  auto *sum = llvm::dyn_cast<BinOp>(expr);
  if (sum && (sum->op == Operator::Add || sum->op == Operator::Div)) // of paths, too
    return textOf(file, sum->lhs, in, hops) + (sum->op == Operator::Div ? "/" : "") + textOf(file, sum->rhs, in, hops);
  if (auto *call = llvm::dyn_cast<Call>(expr)) { // str(path), os.path.join(here, name), open(name).read()
    std::string text;
    for (const Expr *argument : call->arguments)
      text += "/" + textOf(file, argument, in, hops);
    if (auto *method = llvm::dyn_cast<Attribute>(call->callee); method && file.path(method, in).empty())
      text = textOf(file, method->value, in, hops) + text;
    return text;
  }
  return "?";
}

// `gelu_golden` of "custom/gelu/gelu_golden.py"; empty if it is not a file of Python.
static std::string moduleOfFile(llvm::StringRef path) {
  size_t at = path.rfind(".py");
  return at == llvm::StringRef::npos                      ? std::string()
         : path.take_front(at).rsplit('/').second.empty() ? path.take_front(at).str()
                                                          : path.take_front(at).rsplit('/').second.str();
}

void eachImport(const KernelFile &file, llvm::function_ref<void(const Range &, llvm::StringRef)> visit) {
  static constexpr llvm::StringLiteral byName[] = {"importlib.import_module", "importlib.util.find_spec",
                                                   "runpy.run_module", "pkgutil.resolve_name", "builtins.__import__"};
  static constexpr llvm::StringLiteral byFile[] = {"importlib.util.spec_from_file_location", "runpy.run_path",
                                                   "imp.load_source", "importlib.machinery.SourceFileLoader"};
  for (const auto &function : file.all()) {
    function->each<Import>([&](const Import &stmt, const Place &) {
      if (stmt.isFrom)
        visit(stmt.range, stmt.module);
      for (const ImportedName &name : stmt.names)
        visit(stmt.range, stmt.isFrom ? stmt.module.str() + "." + name.name.str() : name.name.str());
    });
    function->each<Subscript>([&](const Subscript &subscript, const Place &) {
      if (file.path(subscript.value, *function) == "sys.modules")
        visit(subscript.range, textOf(file, subscript.index, *function));
    });
    for (const CallFact &call : function->calls) {
      auto *name = llvm::dyn_cast<Name>(call.call->callee);
      bool isPlain = name && call.path.empty() && !function->bound.contains(name->id) && !file.find(name->id);
      const Expr *first = argument(*call.call, 0, "name");
      if (llvm::is_contained(byName, call.path) || (isPlain && name->id == "__import__")) {
        visit(call.call->range, textOf(file, first, *function));
      } else if (llvm::is_contained(byFile, call.path)) {
        for (const Expr *given : call.call->arguments)
          if (std::string module = moduleOfFile(textOf(file, given, *function)); !module.empty())
            visit(call.call->range, module);
      } else if (isPlain && (name->id == "exec" || name->id == "eval") && !call.call->arguments.empty()) {
        std::string text = textOf(file, call.call->arguments[0], *function);
        llvm::SmallVector<llvm::StringRef, 2> found;
        if (llvm::Regex("(^|[^A-Za-z0-9_])(import|from)[ ]+([A-Za-z_][A-Za-z0-9_.]*)").match(text, &found))
          visit(call.call->range, found[3]);
        if (std::string module = moduleOfFile(text); !module.empty())
          visit(call.call->range, module);
      }
    }
  }
}

} // namespace tilesmith::lint::pypto
