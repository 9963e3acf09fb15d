#include "Interpreter.h"

#include "../Names/Names.h"

namespace tilesmith::lint {

using namespace ast;

KernelTable::KernelTable(Interpreter &interpreter)
    : Part(interpreter), kernelPath([this](const Expr &expr) { return pathOf(expr); }),
      kernelFunction([this](const Expr &expr) { return functionOf(expr); }), reader({kernelPath, kernelFunction}) {}

unsigned KernelTable::add(const FunctionDef *function, llvm::StringRef name, const Range &range, Dsl dsl,
                          ObjectId scope) {
  for (unsigned i = 0; i != kernels.size(); ++i)
    if (function ? kernels[i].function == function : !kernels[i].function && kernels[i].name == name) {
      kernels[i].scope = std::max(kernels[i].scope, scope);
      return i;
    }
  kernels.push_back({function, name.str(), range, dsl, scope});
  return kernels.size() - 1;
}

std::string KernelTable::pathOf(const Expr &expr) const {
  if (auto *attribute = llvm::dyn_cast<Attribute>(&expr)) {
    std::string base = pathOf(*attribute->value);
    return base.empty() ? base : base + "." + attribute->name.str();
  }
  auto *name = llvm::dyn_cast<Name>(&expr);
  if (!name)
    return "";
  const Object &module = state.get(scopes.getModule());
  if (auto at = module.fields.find(name->id); at != module.fields.end()) {
    for (const Atom &atom : at->second.atoms)
      if (atom.kind == AtomKind::Path)
        return atom.text.str();
    return "";
  }
  if (auto at = staticNames.find(name->id); at != staticNames.end())
    return at->second;
  for (llvm::StringRef star : scopes.getStarModules())
    if (isKernelLanguage(star) || dslOfJit((star + "." + name->id).str()))
      return (star + "." + name->id).str();
  return "";
}

const FunctionDef *KernelTable::functionOf(const Expr &expr) const {
  auto *name = llvm::dyn_cast<Name>(&expr);
  if (!name)
    return nullptr;
  const Object &module = state.get(scopes.getModule());
  if (auto at = module.fields.find(name->id); at != module.fields.end())
    for (const Atom &atom : at->second.atoms) {
      if (atom.kind == AtomKind::Kernel)
        return kernels[atom.object].function;
      if (const Object *function = world.lookAt(atom, ObjectKind::Function))
        return llvm::cast<FunctionDef>(function->node);
    }
  for (const KernelInfo &kernel : kernels)
    if (kernel.function && kernel.name == name->id)
      return kernel.function;
  return nullptr;
}

void KernelTable::collect(Body body) {
  World::Nesting guard(world);
  if (world.hasGivenUp())
    return;
  for (const Stmt *stmt : body)
    collectIn(*stmt);
}

void KernelTable::collectIn(const Node &node) {
  if (auto *function = llvm::dyn_cast<FunctionDef>(&node)) {
    collect(function->body); // first: its imports
    for (const Expr *decorator : function->decorators) {
      auto *call = llvm::dyn_cast<Call>(decorator);
      if (std::optional<Dsl> dsl = dslOfJit(pathOf(call ? *call->callee : *decorator)))
        add(function, function->name, function->range, *dsl);
    }
  } else if (auto *loop = llvm::dyn_cast<For>(&node)) {
    collect(loop->body);
    collect(loop->orElse);
  } else if (auto *loop = llvm::dyn_cast<While>(&node)) {
    collect(loop->body);
    collect(loop->orElse);
  } else if (auto *choice = llvm::dyn_cast<If>(&node)) {
    collect(choice->body);
    collect(choice->orElse);
  } else if (auto *with = llvm::dyn_cast<With>(&node)) {
    collect(with->body);
  } else if (auto *cls = llvm::dyn_cast<ClassDef>(&node)) {
    collect(cls->body);
  } else if (auto *handled = llvm::dyn_cast<Try>(&node)) {
    for (Body body : {handled->body, handled->orElse, handled->finally})
      collect(body);
    for (const Handler &handler : handled->handlers)
      collect(handler.body);
  } else if (auto *match = llvm::dyn_cast<Match>(&node)) {
    for (const MatchCase &item : match->cases)
      collect(item.body);
  } else if (auto *async = llvm::dyn_cast<AsyncStmt>(&node)) {
    collectIn(*async->stmt);
  } else if (auto *import = llvm::dyn_cast<Import>(&node)) {
    collectImports(*import);
  }
}

void KernelTable::collectImports(const Import &import) {
  for (const ImportedName &name : import.names) {
    if (!import.isFrom && name.alias.empty()) {
      llvm::StringRef top = name.name.take_until([](char c) { return c == '.'; });
      staticNames.try_emplace(top, top.str());
    } else {
      std::string path = (import.isFrom ? import.module + "." + name.name : name.name).str();
      staticNames.try_emplace(name.alias.empty() ? name.name : name.alias, path);
    }
  }
}

} // namespace tilesmith::lint
