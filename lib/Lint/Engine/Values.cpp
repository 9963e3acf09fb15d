#include "Values.h"

namespace tilesmith::lint {

// Beyond this many alternatives constants are given up, and a set stays a set of kinds.
static constexpr size_t manyAtoms = 24, mostAtoms = 96;

void Value::add(const Atom &atom) {
  if (llvm::is_contained(atoms, atom))
    return;
  if (atoms.size() >= mostAtoms) { // nothing is left out silently: this one cannot be called with tensors
    Value many = Value::foreign("one of very many values");
    if (!llvm::is_contained(atoms, many.atoms[0]))
      atoms.push_back(many.atoms[0]);
    return;
  }
  if (atoms.size() >= manyAtoms && atom.kind == AtomKind::Constant && !atom.isNone()) {
    add(Atom{AtomKind::Host});
    return;
  }
  atoms.push_back(atom);
}

void Value::widen(const Value &other) {
  if (*this == other)
    return;
  Value before = std::move(*this);
  atoms.clear();
  for (const Value *side : {static_cast<const Value *>(&before), &other})
    for (const Atom &atom : side->atoms)
      add(atom.kind == AtomKind::Constant && !atom.isNone() ? Atom{AtomKind::Host} : atom);
}

void Buffer::addKernels(llvm::ArrayRef<unsigned> more) {
  for (unsigned kernel : more) {
    auto at = llvm::lower_bound(kernels, kernel);
    if (at == kernels.end() || *at != kernel)
      kernels.insert(at, kernel);
  }
}

Value Object::all() const {
  Value result = rest;
  for (const Value &element : elements)
    result.add(element);
  if (kind != ObjectKind::Sequence)
    for (const auto &[name, value] : fields)
      result.add(value);
  return result;
}

const Object &State::get(ObjectId id) const {
  static const Object nothing(ObjectKind::Buffer);
  return exists(id) ? *objects[id] : nothing;
}

Object &State::change(ObjectId id) {
  if (!exists(id))
    put(id, Object(ObjectKind::Buffer));
  std::shared_ptr<Object> &object = objects[id];
  if (object.use_count() > 1)
    object = std::make_shared<Object>(*object);
  return *object;
}

void State::put(ObjectId id, Object object) {
  if (objects.size() <= id)
    objects.resize(id + 1);
  objects[id] = std::make_shared<Object>(std::move(object));
}

static void joinValue(Value &into, const Value &from, State::Join how) {
  if (how == State::Join::Widen)
    into.widen(from);
  else
    into.add(from);
}

static void joinObject(Object &into, const Object &from, State::Join how) {
  for (const auto &[name, value] : from.fields) {
    auto [at, isNew] = into.fields.try_emplace(name, value);
    if (!isNew)
      joinValue(at->second, value, how);
  }
  into.elsewhere.insert(from.elsewhere.begin(), from.elsewhere.end());
  into.letsRaise &= from.letsRaise;
  joinValue(into.rest, from.rest, how);
  joinValue(into.callee, from.callee, how);
  if (into.isExact && from.isExact && into.elements.size() == from.elements.size()) {
    for (size_t i = 0; i != into.elements.size(); ++i)
      joinValue(into.elements[i], from.elements[i], how);
  } else if (into.kind == ObjectKind::Sequence) {
    Value all = into.all();
    all.add(from.all());
    into.rest = std::move(all);
    into.elements.clear();
    into.isExact = false;
  }
  Buffer &buffer = into.buffer;
  bool either = buffer.isWritten || from.buffer.isWritten;
  buffer.isWritten = how == State::Join::FirstWrites ? either : buffer.isWritten && from.buffer.isWritten;
  buffer.origin = std::max(buffer.origin, from.buffer.origin);
  buffer.addKernels(from.buffer.kernels);
  for (ObjectId pointee : from.buffer.pointees)
    if (!llvm::is_contained(buffer.pointees, pointee))
      buffer.pointees.push_back(pointee);
}

void State::join(const State &other, Join how) {
  if (!other.alive)
    return;
  if (!alive) {
    *this = other;
    return;
  }
  if (objects.size() < other.objects.size())
    objects.resize(other.objects.size());
  for (ObjectId id = 0; id != other.objects.size(); ++id) {
    const std::shared_ptr<Object> &from = other.objects[id];
    if (!from || from == objects[id])
      continue;
    if (!objects[id])
      objects[id] = from;
    else
      joinObject(change(id), *from, how);
  }
}

void State::age() {
  for (ObjectId id = 0; id != objects.size(); ++id) {
    if (!objects[id] || objects[id]->kind != ObjectKind::Buffer)
      continue;
    Buffer &buffer = change(id).buffer;
    if (buffer.origin != Origin::Parameter)
      buffer.origin = Origin::Stale;
    buffer.isWritten = false;
    buffer.inputs.clear();
    buffer.kernels.clear();
  }
}

} // namespace tilesmith::lint
