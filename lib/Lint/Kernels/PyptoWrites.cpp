// Which tensors of a caller a function of PyPTO writes into.
#include "Pypto.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilesmith::lint::pypto {

using namespace ast;

namespace {

class Writes {
public:
  explicit Writes(const KernelFile &file) : file(file) {}

  // Names of a function's own, of its parameters and of functions around it.
  llvm::StringSet<> of(const Function &function) {
    llvm::StringSet<> result;
    if (!open.insert(&function).second)
      return result; // it calls itself
    auto target = [&](const Expr *expr) {
      if (auto *subscript = llvm::dyn_cast<Subscript>(expr))
        add(subscript->value, function, result);
    };
    function.each<Assign>([&](const Assign &stmt, const Place &) {
      for (const Expr *it : stmt.targets)
        if (auto *sequence = llvm::dyn_cast<Sequence>(it))
          llvm::for_each(sequence->elements, target);
        else
          target(it);
    });
    function.each<AugAssign>([&](const AugAssign &stmt, const Place &) { target(stmt.target); });
    for (const CallFact &call : function.calls)
      operation(call, function, result);
    for (const CallFact &call : function.calls)
      if (const Function *callee = file.functionOf(call.call->callee, function); callee && callee != &function)
        handOver(call, *callee, function, result);
    open.erase(&function);
    return result;
  }

private:
  // The name that holds a tensor: through other names for it, lists, reshaping in place.
  void add(const Expr *expr, const Function &in, llvm::StringSet<> &result, unsigned hops = 8) {
    if (!expr || !hops--)
      return;
    if (auto *subscript = llvm::dyn_cast<Subscript>(expr))
      return add(subscript->value, in, result, hops);
    if (auto *sequence = llvm::dyn_cast<Sequence>(expr)) {
      for (const Expr *element : sequence->elements)
        add(element, in, result, hops);
      return;
    }
    if (auto *call = llvm::dyn_cast<Call>(expr)) {
      auto *method = llvm::dyn_cast<Attribute>(call->callee);
      bool isModule = !file.path(call->callee, in).empty();
      if (method && method->name == "reshape")
        add(isModule ? argument(*call, 0, "input") : method->value, in, result, hops);
      return;
    }
    auto *name = llvm::dyn_cast<Name>(expr);
    if (!name)
      return;
    auto found = in.bound.find(name->id);
    if (found == in.bound.end() || found->second.size() != 1 || !found->second[0]) {
      result.insert(name->id);
      return;
    }
    add(found->second[0], in, result, hops);
  }

  void operation(const CallFact &call, const Function &in, llvm::StringSet<> &result) {
    if (call.path == "pypto.assemble" || call.path == "pypto.atomic_add") {
      bool isList = !call.call->arguments.empty() && llvm::isa<Sequence>(call.call->arguments[0]);
      return add(argument(*call.call, isList ? 1 : 2, "dst"), in, result);
    }
    std::string name = calledName(call);
    auto *method = llvm::dyn_cast<Attribute>(call.call->callee);
    bool isModule = !call.path.empty();
    bool isInPlace = (llvm::StringRef(name).ends_with("_") && !llvm::StringRef(name).ends_with("__")) ||
                     name == "scatter_update" || name == "index_add__ub" || name == "move";
    if (isInPlace && (isModule ? llvm::StringRef(call.path).starts_with("pypto.") : method != nullptr))
      add(isModule ? argument(*call.call, 0, "input") : method->value, in, result);
  }

  void handOver(const CallFact &call, const Function &callee, const Function &in, llvm::StringSet<> &result) {
    llvm::StringSet<> below = of(callee);
    if (!callee.def)
      return;
    bool isSpread = llvm::any_of(call.call->arguments, [](const Expr *it) { return llvm::isa<Starred>(it); }) ||
                    llvm::any_of(call.call->keywords, [](const Keyword &it) { return it.name.empty(); });
    unsigned shift = callee.isMethod && llvm::isa<Attribute>(call.call->callee) ? 1 : 0;
    for (auto [index, parameter] : llvm::enumerate(callee.def->parameters)) {
      if (!below.contains(parameter.name))
        continue;
      if (isSpread) // which of the caller's it is cannot be told: all that are handed over may be
        for (const Expr *given : call.call->arguments) {
          auto *starred = llvm::dyn_cast<Starred>(given);
          add(starred ? file.meaning(starred->value, in) : given, in, result);
        }
      else if (index >= shift)
        add(argument(*call.call, unsigned(index) - shift, parameter.name), in, result);
    }
    for (const auto &entry : below) // names of what is around a function inside this one
      if (callee.parent == &in && !callee.bound.contains(entry.first()))
        result.insert(entry.first());
  }

  const KernelFile &file;
  llvm::SmallPtrSet<const Function *, 8> open;
};

} // namespace

llvm::StringSet<> writtenParameters(const KernelFile &file, const Function &function) {
  llvm::StringSet<> names = Writes(file).of(function), result;
  for (const Parameter &parameter : function.def->parameters)
    if (names.contains(parameter.name))
      result.insert(parameter.name);
  return result;
}

} // namespace tilesmith::lint::pypto
