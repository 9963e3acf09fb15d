#include "KernelFacts.h"
#include "../Names/Names.h"

#include "llvm/ADT/StringMap.h"

namespace tilesmith::lint {

using namespace ast;
using Parameters = llvm::SmallBitVector;

static bool isFalse(const Expr *expr) {
  auto *constant = llvm::dyn_cast_or_null<Constant>(expr);
  return constant && (constant->constant == ConstantKind::None ||
                      ((constant->constant == ConstantKind::Bool || constant->constant == ConstantKind::Int) &&
                       !constant->integer));
}
static bool isTrue(const Expr &expr) {
  auto *constant = llvm::dyn_cast<Constant>(&expr);
  return constant && (constant->constant == ConstantKind::Bool || constant->constant == ConstantKind::Int) &&
         constant->integer;
}

static bool isStoreName(llvm::StringRef name) {
  return name == "store" || name.starts_with("atomic_") || name == "store_tensor_descriptor" ||
         name.starts_with("data_copy") || name == "async_copy_local_to_global" || name == "scatter" ||
         name == "index_put" || name == "scatter_ub_to_out" || name == "fixpipe";
}
// Of a Matmul object, whose results go where its first argument says.
static bool isResultName(llvm::StringRef name) { return name == "iterate_all" || name == "get_tensor_c"; }
static bool isLoadName(llvm::StringRef name) {
  return name == "load" || name == "load_tensor_descriptor" || name == "gather" || name == "index_select";
}

// One walk over the body of a kernel, repeated until the addresses of its local names do not grow.
class KernelReader::Body {
public:
  Body(KernelReader &reader, const FunctionDef &kernel, KernelFacts &facts)
      : reader(reader), kernel(kernel), facts(facts) {
    for (unsigned i = 0; i != kernel.parameters.size(); ++i)
      addresses[kernel.parameters[i].name] = bit(i);
  }

  void run() {
    do {
      grew = false;
      block(kernel.body);
    } while (grew && ++rounds < 8);
  }

private:
  Parameters none() const { return Parameters(kernel.parameters.size()); }
  Parameters bit(unsigned i) const {
    Parameters result = none();
    result.set(i);
    return result;
  }

  void bind(const Expr *target, const Parameters &value) {
    if (auto *name = llvm::dyn_cast<Name>(target)) {
      Parameters &known = addresses.try_emplace(name->id, none()).first->second;
      Parameters joined = known;
      joined |= value;
      grew |= joined != known;
      known = joined;
    } else if (auto *sequence = llvm::dyn_cast<Sequence>(target)) {
      for (const Expr *element : sequence->elements)
        bind(element, value);
    } else if (auto *part = llvm::dyn_cast<Subscript>(target)) { // of a whole tensor
      visit(*target);
      if (Parameters written = visit(*part->value); written.any()) {
        facts.stores = true;
        facts.written |= written;
      }
    } else if (auto *starred = llvm::dyn_cast<Starred>(target)) {
      bind(starred->value, value);
    } else {
      visit(*target);
    }
  }

  // Whether control goes on after the block.
  bool block(ast::Body body) {
    for (const Stmt *stmt : body)
      if (!statement(*stmt))
        return false;
    return true;
  }

  bool branch(const Expr &condition, ast::Body body, ast::Body orElse) {
    visit(condition);
    if (isTrue(condition))
      return block(body);
    if (isFalse(&condition))
      return block(orElse);
    bool first = block(body), second = block(orElse);
    return first || second;
  }

  bool statement(const Stmt &stmt) {
    if (auto *assign = llvm::dyn_cast<Assign>(&stmt)) {
      Parameters value = visit(*assign->value);
      for (const Expr *target : assign->targets)
        bind(target, value);
    } else if (auto *aug = llvm::dyn_cast<AugAssign>(&stmt)) {
      bind(aug->target, visit(*aug->value));
    } else if (auto *annotated = llvm::dyn_cast<AnnAssign>(&stmt)) {
      if (annotated->value) // the annotation does not use the language
        bind(annotated->target, visit(*annotated->value));
    } else if (auto *loop = llvm::dyn_cast<For>(&stmt)) {
      bind(loop->target, visit(*loop->iterable));
      block(loop->body);
      block(loop->orElse);
    } else if (auto *loop = llvm::dyn_cast<While>(&stmt)) {
      visit(*loop->condition);
      if (!isFalse(loop->condition))
        block(loop->body);
      block(loop->orElse);
    } else if (auto *choice = llvm::dyn_cast<If>(&stmt)) {
      return branch(*choice->condition, choice->body, choice->orElse);
    } else if (auto *with = llvm::dyn_cast<With>(&stmt)) {
      for (const Expr *context : with->contexts)
        visit(*context);
      return block(with->body);
    } else if (auto *value = llvm::dyn_cast<ExprStmt>(&stmt)) {
      visit(*value->value);
    } else if (auto *result = llvm::dyn_cast<Return>(&stmt)) {
      if (result->value)
        facts.result |= visit(*result->value);
      return false;
    } else if (auto *check = llvm::dyn_cast<Assert>(&stmt)) {
      visit(*check->condition);
    } else if (auto *function = llvm::dyn_cast<FunctionDef>(&stmt)) {
      nested[function->name] = function; // it does something where it is called
      visitAll(function->decorators);
      bindLocal(function->name);
      KernelFacts before = facts;
      inner(*function);
      before.outer = facts.outer; // names of other scopes count wherever they are
      facts = before;
    } else if (auto *other = llvm::dyn_cast<OtherStmt>(&stmt)) {
      visitOther(*other);
      return other->className != "Raise" && other->className != "Break" && other->className != "Continue";
    }
    return true;
  }

  void bindLocal(llvm::StringRef name) { addresses.try_emplace(name, none()); }

  // A function in the kernel: its names are taken for the kernel's.
  void inner(const FunctionDef &function) {
    for (const Parameter &parameter : function.parameters) {
      bindLocal(parameter.name);
      if (parameter.defaultValue)
        visit(*parameter.defaultValue);
    }
    block(function.body);
  }

  void visitOther(const OtherStmt &stmt) {
    for (const Node *child : stmt.children)
      if (auto *expr = llvm::dyn_cast<Expr>(child))
        visit(*expr);
    if (auto *handled = llvm::dyn_cast<Try>(&stmt)) {
      for (ast::Body body : {handled->body, handled->orElse, handled->finally})
        block(body);
      for (const Handler &handler : handled->handlers)
        block(handler.body);
    } else if (auto *cls = llvm::dyn_cast<ClassDef>(&stmt)) {
      bindLocal(cls->name);
      visitAll(cls->bases);
      visitAll(cls->decorators);
      block(cls->body);
    } else if (auto *match = llvm::dyn_cast<Match>(&stmt)) {
      visit(*match->subject);
      for (const MatchCase &item : match->cases)
        block(item.body);
    } else if (auto *async = llvm::dyn_cast<AsyncStmt>(&stmt)) {
      statement(*async->stmt);
    }
  }

  Parameters visitOther(const OtherExpr &expr) {
    if (auto *lambda = llvm::dyn_cast<Lambda>(&expr)) {
      inner(*lambda->function);
    } else if (auto *dict = llvm::dyn_cast<Dict>(&expr)) {
      visitAll(dict->keys);
      return visitAll(dict->values);
    } else if (auto *comprehension = llvm::dyn_cast<Comprehension>(&expr)) {
      for (const Generator &generator : comprehension->generators) {
        bind(generator.target, visit(*generator.iterable));
        visitAll(generator.conditions);
      }
      if (comprehension->key)
        visit(*comprehension->key);
      return visit(*comprehension->element);
    } else if (auto *named = llvm::dyn_cast<NamedExpr>(&expr)) {
      Parameters value = visit(*named->value);
      bind(named->target, value);
      return value;
    }
    Parameters result = none();
    for (const Node *child : expr.children)
      if (auto *part = llvm::dyn_cast<Expr>(child))
        result |= visit(*part);
    return result;
  }

  // Names of other scopes, with their attributes.
  bool isOuter(const Expr &expr) const {
    const Expr *root = &expr;
    while (auto *attribute = llvm::dyn_cast<Attribute>(root))
      root = attribute->value;
    auto *name = llvm::dyn_cast<Name>(root);
    return name && !addresses.count(name->id);
  }
  void noteOuter(const Expr &expr, const Call *call) {
    KernelFacts::Outer outer{&expr, call};
    if (!llvm::is_contained(facts.outer, outer))
      facts.outer.push_back(outer);
  }

  Parameters visitAll(Exprs exprs) {
    Parameters result = none();
    for (const Expr *expr : exprs)
      if (expr)
        result |= visit(*expr);
    return result;
  }

  // Parameters whose address the expression may be.
  Parameters visit(const Expr &expr) {
    if (++reader.depth > 3000) {
      --reader.depth;
      return none();
    }
    Parameters result = visitDeeper(expr);
    --reader.depth;
    return result;
  }

  Parameters visitDeeper(const Expr &expr) {
    if (auto *name = llvm::dyn_cast<Name>(&expr)) {
      auto at = addresses.find(name->id);
      if (at != addresses.end())
        return at->second;
      noteLanguage(expr);
      noteOuter(expr, nullptr);
      return none();
    }
    if (auto *attribute = llvm::dyn_cast<Attribute>(&expr)) {
      noteLanguage(expr);
      if (isOuter(expr)) {
        noteOuter(expr, nullptr);
        return none();
      }
      return visit(*attribute->value);
    }
    if (auto *call = llvm::dyn_cast<Call>(&expr))
      return visitCall(*call);
    if (auto *binary = llvm::dyn_cast<BinOp>(&expr)) {
      Parameters result = visit(*binary->lhs);
      return result |= visit(*binary->rhs);
    }
    if (auto *unary = llvm::dyn_cast<UnaryOp>(&expr))
      return visit(*unary->operand);
    if (auto *logical = llvm::dyn_cast<BoolOp>(&expr))
      return visitAll(logical->operands);
    if (auto *compare = llvm::dyn_cast<Compare>(&expr)) {
      visitAll(compare->operands);
      return none();
    }
    if (auto *subscript = llvm::dyn_cast<Subscript>(&expr)) {
      visit(*subscript->index);
      return visit(*subscript->value);
    }
    if (auto *slice = llvm::dyn_cast<Slice>(&expr))
      return visitAll({slice->lower, slice->upper, slice->step});
    if (auto *sequence = llvm::dyn_cast<Sequence>(&expr))
      return visitAll(sequence->elements);
    if (auto *starred = llvm::dyn_cast<Starred>(&expr))
      return visit(*starred->value);
    if (auto *choice = llvm::dyn_cast<IfExp>(&expr))
      return visitAll({choice->condition, choice->body, choice->orElse});
    if (auto *text = llvm::dyn_cast<JoinedStr>(&expr))
      return visitAll(text->parts);
    if (auto *part = llvm::dyn_cast<FormattedValue>(&expr))
      return visit(*part->value);
    if (auto *other = llvm::dyn_cast<OtherExpr>(&expr))
      return visitOther(*other);
    return none();
  }

  void noteLanguage(const Expr &expr) {
    if (!facts.usesLanguage)
      facts.usesLanguage = isKernelLanguage(reader.names.path(expr));
  }

  const Expr *argument(const Call &call, unsigned position, std::initializer_list<llvm::StringRef> keywords) {
    for (const Keyword &keyword : call.keywords)
      if (llvm::is_contained(keywords, keyword.name))
        return keyword.value;
    return position < call.arguments.size() ? call.arguments[position] : nullptr;
  }

  void store(const Expr *destination, const Call &call) {
    for (const Keyword &keyword : call.keywords)
      if (keyword.name == "mask" && isFalse(keyword.value) && !llvm::isa<Name>(keyword.value)) {
        auto *constant = llvm::cast<Constant>(keyword.value);
        if (constant->constant != ConstantKind::None) // mask=None masks nothing
          return;
      }
    facts.stores = true;
    if (destination)
      facts.written |= visit(*destination);
  }

  Parameters visitCall(const Call &call) {
    if (auto *name = llvm::dyn_cast<Name>(call.callee))
      if (auto at = nested.find(name->id); at != nested.end())
        return visitNested(*at->second, call);
    std::string path = reader.names.path(*call.callee);
    Parameters arguments = visitAll(call.arguments);
    for (const Keyword &keyword : call.keywords)
      arguments |= visit(*keyword.value);
    if (!isKernelLanguage(path) && isOuter(*call.callee))
      noteOuter(*call.callee, &call);
    if (isKernelLanguage(path)) {
      facts.usesLanguage = true;
      llvm::StringRef name = llvm::StringRef(path).substr(path.rfind('.') + 1);
      if (isStoreName(name)) {
        bool valueFirst = llvm::StringRef(path).starts_with("asc2.");
        store(argument(call, valueFirst ? 1 : 0, {"pointer", "tensor", "desc", "dst", "ptr"}), call);
        return none();
      }
      if (name == "assemble") {
        store(argument(call, 2, {"out", "dst"}), call);
        return none();
      }
      if (isLoadName(name)) {
        facts.loaded |= arguments;
        return none();
      }
      return arguments;
    }
    if (const FunctionDef *callee = reader.names.function(*call.callee))
      return visitDevice(*callee, call);
    if (auto *method = llvm::dyn_cast<Attribute>(call.callee)) {
      Parameters receiver = visit(*method->value);
      if ((isStoreName(method->name) || method->name == "move") && receiver.any()) {
        store(method->value, call);
        return none();
      }
      if (isLoadName(method->name)) {
        facts.loaded |= receiver;
        return none();
      }
      if (isResultName(method->name))
        if (const Expr *to = argument(call, 0, {"tensor"}); to && visit(*to).any()) { // not a local tensor
          store(to, call);
          return none();
        }
      if (method->name == "set_global_buffer") // asc: the tensor object stands for the address it is given
        bind(method->value, arguments);
      return arguments |= receiver;
    }
    visit(*call.callee);
    return arguments;
  }

  Parameters visitDevice(const FunctionDef &callee, const Call &call) {
    const KernelFacts device = reader.read(callee); // a copy: the table may grow
    facts.usesLanguage |= device.usesLanguage;
    facts.stores |= device.stores;
    for (const KernelFacts::Outer &outer : device.outer)
      if (!llvm::is_contained(facts.outer, outer))
        facts.outer.push_back(outer);
    Parameters result = none();
    for (unsigned i = 0; i != callee.parameters.size() && i != device.written.size(); ++i) {
      if (!device.written[i] && !device.result[i] && !device.loaded[i])
        continue;
      const Expr *given = argument(call, i, {callee.parameters[i].name});
      if (!given)
        continue;
      Parameters address = visit(*given);
      if (device.written[i])
        facts.written |= address;
      if (device.loaded[i])
        facts.loaded |= address;
      if (device.result[i])
        result |= address;
    }
    return result;
  }

  // A function defined in the kernel: its body, where it is called. Names of its own are taken for the kernel's.
  Parameters visitNested(const FunctionDef &callee, const Call &call) {
    for (unsigned i = 0; i != callee.parameters.size(); ++i)
      if (const Expr *given = argument(call, i, {callee.parameters[i].name})) {
        Parameters value = visit(*given);
        Parameters &known = addresses.try_emplace(callee.parameters[i].name, none()).first->second;
        value |= known;
        grew |= value != known;
        known = value;
      }
    if (llvm::is_contained(open, &callee))
      return none();
    open.push_back(&callee);
    Parameters outside = std::exchange(facts.result, none());
    block(callee.body);
    open.pop_back();
    return std::exchange(facts.result, outside);
  }

  KernelReader &reader;
  const FunctionDef &kernel;
  KernelFacts &facts;
  llvm::StringMap<Parameters> addresses;
  llvm::StringMap<const FunctionDef *> nested;
  llvm::SmallVector<const FunctionDef *> open; // nested functions being read
  bool grew = false;
  unsigned rounds = 0;
};

const KernelFacts &KernelReader::read(const FunctionDef &kernel) {
  auto [at, isNew] = known.try_emplace(&kernel);
  if (!isNew)
    return at->second; // complete, or being read further up: a device function that calls itself
  KernelFacts facts;
  facts.written.resize(kernel.parameters.size());
  facts.loaded.resize(kernel.parameters.size());
  facts.result.resize(kernel.parameters.size());
  at->second = facts;
  Body(*this, kernel, facts).run();
  return known[&kernel] = std::move(facts);
}

} // namespace tilesmith::lint
