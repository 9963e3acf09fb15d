// torch and NumPy: functions by their effect, layers and containers of torch.nn, methods of modules.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

Value Interpreter::callTorch(llvm::StringRef name, const Arguments &arguments, Site site) {
  Value all = arguments.all();
  if (name == "nn.ModuleList" || name == "nn.ParameterList" || name == "nn.ModuleDict" || name == "nn.ParameterDict") {
    for (const Atom &atom : all.atoms)
      if (atom.kind == AtomKind::Object)
        return all;
    return name.ends_with("Dict") ? makeDictOf({}) : makeSequence({});
  }
  if (name == "nn.Sequential") {
    Object modules(ObjectKind::Sequential);
    modules.elements.assign(arguments.positional.begin(), arguments.positional.end());
    modules.rest = arguments.rest;
    modules.isExact = !arguments.hasRest;
    return Value::object(make(std::move(modules)));
  }
  if (name == "nn.Parameter" || name == "nn.parameter.Parameter" || name == "nn.Buffer" ||
      name == "nn.parameter.Buffer") {
    Value tensors = tensorsIn(all);
    if (phase == Phase::Import || phase == Phase::Construct)
      return makeTensor(Origin::Parameter);
    return tensors.empty() ? makeTensor(Origin::Parameter) : tensors;
  }
  llvm::StringRef path = save("torch." + name);
  Effect effect = effectOfTorch(name);
  if (effect != Effect::Compute)
    return apply(effect, path, arguments, site);
  // Devices: queries, streams, synchronisation.
  for (const char *module :
       {"npu.", "cuda.", "accelerator.", "xpu.", "cpu.", "backends.", "version.", "compiler.", "profiler."})
    if (name.starts_with(module)) {
      if (holdsTensor(all) && !name.ends_with("device_of")) {
        report(site, path.str(), "hands tensors to code that is not in this file");
        return computed(all);
      }
      callBack(arguments, site);
      return Value::foreign(path);
    }
  llvm::StringRef last = name.substr(name.rfind('.') + 1);
  bool isLayer = name.starts_with("nn.") && !last.empty() && last[0] >= 'A' && last[0] <= 'Z';
  if (!isJudged()) {
    if (isLayer)
      return Value::foreign(path);
    callBack(arguments, site);
    return name.starts_with("nn.init.") || name.starts_with("manual_seed") ? all : makeTensor(Origin::Parameter);
  }
  std::string shown = path.str();
  if (name.starts_with("nn.functional.")) {
    // `F.softmax` where it is written so; the whole path for `torch.nn.functional.softmax` and aliases.
    std::string spelled = site.callee ? textOf(*site.callee) : "";
    shown = llvm::StringRef(spelled).starts_with("F.") ? spelled : shown;
  }
  report(site, shown, isLayer ? "makes a layer of torch.nn inside forward" : "computes on tensors outside the kernels");
  callBack(arguments, site);
  return isLayer ? Value::foreign(path) : computed(all);
}

Value Interpreter::callModule(llvm::StringRef method, const Arguments &arguments, Site site) {
  if (arguments.positional.empty())
    return Value::host();
  Value self = arguments.positional[0];
  Arguments rest = arguments;
  rest.positional.erase(rest.positional.begin());
  if (method == "register_buffer" || method == "register_parameter" || method == "add_module" ||
      method == "register_module") {
    const Value *name = rest.get(0, "name");
    const Value *value = rest.get(1, method == "register_buffer"      ? "tensor"
                                     : method == "register_parameter" ? "param"
                                                                      : "module");
    if (name && value) {
      const Atom *key = name->single();
      if (key && key->isString())
        setAttribute(self, key->text, *value, site);
      else
        setAnyAttribute(self, *value, site);
    }
    return Value::none();
  }
  if (method.starts_with("register_") && method.contains("hook")) {
    report(site, spellCall(site, method, "(...)"), "hooks change what forward gives", /*always=*/true);
    return Value::host();
  }
  if (method == "__call__" || method == "_call_impl" || method == "_wrapped_call_impl")
    return call(self, rest, site);
  if (method == "forward") {
    report(site, "forward", "nothing in the file defines it");
    return Value::host();
  }
  if (method == "parameters" || method == "buffers" || method == "named_parameters" || method == "named_buffers" ||
      method == "state_dict" || method == "get_parameter" || method == "get_buffer") {
    Value weights = tensorsIn(self);
    weights.add(makeTensor(Origin::Parameter));
    if (method.starts_with("get_"))
      return weights;
    if (method == "state_dict")
      return makeDictOf(weights);
    return makeSequenceOf(method.starts_with("named_") ? makeSequence({Value::host(), weights}) : weights);
  }
  if (method == "children" || method == "modules" || method == "named_children" || method == "named_modules" ||
      method == "get_submodule") {
    Value modules;
    for (const Atom &atom : self.atoms)
      if (const Object *instance = lookAt(atom, ObjectKind::Instance))
        for (const Atom &member : instance->all().atoms)
          if (member.kind == AtomKind::Foreign || member.kind == AtomKind::Object)
            modules.add(member);
    if (method == "get_submodule")
      return modules;
    return makeSequenceOf(method.starts_with("named_") ? makeSequence({Value::host(), modules}) : modules);
  }
  if (method == "apply" || method == "_apply") {
    callBack(rest, site);
    return self;
  }
  if (method == "__setattr__" && rest.positional.size() >= 2) {
    const Atom *key = rest.positional[0].single();
    if (key && key->isString())
      setAttribute(self, key->text, rest.positional[1], site);
    else
      setAnyAttribute(self, rest.positional[1], site);
    return Value::none();
  }
  if (method == "__getattr__" || method == "__getattribute__") {
    const Atom *key = rest.positional.empty() ? nullptr : rest.positional[0].single();
    return key && key->isString() ? attribute(self, key->text, site) : anyAttribute(self, site);
  }
  if (method == "__init__")
    return Value::none();
  return self; // to, cuda, eval, train, half ... give the module itself
}

Value Interpreter::callNumpy(llvm::StringRef name, const Arguments &arguments, Site site) {
  Effect effect = effectOfNumpy(name);
  Value all = arguments.all();
  llvm::StringRef path = save("numpy." + name);
  if (effect != Effect::Compute)
    return effect == Effect::Copy && !holdsTensor(all) ? allocate("array", arguments, site)
                                                       : apply(effect, path, arguments, site);
  if (uint8_t flags = hostFlags(all); flags && !holdsTensor(all))
    return Value::host(Atom::FromTensor | Atom::Computed);
  if (!holdsTensor(all)) // sizes, types, constants
    return name.starts_with("random") ? makeTensor(isJudged() ? Origin::Computed : Origin::Parameter) : Value::host();
  report(site, path.str(), "computes on tensors outside the kernels");
  callBack(arguments, site);
  return computed(all);
}

} // namespace tilesmith::lint
