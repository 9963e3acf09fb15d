#include "Interpreter.h"

#include "llvm/ADT/StringMap.h"

namespace tilesmith::lint {

using namespace ast;

Modules::Method Modules::find(llvm::StringRef name) {
  static const llvm::StringMap<Method> methods{
      {"register_buffer", &Modules::registerBuffer},
      {"register_parameter", &Modules::registerParameter},
      {"add_module", &Modules::addModule},
      {"register_module", &Modules::addModule},
      {"__call__", &Modules::callSelf},
      {"_call_impl", &Modules::callSelf},
      {"_wrapped_call_impl", &Modules::callSelf},
      {"forward", &Modules::forward},
      {"parameters", &Modules::weights},
      {"named_parameters", &Modules::weights},
      {"buffers", &Modules::weights},
      {"named_buffers", &Modules::weights},
      {"state_dict", &Modules::weights},
      {"get_parameter", &Modules::weights},
      {"get_buffer", &Modules::weights},
      {"children", &Modules::children},
      {"named_children", &Modules::children},
      {"modules", &Modules::children},
      {"named_modules", &Modules::children},
      {"get_submodule", &Modules::children},
      {"apply", &Modules::apply},
      {"_apply", &Modules::apply},
      {"__setattr__", &Modules::setAttribute},
      {"__getattr__", &Modules::getAttribute},
      {"__getattribute__", &Modules::getAttribute},
      {"__init__", &Modules::init},
  };
  return methods.lookup(name);
}

Value Modules::call(llvm::StringRef method, const Arguments &arguments, Site site) {
  if (arguments.positional.empty())
    return Value::host();
  MethodCall call{method, arguments.positional[0], arguments.withoutFirst(), site};
  if (Method handler = find(method))
    if (std::optional<Value> result = (this->*handler)(call))
      return *result;
  if (method.starts_with("register_") && method.contains("hook")) {
    Replaced replaced;
    replaced.what = Replaced::What::ModuleCall;
    notes.tell(site, notes.spellCall(site, method, "(...)"), replaced);
    return Value::host();
  }
  return call.self; // to, cuda, eval, train, half ... give the module itself
}

Value Modules::add(const MethodCall &call, llvm::StringRef valueName) {
  const Value *name = call.rest.get(0, "name"), *value = call.rest.get(1, valueName);
  if (name && value)
    attributes.setNamed(call.self, *name, *value, call.site);
  return Value::none();
}

std::optional<Value> Modules::registerBuffer(const MethodCall &call) { return add(call, "tensor"); }
std::optional<Value> Modules::registerParameter(const MethodCall &call) { return add(call, "param"); }
std::optional<Value> Modules::addModule(const MethodCall &call) { return add(call, "module"); }
std::optional<Value> Modules::callSelf(const MethodCall &call) { return calls.call(call.self, call.rest, call.site); }
std::optional<Value> Modules::init(const MethodCall &call) { return Value::none(); }

std::optional<Value> Modules::forward(const MethodCall &call) {
  UnresolvedCall unresolved;
  unresolved.callee = UnresolvedCall::Callee::Forward;
  unresolved.handsTensors = buffers.holdsTensor(call.rest.all());
  notes.tell(call.site, "forward", unresolved);
  return Value::host();
}

Value Modules::listed(const MethodCall &call, const Value &values) {
  bool isNamed = call.method.starts_with("named_");
  return world.makeSequenceOf(isNamed ? world.makeSequence({Value::host(), values}) : values);
}

std::optional<Value> Modules::weights(const MethodCall &call) {
  Value weights = buffers.tensorsIn(call.self);
  weights.add(world.makeTensor(Origin::Parameter));
  if (call.method.starts_with("get_"))
    return weights;
  return call.method == "state_dict" ? world.makeDictOf(weights) : listed(call, weights);
}

std::optional<Value> Modules::children(const MethodCall &call) {
  Value modules;
  for (const Atom &atom : call.self.atoms)
    if (const Object *instance = world.lookAt(atom, ObjectKind::Instance))
      for (const Atom &member : instance->all().atoms)
        if (member.kind == AtomKind::Foreign || member.kind == AtomKind::Object)
          modules.add(member);
  return call.method == "get_submodule" ? modules : listed(call, modules);
}

std::optional<Value> Modules::apply(const MethodCall &call) {
  outside.handOver(call.rest, call.site);
  return call.self;
}

std::optional<Value> Modules::setAttribute(const MethodCall &call) {
  if (call.rest.positional.size() < 2)
    return std::nullopt;
  attributes.setNamed(call.self, call.rest.positional[0], call.rest.positional[1], call.site);
  return Value::none();
}

std::optional<Value> Modules::getAttribute(const MethodCall &call) {
  Value name = call.rest.positional.empty() ? Value() : call.rest.positional[0];
  return attributes.getNamed(call.self, name, call.site);
}

} // namespace tilesmith::lint
