// Python's builtin functions.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

Value Interpreter::callBuiltin(llvm::StringRef name, const Arguments &arguments, Site site) {
  llvm::ArrayRef<Value> given = arguments.positional;
  Value all = arguments.all();
  if (name == "getattr" && given.size() >= 2) {
    const Atom *key = given[1].single();
    Value result = key && key->isString() ? attribute(given[0], key->text, site) : anyAttribute(given[0], site);
    if (given.size() > 2)
      result.add(given[2]);
    return result;
  }
  if ((name == "setattr" || name == "delattr") && given.size() >= 2) {
    const Atom *key = given[1].single();
    Value value = given.size() > 2 ? given[2] : Value::host();
    if (key && key->isString())
      setAttribute(given[0], key->text, value, site);
    else
      setAnyAttribute(given[0], value, site);
    return Value::none();
  }
  if (name == "globals" || name == "locals")
    return Value::object(name == "globals" ? moduleScope : frame().scope);
  if (name == "vars")
    return given.empty() ? Value::object(frame().scope) : attribute(given[0], "__dict__", site);
  if (name == "__import__" && !given.empty()) {
    Value module = importByName(given[0], site);
    const Atom *atom = module.single();
    bool isTop = arguments.keywords.empty() && given.size() < 4; // without fromlist it gives the package
    return isTop && atom ? Value::path(atom->text.take_until([](char c) { return c == '.'; })) : module;
  }
  if (name == "super") {
    Object object(ObjectKind::Super);
    object.owner = frame().owner;
    object.callee = frame().self;
    if (given.size() == 2) {
      if (const Atom *cls = given[0].single(); cls && lookAt(*cls, ObjectKind::Class))
        object.owner = cls->object;
      object.callee = given[1];
    }
    return Value::object(make(std::move(object)));
  }
  if (name == "property")
    return given.empty() ? Value::host() : makeWrapper(ObjectKind::Property, given[0]);
  if (name == "staticmethod")
    return given.empty() ? Value::host() : makeWrapper(ObjectKind::Static, given[0]);
  if (name == "classmethod")
    return given.empty() ? Value::host() : makeWrapper(ObjectKind::ClassMethod, given[0]);
  if (name == "range") {
    useAsScalar(all);
    int64_t bounds[3] = {0, 0, 1};
    bool isKnown = !given.empty() && given.size() <= 3 && !arguments.hasRest;
    for (size_t i = 0; i != given.size() && isKnown; ++i) {
      const Atom *bound = given[i].single();
      isKnown = bound && bound->isInteger();
      if (isKnown)
        bounds[given.size() == 1 ? 1 : i] = bound->integer;
    }
    bool isEmpty = isKnown && (bounds[2] > 0 ? bounds[0] >= bounds[1] : bounds[0] <= bounds[1]);
    return isEmpty ? makeSequence({}) : makeSequenceOf(Value::host());
  }
  if (name == "len") {
    const Atom *atom = given.empty() ? nullptr : given[0].single();
    const Object *sequence = atom ? lookAt(*atom, ObjectKind::Sequence) : nullptr;
    return sequence && sequence->isExact ? Value::integral(sequence->elements.size()) : Value::host();
  }
  if (name == "isinstance" && given.size() == 2) {
    const Atom *cls = given[1].single();
    bool isTensor = !given[0].empty() &&
                    llvm::all_of(given[0].atoms, [](const Atom &atom) { return atom.kind == AtomKind::Tensor; });
    if (isTensor && cls && cls->kind == AtomKind::Path && cls->text == "torch.Tensor" && phase == Phase::Forward)
      return Value::boolean(true);
    return Value::host(Atom::Boolean);
  }
  if (name == "type" && given.size() == 1) {
    Value result;
    for (const Atom &atom : given[0].atoms) {
      if (atom.kind == AtomKind::Tensor)
        result.add(Value::path("torch.Tensor"));
      else if (const Object *instance = lookAt(atom, ObjectKind::Instance))
        result.add(Value::object(instance->parent));
      else
        result.add(Value::host());
    }
    return result;
  }
  if (name == "type")
    return Value::foreign("class");
  if (name == "int" || name == "float" || name == "bool" || name == "complex") {
    if (const Atom *atom = all.single(); atom && atom->isInteger() && name == "int")
      return all;
    uint8_t flags = hasTensor(all) ? Atom::FromTensor : 0;
    for (const Atom &atom : all.atoms)
      flags |= atom.kind == AtomKind::Host ? atom.flags : 0;
    return Value::host(flags);
  }
  if (name == "list" || name == "tuple" || name == "set" || name == "frozenset" || name == "iter" ||
      name == "reversed") {
    if (given.empty() && !arguments.hasRest)
      return makeSequence({});
    const Atom *atom = all.single();
    const Object *sequence = atom ? lookAt(*atom, ObjectKind::Sequence) : nullptr;
    if (sequence && sequence->isExact && (name == "list" || name == "tuple" || name == "iter"))
      return makeSequence(sequence->elements);
    return makeSequenceOf(iterate(all));
  }
  if (name == "dict") {
    Object dict(ObjectKind::Dict);
    for (const auto &[key, value] : arguments.keywords)
      dict.fields[key] = value;
    if (!given.empty()) {
      const Atom *atom = given[0].single();
      if (const Object *source = atom ? lookAt(*atom, ObjectKind::Dict) : nullptr) {
        for (const auto &[key, value] : source->fields)
          dict.fields.try_emplace(key, value);
        dict.rest = source->rest;
      } else {
        dict.rest = iterate(iterate(given[0]));
      }
    }
    return Value::object(make(std::move(dict)));
  }
  if (name == "zip" || name == "enumerate") {
    std::vector<Value> items;
    if (name == "enumerate")
      items.push_back(Value::host());
    for (const Value &value : name == "zip" ? given : given.take_front(1))
      items.push_back(iterate(value));
    return makeSequenceOf(arguments.hasRest ? makeSequenceOf(iterate(iterate(all))) : makeSequence(std::move(items)));
  }
  if (name == "next") {
    Value item = iterate(given.empty() ? all : given[0]);
    if (given.size() > 1)
      item.add(given[1]);
    return item;
  }
  if ((name == "map" || name == "filter") && given.size() >= 2) {
    Arguments inner;
    for (const Value &value : given.drop_front())
      inner.positional.push_back(iterate(value));
    Value result = call(given[0], inner, site);
    return makeSequenceOf(name == "map" ? result : inner.positional[0]);
  }
  bool reduces = name == "sum" || name == "max" || name == "min" || name == "abs" || name == "pow" || name == "round" ||
                 name == "divmod" || name == "sorted" || name == "any" || name == "all";
  if (reduces) {
    Value elements = all;
    for (const Atom &atom : all.atoms)
      if (atom.kind == AtomKind::Object && !lookAt(atom, ObjectKind::Function))
        elements.add(iterate(atom));
    if (const Value *key = arguments.keyword("key"); key && name != "pow") {
      Arguments inner;
      inner.positional.push_back(iterate(given.empty() ? all : given[0]));
      call(*key, inner, site);
    }
    if (hasTensor(elements)) {
      report(site, name.str(), "computes on tensors outside the kernels");
      return computed(elements);
    }
    uint8_t flags = hostFlags(elements) ? Atom::FromTensor | Atom::Computed : 0;
    return name == "sorted" ? makeSequenceOf(elements) : Value::host(flags);
  }
  if (name == "str" || name == "format" || name == "repr") {
    const Atom *atom = all.single();
    return atom && atom->isString() ? all : Value::host(hostFlags(all));
  }
  if (isHarmlessBuiltin(name)) {
    callBack(arguments, site);
    return Value::host();
  }
  if (name.starts_with("object."))
    return Value::host();
  // A method called through its type (`str.join`, `list.append`), or a name that nothing in the file defines.
  if (name.starts_with("list.") || name.starts_with("dict.") || name.starts_with("tuple."))
    return callContainer(name.substr(name.find('.') + 1), arguments, site);
  return callUnknown(save("builtins." + name), arguments, site);
}

} // namespace tilesmith::lint
