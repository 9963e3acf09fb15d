#include "Pypto.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tilesmith::lint::pypto {

using namespace ast;

static const Expr &calleeOf(const Expr &decorator) {
  auto *call = llvm::dyn_cast<Call>(&decorator);
  return call ? *call->callee : decorator;
}

bool isLiteralJit(const Expr &decorator) {
  auto *jit = llvm::dyn_cast<Attribute>(&calleeOf(decorator));
  auto *frontend = jit && jit->name == "jit" ? llvm::dyn_cast<Attribute>(jit->value) : nullptr;
  auto *module = frontend && frontend->name == "frontend" ? llvm::dyn_cast<Name>(frontend->value) : nullptr;
  return module && module->id == "pypto";
}

bool isSomeJit(const Expr &decorator) {
  const Expr &callee = calleeOf(decorator);
  if (auto *attribute = llvm::dyn_cast<Attribute>(&callee))
    return attribute->name == "jit";
  auto *name = llvm::dyn_cast<Name>(&callee);
  return name && name->id == "jit";
}

llvm::SmallVector<const Function *> literalEntries(const KernelFile &file) {
  llvm::SmallVector<const Function *> result;
  for (const auto &function : file.all())
    if (function->def && llvm::any_of(function->def->decorators, [](const Expr *it) { return isLiteralJit(*it); }))
      result.push_back(function.get());
  return result;
}

llvm::SmallVector<const Function *> wrappers(const KernelFile &file) {
  llvm::SmallVector<const Function *> result;
  for (const auto &function : file.all())
    if (function->def && !function->parent && !function->isMethod && function->name().ends_with("_wrapper"))
      result.push_back(function.get());
  return result;
}

llvm::SmallVector<const Function *> primaryEntries(const KernelFile &file) {
  llvm::SmallVector<const Function *> all = literalEntries(file), called;
  for (const Function *wrapper : wrappers(file))
    for (const Function *host : file.withHelpers(*wrapper))
      for (const CallFact &call : host->calls)
        if (auto *name = llvm::dyn_cast<Name>(call.call->callee))
          for (const Function *entry : all)
            if (entry->name() == name->id && !llvm::is_contained(called, entry))
              called.push_back(entry);
  return called.empty() ? all : called;
}

llvm::SmallVector<const Function *> codeOf(const KernelFile &file, const Function &entry, bool isCompat) {
  if (isCompat)
    return {&entry};
  return file.withHelpers(entry);
}

llvm::SmallVector<const Function *> kernelCode(const KernelFile &file, bool isCompat) {
  llvm::SmallVector<const Function *> result;
  for (const Function *entry : literalEntries(file))
    for (const Function *function : codeOf(file, *entry, isCompat))
      if (!llvm::is_contained(result, function))
        result.push_back(function);
  return result;
}

bool isLoop(llvm::StringRef path) { return path == "pypto.loop" || path == "pypto.loop_unroll"; }

// The annotation as `pypto.Tensor(...)`, `pypto.Tensor[...]`, or null.
static const Expr *tensorOf(const KernelFile &file, const Parameter &parameter, const Function &in) {
  const Function &outside = in.parent ? *in.parent : file.getModule();
  const Expr *annotation = file.meaning(parameter.annotation, outside);
  const Expr *head = annotation;
  if (auto *call = llvm::dyn_cast_or_null<Call>(annotation))
    head = call->callee;
  else if (auto *subscript = llvm::dyn_cast_or_null<Subscript>(annotation))
    head = subscript->value;
  std::string path = file.path(head, outside);
  return path == "pypto.Tensor" || path == "pypto.tensor" ? annotation : nullptr;
}

bool isTensor(const KernelFile &file, const Parameter &parameter, const Function &in) {
  return tensorOf(file, parameter, in);
}

// Parts of the annotation by position; those of a subscript come in any order and are told apart by what they are.
static const Expr *partOf(const KernelFile &file, const Parameter &parameter, const Function &in, bool isShape) {
  const Expr *tensor = tensorOf(file, parameter, in);
  if (auto *call = llvm::dyn_cast_or_null<Call>(tensor))
    return argument(*call, isShape ? 0 : 1, isShape ? "shape" : "dtype");
  auto *subscript = llvm::dyn_cast_or_null<Subscript>(tensor);
  if (!subscript)
    return nullptr;
  auto *tuple = llvm::dyn_cast<Sequence>(subscript->index);
  llvm::SmallVector<const Expr *> parts;
  if (tuple && !tuple->isList)
    parts.append(tuple->elements.begin(), tuple->elements.end());
  else
    parts.push_back(subscript->index);
  const Function &outside = in.parent ? *in.parent : file.getModule();
  for (const Expr *part : parts) {
    const Expr *meaning = file.meaning(part, outside);
    bool looksLikeShape = llvm::isa<Sequence>(meaning);
    bool looksLikeType = llvm::StringRef(file.path(part, outside)).contains(".DT_") ||
                         llvm::StringRef(file.path(meaning, outside)).contains(".DT_");
    if (isShape ? looksLikeShape : looksLikeType)
      return part;
  }
  return nullptr;
}

const Expr *shapeOf(const KernelFile &file, const Parameter &parameter, const Function &in) {
  return file.meaning(partOf(file, parameter, in, true), in.parent ? *in.parent : file.getModule());
}
const Expr *dtypeOf(const KernelFile &file, const Parameter &parameter, const Function &in) {
  return file.meaning(partOf(file, parameter, in, false), in.parent ? *in.parent : file.getModule());
}

bool isDynamic(const KernelFile &file, const Parameter &parameter, const Function &in) {
  const Function &outside = in.parent ? *in.parent : file.getModule();
  auto *shape = llvm::dyn_cast_or_null<Sequence>(shapeOf(file, parameter, in));
  return shape && llvm::any_of(shape->elements, [&](const Expr *extent) {
           std::string path = file.path(file.meaning(extent, outside), outside);
           if (path.empty())
             path = file.path(extent, outside);
           return path == "pypto.DYNAMIC" || path == "pypto.DYN";
         });
}

std::vector<std::string> writtenNames(const KernelFile &file, const Function &function) {
  std::vector<std::string> result;
  auto add = [&](const Expr *expr) {
    if (auto *name = llvm::dyn_cast_or_null<Name>(expr))
      result.push_back(name->id.str());
  };
  auto target = [&](const Expr *expr) {
    if (auto *subscript = llvm::dyn_cast<Subscript>(expr))
      add(subscript->value);
  };
  function.each<Assign>([&](const Assign &stmt, const Place &) {
    for (const Expr *it : stmt.targets)
      target(it);
  });
  function.each<AugAssign>([&](const AugAssign &stmt, const Place &) { target(stmt.target); });
  for (const CallFact &call : function.calls) {
    if (call.path == "pypto.assemble" || call.path == "pypto.atomic_add") {
      bool isList = !call.call->arguments.empty() && llvm::isa<Sequence>(call.call->arguments[0]);
      add(argument(*call.call, isList ? 1 : 2, "dst"));
    } else if (auto *method = llvm::dyn_cast<Attribute>(call.call->callee)) {
      bool isModule = !call.path.empty();
      if (method->name == "move" && !isModule)
        add(method->value);
      else if (method->name.ends_with("_") || method->name == "scatter_update" || method->name == "index_add__ub")
        add(isModule ? argument(*call.call, 0, "input") : method->value);
    }
  }
  return result;
}

bool hasName(llvm::StringRef name) {
  static const llvm::StringSet<> *names = [] {
    auto *set = new llvm::StringSet<>();
#define NAME(text) set->insert(text);
#include "../Names/Pypto.def"
#undef NAME
    return set;
  }();
  return names->contains(name);
}

} // namespace tilesmith::lint::pypto
