// Reading a file: one walk that notes what stands in each function, then who runs on the device.
#include "tilesmith/Lint/Kernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilesmith::lint {

using namespace ast;

// What makes a kernel of a function.
static Language languageOf(llvm::StringRef path) {
  if (path == "asc2.jit")
    return Language::Asc2;
  if (path == "asc.jit" || path == "asc.jit2")
    return Language::Asc;
  if (path == "pypto.frontend.jit" || path == "pypto.jit")
    return Language::Pypto;
  return Language::None;
}

static llvm::StringRef moduleOf(Language language) {
  static constexpr llvm::StringLiteral names[] = {"", "asc", "asc2", "pypto"};
  return names[unsigned(language)];
}

// One walk over the file.
class KernelFile::Reader {
public:
  explicit Reader(KernelFile &file) : file(file) {}

  void run() {
    Function &module = add(nullptr, nullptr);
    for (const Stmt *stmt : file.tree.module)
      visit(*stmt, module, {});
    for (const auto &function : file.functions)
      if (function->def && !function->parent && !function->isMethod)
        file.byName[function->name()] = function.get();
    for (const auto &function : file.functions)
      finish(*function);
    followDevice();
    findLaunches();
    findHelpers();
  }

private:
  struct Context {
    int loop = -1;
    unsigned branches = 0, handlers = 0;
    bool inClass = false;
  };

  Function &add(const FunctionDef *def, const Function *parent) {
    Function &function = *file.functions.emplace_back(std::make_unique<Function>());
    function.def = def;
    function.parent = parent;
    return function;
  }

  void define(const FunctionDef &def, Function &in, const Context &context, bool isAsync) {
    for (const Expr *decorator : def.decorators)
      visit(*decorator, in, context);
    for (const Parameter &parameter : def.parameters)
      for (const Expr *expr : {parameter.annotation, parameter.defaultValue})
        if (expr)
          visit(*expr, in, context);
    if (!context.inClass) // else a name of the class
      in.bound[def.name].push_back(nullptr);
    Function &function = add(&def, in.def ? &in : nullptr);
    function.isMethod = context.inClass;
    function.isAsync = isAsync;
    for (const Parameter &parameter : def.parameters)
      function.bound[parameter.name].push_back(nullptr);
    for (llvm::StringRef name : {def.restName, def.keywordsName})
      if (!name.empty())
        function.bound[name].push_back(nullptr);
    for (const Stmt *stmt : def.body)
      visit(*stmt, function, {});
  }

  void bind(const Expr &target, const Expr *value, Function &in) {
    if (auto *name = llvm::dyn_cast<Name>(&target)) {
      in.bound[name->id].push_back(value);
    } else if (auto *sequence = llvm::dyn_cast<Sequence>(&target)) {
      auto *values = llvm::dyn_cast_or_null<Sequence>(value);
      bool isPairwise = values && values->elements.size() == sequence->elements.size();
      for (auto [index, element] : llvm::enumerate(sequence->elements))
        bind(*element, isPairwise ? values->elements[index] : nullptr, in);
    } else if (auto *starred = llvm::dyn_cast<Starred>(&target)) {
      bind(*starred->value, nullptr, in);
    }
  }

  void import(const Import &stmt, Function &in) {
    for (const ImportedName &name : stmt.names) {
      llvm::StringRef first = name.name.split('.').first;
      llvm::StringRef bound = !name.alias.empty() ? name.alias : stmt.isFrom ? name.name : first;
      std::string path =
          stmt.isFrom ? stmt.module.str() + "." + name.name.str() : (name.alias.empty() ? first : name.name).str();
      // Of a function's own imports the file learns, too: what they are called is seldom two things.
      file.imported.try_emplace(bound, path);
    }
    (void)in;
  }

  void bindNames(const Node &node, Function &in) {
    if (auto *assign = llvm::dyn_cast<Assign>(&node)) {
      for (const Expr *target : assign->targets)
        bind(*target, assign->value, in);
    } else if (auto *augmented = llvm::dyn_cast<AugAssign>(&node)) {
      bind(*augmented->target, nullptr, in);
    } else if (auto *annotated = llvm::dyn_cast<AnnAssign>(&node)) {
      if (annotated->value)
        bind(*annotated->target, annotated->value, in);
    } else if (auto *loop = llvm::dyn_cast<For>(&node)) {
      bind(*loop->target, nullptr, in);
    } else if (auto *with = llvm::dyn_cast<With>(&node)) {
      for (const Expr *variable : with->variables)
        if (variable)
          bind(*variable, nullptr, in);
    } else if (auto *named = llvm::dyn_cast<NamedExpr>(&node)) {
      bind(*named->target, nullptr, in);
    } else if (auto *stmt = llvm::dyn_cast<Import>(&node)) {
      import(*stmt, in);
    } else if (auto *type = llvm::dyn_cast<ClassDef>(&node)) {
      file.classes.insert(type->name);
    }
  }

  void visit(const Node &node, Function &in, Context context) {
    in.places.push_back({&node, context.loop, context.branches, context.handlers});
    if (auto *def = llvm::dyn_cast<FunctionDef>(&node))
      return define(*def, in, context, false);
    if (auto *async = llvm::dyn_cast<AsyncStmt>(&node))
      if (auto *def = llvm::dyn_cast<FunctionDef>(async->stmt))
        return define(*def, in, context, true);
    bindNames(node, in);
    if (auto *call = llvm::dyn_cast<Call>(&node))
      in.calls.push_back({call, "", context.loop, context.branches});
    Context inner = context;
    inner.inClass = llvm::isa<ClassDef>(node);
    if (llvm::isa<For, While>(node)) {
      auto *loop = llvm::dyn_cast<For>(&node);
      in.loops.push_back(
          {llvm::cast<Stmt>(&node), loop ? llvm::dyn_cast<Call>(loop->iterable) : nullptr, "", context.loop});
      int index = int(in.loops.size()) - 1;
      forEachChild(node, [&](const Node &child) {
        Context of = inner;
        of.loop = loop && (&child == loop->iterable) ? context.loop : index;
        visit(child, in, of);
      });
      return;
    }
    inner.branches += llvm::isa<If, Match>(node);
    inner.handlers += llvm::isa<Try>(node);
    forEachChild(node, [&](const Node &child) { visit(child, in, inner); });
  }

  void finish(Function &function) {
    for (CallFact &call : function.calls)
      call.path = file.path(call.call->callee, function);
    for (LoopFact &loop : function.loops)
      if (loop.over)
        loop.path = file.path(loop.over->callee, function);
    if (!function.def)
      return;
    const Function &outside = function.parent ? *function.parent : file.getModule();
    for (const Expr *decorator : function.def->decorators) {
      auto *call = llvm::dyn_cast<Call>(decorator);
      Language language = languageOf(file.path(call ? call->callee : decorator, outside));
      if (language != Language::None) {
        function.language = language;
        function.decorator = decorator;
      }
    }
    function.device = function.language;
  }

  void followDevice() {
    llvm::SmallVector<Function *> work;
    for (const auto &function : file.functions)
      if (function->isKernel())
        work.push_back(function.get());
    while (!work.empty()) {
      Function *function = work.pop_back_val();
      for (const Function *used : file.usedBy(*function)) {
        auto *callee = const_cast<Function *>(used);
        if (callee == function)
          continue;
        callee->isCalledOnDevice = true;
        if (callee->device == Language::None) {
          callee->device = function->device;
          work.push_back(callee);
        }
      }
    }
    for (const auto &function : file.functions) // those inside functions run where they are
      if (function->parent && function->device == Language::None)
        function->device = function->parent->device;
  }

  void findLaunches() {
    for (const auto &function : file.functions) {
      if (function->device != Language::None)
        continue;
      llvm::SmallPtrSet<const Node *, 16> dropped;
      function->each<ExprStmt>([&](const ExprStmt &stmt, const Place &) { dropped.insert(stmt.value); });
      for (const CallFact &call : function->calls) {
        auto *subscript = llvm::dyn_cast<Subscript>(call.call->callee);
        const Function *kernel = file.functionOf(subscript ? subscript->value : call.call->callee, *function);
        if (kernel && kernel->isKernel())
          file.launched.push_back({kernel, function.get(), call.call, subscript ? subscript->index : nullptr, call.loop,
                                   !dropped.contains(call.call)});
      }
    }
  }

  // Decorated functions that no host code launches are for kernels of other files, or are handed to one as an argument.
  void findHelpers() {
    for (const auto &function : file.functions) {
      if (!function->isKernel() || function->isCalledOnDevice || isLaunched(*function))
        continue;
      bool returns = false, hasTensor = function->language == Language::Pypto;
      function->each<Return>([&](const Return &stmt, const Place &) { returns |= stmt.value != nullptr; });
      for (const CallFact &call : function->calls)
        hasTensor |= call.path == "asc2.tensor" || llvm::StringRef(call.path).ends_with(".set_global_buffer");
      function->isHelper = (returns && !hasTensor) || isHandedOver(*function);
    }
  }
  bool isLaunched(const Function &kernel) const {
    return llvm::any_of(file.launched, [&](const LaunchFact &it) { return it.kernel == &kernel; });
  }
  bool isHandedOver(const Function &kernel) const {
    auto isIt = [&](const Expr *value) {
      auto *name = llvm::dyn_cast<Name>(value);
      return name && name->id == kernel.name();
    };
    for (const LaunchFact &launch : file.launched)
      if (llvm::any_of(launch.call->arguments, isIt) ||
          llvm::any_of(launch.call->keywords, [&](const Keyword &it) { return isIt(it.value); }))
        return true;
    return false;
  }

  KernelFile &file;
};

KernelFile::KernelFile(const Tree &tree, const SourceFile &source) : tree(tree), source(source) { Reader(*this).run(); }

static bool isOneOf(Language language, std::initializer_list<Language> languages) {
  return llvm::is_contained(languages, language);
}

llvm::SmallVector<const Function *> KernelFile::onDevice(std::initializer_list<Language> languages) const {
  llvm::SmallVector<const Function *> result;
  for (const auto &function : functions)
    if (isOneOf(function->device, languages))
      result.push_back(function.get());
  return result;
}

llvm::SmallVector<const Function *> KernelFile::entries(std::initializer_list<Language> languages) const {
  llvm::SmallVector<const Function *> result;
  for (const auto &function : functions)
    if (function->isEntry() && isOneOf(function->language, languages))
      result.push_back(function.get());
  return result;
}

llvm::SmallVector<const Function *> KernelFile::withHelpers(const Function &function) const {
  llvm::SmallVector<const Function *> result{&function};
  auto add = [&](const Function *callee) {
    if ((callee->device != Language::None) == (function.device != Language::None) &&
        !llvm::is_contained(result, callee))
      result.push_back(callee);
  };
  for (size_t i = 0; i != result.size(); ++i)
    for (const Function *used : usedBy(*result[i]))
      add(used);
  return result;
}

// Functions of the file that a function calls or speaks of: one that is handed over is called by someone.
llvm::ArrayRef<const Function *> KernelFile::usedBy(const Function &function) const {
  auto [entry, isNew] = used.try_emplace(&function);
  if (!isNew)
    return entry->second;
  llvm::SmallVector<const Function *, 4> result;
  auto add = [&](const Function *callee) {
    if (callee && callee != &function && !llvm::is_contained(result, callee))
      result.push_back(callee);
  };
  for (const CallFact &call : function.calls)
    add(functionOf(call.call->callee, function));
  function.each<Name>([&](const Name &name, const Place &) { add(functionOf(&name, function)); });
  return used[&function] = std::move(result);
}

const Function *KernelFile::functionOf(const Expr *expr, const Function &in, unsigned hops) const {
  if (!expr || !hops--)
    return nullptr;
  auto methodOf = [&](llvm::StringRef name) -> const Function * {
    const Function *result = nullptr;
    for (const auto &function : functions)
      if (function->isMethod && function->name() == name) {
        if (result)
          return nullptr;
        result = function.get();
      }
    return result;
  };
  if (auto *call = llvm::dyn_cast<Call>(expr)) {
    bool isPartial = path(call->callee, in) == "functools.partial" && !call->arguments.empty();
    return isPartial ? functionOf(call->arguments[0], in, hops) : nullptr;
  }
  if (auto *attribute = llvm::dyn_cast<Attribute>(expr)) {
    auto *owner = llvm::dyn_cast<Name>(attribute->value);
    return owner && (owner->id == "self" || owner->id == "cls" || classes.contains(owner->id))
               ? methodOf(attribute->name)
               : nullptr;
  }
  auto *name = llvm::dyn_cast<Name>(expr);
  if (!name)
    return nullptr;
  for (const Function *scope = &in; scope; scope = scope->parent) {
    auto found = scope->bound.find(name->id);
    if (!scope->def || found == scope->bound.end())
      continue;
    for (const auto &inner : functions)
      if (inner->parent == scope && !inner->isMethod && inner->name() == name->id)
        return inner.get();
    return found->second.size() == 1 ? functionOf(found->second[0], *scope, hops) : nullptr;
  }
  if (const Function *function = find(name->id))
    return function;
  auto found = getModule().bound.find(name->id);
  return found != getModule().bound.end() && found->second.size() == 1 ? functionOf(found->second[0], getModule(), hops)
                                                                       : nullptr;
}

std::string KernelFile::path(const Expr *expr, const Function &in, unsigned hops) const {
  if (auto *attribute = llvm::dyn_cast_or_null<Attribute>(expr)) {
    std::string base = path(attribute->value, in, hops);
    return base.empty() ? base : base + "." + attribute->name.str();
  }
  auto *name = llvm::dyn_cast_or_null<Name>(expr);
  if (!name || !hops)
    return {};
  // `load = asc2.load` is another name for it; anything else hides what was imported.
  auto another = [&](llvm::ArrayRef<const Expr *> values, const Function &scope) {
    bool isChain = values.size() == 1 && llvm::isa_and_nonnull<Attribute, Name>(values[0]);
    return isChain ? path(values[0], scope, hops - 1) : std::string();
  };
  for (const Function *function = &in; function; function = function->parent)
    if (function->def)
      if (auto found = function->bound.find(name->id); found != function->bound.end())
        return another(found->second, *function);
  const Function &module = getModule();
  if (auto found = module.bound.find(name->id); found != module.bound.end())
    return another(found->second, module);
  auto found = imported.find(name->id);
  return found == imported.end() ? std::string() : found->second;
}

const Expr *KernelFile::meaning(const Expr *expr, const Function &in, unsigned hops) const {
  auto *name = llvm::dyn_cast_or_null<Name>(expr);
  if (!name || !hops)
    return expr;
  for (const Function *function = &in;; function = function->parent ? function->parent : &getModule()) {
    if (auto found = function->bound.find(name->id); found != function->bound.end()) {
      llvm::ArrayRef<const Expr *> values = found->second;
      return values.size() == 1 && values[0] ? meaning(values[0], *function, hops - 1) : expr;
    }
    if (!function->def)
      return expr;
  }
}

std::optional<int64_t> KernelFile::integer(const Expr *expr, const Function &in, unsigned hops) const {
  expr = meaning(expr, in, hops);
  if (auto *constant = llvm::dyn_cast_or_null<Constant>(expr))
    if (constant->constant == ConstantKind::Int)
      return constant->integer;
  return std::nullopt;
}

std::optional<int64_t> KernelFile::computed(const Expr *expr, const Function &in, unsigned hops) const {
  expr = meaning(expr, in, hops);
  if (!hops)
    return std::nullopt;
  if (auto *unary = llvm::dyn_cast_or_null<UnaryOp>(expr)) {
    std::optional<int64_t> value = computed(unary->operand, in, hops - 1);
    return value && unary->op == UnaryOperator::USub ? std::optional(-*value) : std::nullopt;
  }
  auto *binary = llvm::dyn_cast_or_null<BinOp>(expr);
  if (!binary)
    return integer(expr, in, hops);
  std::optional<int64_t> lhs = computed(binary->lhs, in, hops - 1), rhs = computed(binary->rhs, in, hops - 1);
  if (!lhs || !rhs || std::abs(*lhs) > (1LL << 31) || std::abs(*rhs) > (1LL << 31))
    return std::nullopt;
  switch (binary->op) {
  case Operator::Add:
    return *lhs + *rhs;
  case Operator::Sub:
    return *lhs - *rhs;
  case Operator::Mul:
    return *lhs * *rhs;
  case Operator::FloorDiv:
    return *rhs > 0 && *lhs >= 0 ? std::optional(*lhs / *rhs) : std::nullopt;
  default:
    return std::nullopt;
  }
}

bool KernelFile::imports(llvm::StringRef module) const {
  return llvm::any_of(imported, [&](const auto &entry) {
    llvm::StringRef path = entry.second;
    return path == module || path.starts_with(module.str() + ".");
  });
}

bool KernelFile::uses(Language language) const {
  return imports(moduleOf(language)) ||
         llvm::any_of(functions, [&](const auto &function) { return function->language == language; });
}

} // namespace tilesmith::lint
