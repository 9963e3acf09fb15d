#include "Interpreter.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tilesmith::lint {

using namespace ast;

Torch::Maker Torch::findMaker(llvm::StringRef name) {
  static const llvm::StringMap<Maker> makers{
      {"nn.ModuleList", &Torch::makeList},
      {"nn.ParameterList", &Torch::makeList},
      {"nn.ModuleDict", &Torch::makeDict},
      {"nn.ParameterDict", &Torch::makeDict},
      {"nn.Sequential", &Torch::makeSequential},
      {"nn.Parameter", &Torch::makeParameter},
      {"nn.parameter.Parameter", &Torch::makeParameter},
      {"nn.Buffer", &Torch::makeParameter},
      {"nn.parameter.Buffer", &Torch::makeParameter},
  };
  return makers.lookup(name);
}

static bool holdsObject(const Value &value) {
  return llvm::any_of(value.atoms, [](const Atom &atom) { return atom.kind == AtomKind::Object; });
}

Value Torch::makeList(const Arguments &arguments) {
  Value all = arguments.all();
  if (!holdsObject(all))
    return world.makeSequence({});
  // What a generator gives is made here and now, and not again when the list is gone through.
  for (Atom &atom : all.atoms) {
    if (atom.kind != AtomKind::Object || state.get(atom.object).kind != ObjectKind::Sequence)
      continue;
    Object list = state.get(atom.object);
    list.node = nullptr;
    atom.object = world.make(std::move(list));
  }
  return all;
}

Value Torch::makeDict(const Arguments &arguments) {
  Value all = arguments.all();
  return holdsObject(all) ? all : world.makeDictOf({});
}

Value Torch::makeSequential(const Arguments &arguments) {
  Object modules(ObjectKind::Sequential);
  modules.elements.assign(arguments.positional.begin(), arguments.positional.end());
  modules.rest = arguments.rest;
  modules.isExact = !arguments.hasRest;
  return Value::object(world.make(std::move(modules)));
}

Value Torch::makeParameter(const Arguments &arguments) {
  Value tensors = buffers.tensorsIn(arguments.all());
  return tensors.empty() || !world.isJudged() ? world.makeTensor(Origin::Parameter) : tensors;
}

Value Torch::callFunction(llvm::StringRef name, const Arguments &arguments, Site site) {
  if (Maker make = findMaker(name))
    return (this->*make)(arguments);
  llvm::StringRef path = world.save("torch." + name);
  if (Effect effect = effectOfTorch(name); effect != Effect::Compute)
    return apply(effect, path, arguments, site);
  if (isDeviceModule(path) && name.contains('.'))
    return callDevice(path, arguments, site);
  llvm::StringRef last = name.substr(name.rfind('.') + 1);
  bool isLayer = name.starts_with("nn.") && !last.empty() && last[0] >= 'A' && last[0] <= 'Z';
  if (isLayer) {
    if (world.isJudged()) {
      notes.tell(site, path.str(), LayerUse());
      outside.handOver(arguments, site);
    }
    return Value::foreign(path);
  }
  if (!world.isJudged()) {
    if (!name.starts_with("library."))
      outside.remember(arguments);
    bool isInit = name.starts_with("nn.init.") || name.starts_with("manual_seed");
    return isInit ? arguments.all() : world.makeTensor(Origin::Parameter);
  }
  std::string shown = path.str();
  if (name.starts_with("nn.functional.") && site.callee) {
    // `F.softmax` where it is written so; the whole path for `torch.nn.functional.softmax` and aliases.
    std::string spelled = notes.textOf(*site.callee);
    if (llvm::StringRef(spelled).starts_with("F."))
      shown = spelled;
  }
  return compute(shown, arguments, site);
}

Value Torch::callDevice(llvm::StringRef path, const Arguments &arguments, Site site) {
  Value all = arguments.all();
  if (buffers.holdsTensor(all) && !path.ends_with("device_of")) {
    ForeignCall foreign;
    foreign.path = path.str();
    foreign.handsTensors = true;
    notes.tell(site, path.str(), foreign);
    return buffers.computed(all);
  }
  outside.handOver(arguments, site);
  return Value::foreign(path);
}

Value Torch::compute(std::string shown, const Arguments &arguments, Site site) {
  notes.tell(site, std::move(shown), HostCompute());
  outside.handOver(arguments, site);
  return buffers.computed(arguments.all());
}

Value Torch::callNumpy(llvm::StringRef name, const Arguments &arguments, Site site) {
  Effect effect = effectOfNumpy(name);
  Value all = arguments.all();
  llvm::StringRef path = world.save("numpy." + name);
  bool hasTensors = buffers.holdsTensor(all);
  if (effect == Effect::Copy && !hasTensors)
    return allocate("array", arguments, site);
  if (effect != Effect::Compute)
    return apply(effect, path, arguments, site);
  if (hasTensors)
    return compute(path.str(), arguments, site);
  if (buffers.hostFlags(all)) {
    HostValue value;
    value.function = path.str();
    notes.tell(site, path.str(), value);
    return Value::host(Atom::FromTensor | Atom::Computed);
  }
  if (name.starts_with("random"))
    return world.makeTensor(world.isJudged() ? Origin::Computed : Origin::Parameter);
  outside.remember(arguments);
  outside.handOver(arguments, site);
  return Value::host(); // sizes, types, constants
}

Value Torch::callMethod(llvm::StringRef name, const Arguments &arguments, Site site) {
  static const llvm::StringSet<> ofContainers{"append", "items", "keys", "values", "get", "index", "pop", "extend"};
  const Value *given = arguments.get(0, "self");
  Value self = given ? *given : Value();
  if (ofContainers.contains(name)) // an input may be a list or a dictionary of tensors
    return buffers.tensorsIn(self, Atom::Part);
  buffers.useAsTensor(self);
  bool isOfWeights = !self.empty() && llvm::all_of(self.atoms, [&](const Atom &atom) {
    return atom.kind == AtomKind::Tensor && state.get(atom.object).buffer.origin == Origin::Parameter;
  });
  if (name == "repeat" && isOfWeights) // the same weights, several times
    return buffers.copyOf(self);
  Effect effect = effectOfMethod(name);
  if (effect == Effect::Compute) {
    bool isWritten = llvm::isa_and_nonnull<Attribute>(site.callee); // as a method of something
    Value result =
        compute(isWritten ? notes.textOf(*site.callee) + "()" : ("Tensor." + name + "()").str(), arguments, site);
    if (name.ends_with("_") && !name.starts_with("__"))
      buffers.copyInto(self, result);
    return result;
  }
  if (effect == Effect::Host || effect == Effect::Part)
    buffers.useAsScalars(arguments, 1);
  // Asked for without an argument it is a conversion that may be the tensor itself: `type()` gives a name.
  if (name == "type" && arguments.positional.size() == 1 && arguments.keywords.empty())
    return Value::host();
  return apply(effect, name, arguments, site);
}

Value Torch::apply(Effect effect, llvm::StringRef path, const Arguments &arguments, Site site) {
  const Value *given = arguments.get(0, "input");
  Value self = given ? *given : Value();
  if (effect == Effect::Allocate)
    return allocate(path.substr(path.rfind('.') + 1), arguments, site);
  if (effect == Effect::Self)
    return self;
  if (effect == Effect::Compute)
    return compute(path.str(), arguments, site);
  buffers.useAsTensor(self);
  switch (effect) {
  case Effect::View:
    return view(self, path, arguments);
  case Effect::Part:
    return buffers.tensorsIn(self, Atom::Part);
  case Effect::Copy:
    if (buffers.holdsBits(arguments.withoutFirst().all())) // looked up in a table, by what the numbers look like
      return compute(path.str(), arguments, site);
    return buffers.copyOf(buffers.holdsTensor(self) ? buffers.tensorsIn(self) : self);
  case Effect::Read:
    return Value::host(path.contains("tolist") || path.contains("tobytes") ? Atom::FromTensor | Atom::Many
                                                                           : Atom::FromTensor);
  case Effect::Address:
    return addressOf(self);
  case Effect::Fill:
    if (buffers.isComputedOnHost(arguments.all()))
      tellHostValue(site, path);
    buffers.copyInto(self, {});
    return self;
  case Effect::CopyInto:
    if (arguments.positional.size() > 1)
      buffers.copyInto(self, arguments.positional[1]);
    return self;
  default:
    return Value::host();
  }
}

Value Torch::view(const Value &self, llvm::StringRef path, const Arguments &arguments) {
  buffers.useAsScalars(arguments, 1);
  Value all = arguments.all();
  if (!self.hasTensor() && !buffers.holdsTensor(all))
    return Value::host();
  if (path.ends_with("broadcast_tensors"))
    return world.makeSequenceOf(buffers.tensorsIn(all));
  bool isOtherType = path.ends_with("view") && llvm::any_of(arguments.withoutFirst().all().atoms, [](const Atom &atom) {
                       return atom.kind == AtomKind::Path || atom.isString();
                     });
  return buffers.tensorsIn(self.hasTensor() ? self : all, isOtherType ? Atom::Bits : 0);
}

Value Torch::addressOf(const Value &self) {
  Value result;
  for (const Atom &atom : self.atoms)
    if (atom.kind == AtomKind::Tensor)
      result.add(Value::of(AtomKind::Host, atom.object));
  return result.empty() ? Value::host() : result;
}

void Torch::tellHostValue(Site site, llvm::StringRef name) {
  HostValue value;
  value.use = HostValue::Use::InNewTensor;
  notes.tell(site, notes.spellCall(site, name, "()"), value);
}

// Numbers read from a tensor, as many as it has: not a few that are known one by one.
bool Torch::isElementwise(const Value &contents) const {
  return llvm::any_of(contents.atoms, [&](const Atom &atom) {
    if (atom.kind == AtomKind::Host)
      return (atom.flags & Atom::Many) != 0;
    const Object *sequence = world.lookAt(atom, ObjectKind::Sequence);
    return sequence && (sequence->isExact ? isElementwise(sequence->all()) : control.isData(sequence->all()));
  });
}

Value Torch::allocate(llvm::StringRef name, const Arguments &arguments, Site site) {
  bool isLike = name.ends_with("_like") || name.starts_with("new_");
  bool copies =
      name == "tensor" || name == "as_tensor" || name == "asarray" || name == "from_numpy" || name == "new_tensor";
  // Sizes may be computed from what a tensor holds, contents may not.
  const Value *contents = copies || name == "array" ? arguments.get(name == "new_tensor" ? 1 : 0, "data")
                          : name.contains("full")   ? arguments.get(name == "new_full" ? 2 : 1, "fill_value")
                                                    : nullptr;
  if (contents && (buffers.isComputedOnHost(*contents) || (copies && isElementwise(*contents))))
    tellHostValue(site, name);
  if (isLike && !arguments.positional.empty())
    buffers.useAsTensor(arguments.positional[0]);
  if (!copies)
    buffers.useAsScalars(arguments, isLike ? 1 : 0);
  Value source =
      arguments.positional.size() > (name == "new_tensor") ? arguments.positional[name == "new_tensor"] : Value();
  if (copies && buffers.holdsTensor(source)) {
    buffers.useAsTensor(source);
    return name == "tensor" || name == "new_tensor" ? buffers.copyOf(buffers.tensorsIn(source))
                                                    : buffers.tensorsIn(source);
  }
  Value result = world.makeTensor(world.isJudged() ? Origin::Fresh : Origin::Parameter);
  // A tensor of addresses.
  llvm::SmallVector<ObjectId, 2> pointees;
  Value elements = source;
  for (const Atom &atom : source.atoms)
    if (const Object *sequence = world.lookAt(atom, ObjectKind::Sequence))
      elements.add(sequence->all());
  for (const Atom &atom : elements.atoms)
    if (atom.kind == AtomKind::Host && atom.object)
      pointees.push_back(atom.object);
  if (!pointees.empty())
    state.change(result.atoms[0].object).buffer.pointees.assign(pointees.begin(), pointees.end());
  return result;
}

} // namespace tilesmith::lint
