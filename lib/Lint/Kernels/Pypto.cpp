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
        if (const Function *callee = file.functionOf(call.call->callee, *host);
            callee && llvm::is_contained(all, callee) && !llvm::is_contained(called, callee))
          called.push_back(callee);
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

std::string calledName(const CallFact &call) {
  if (!call.path.empty())
    return llvm::StringRef(call.path).rsplit('.').second.empty() ? call.path
                                                                 : llvm::StringRef(call.path).rsplit('.').second.str();
  if (auto *name = llvm::dyn_cast<Name>(call.call->callee))
    return name->id.str();
  auto *attribute = llvm::dyn_cast<Attribute>(call.call->callee);
  return attribute ? attribute->name.str() : std::string();
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

static const Expr *givenPart(const KernelFile &file, const Parameter &parameter, const Function &in, bool isShape) {
  const Expr *part = file.meaning(partOf(file, parameter, in, isShape), in.parent ? *in.parent : file.getModule());
  auto *constant = llvm::dyn_cast_or_null<Constant>(part);
  return constant && constant->constant == ConstantKind::None ? nullptr : part;
}
const Expr *shapeOf(const KernelFile &file, const Parameter &parameter, const Function &in) {
  return givenPart(file, parameter, in, true);
}
const Expr *dtypeOf(const KernelFile &file, const Parameter &parameter, const Function &in) {
  return givenPart(file, parameter, in, false);
}

bool isDynamic(const KernelFile &file, const Parameter &parameter, const Function &in) {
  const Function &outside = in.parent ? *in.parent : file.getModule();
  const Expr *shape = shapeOf(file, parameter, in);
  bool result = false;
  if (shape)
    forEachBelow(*shape, [&](const Node &node) {
      auto *extent = llvm::dyn_cast<Expr>(&node);
      std::string path = extent ? file.path(extent, outside) : "";
      result |= path == "pypto.DYNAMIC" || path == "pypto.DYN";
    });
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
