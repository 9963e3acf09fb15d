#include "World.h"

namespace tilesmith::lint {

using namespace ast;

World::World() {
  state.put(0, Object(ObjectKind::Scope)); // nothing has the number 0
}

bool World::step(size_t cost) {
  steps += cost + 1;
  if (steps > maxSteps)
    giveUp();
  return state.alive;
}

void World::enter(State next) {
  if (next.alive)
    state = std::move(next);
  else
    state.alive = false;
}

void World::giveUp() {
  gaveUp = true;
  state.alive = false;
}

ObjectId World::make(Object object) {
  ObjectId id = nextObject++;
  step();
  state.put(id, std::move(object));
  return id;
}

Value World::makeSequence(std::vector<Value> elements) {
  if (elements.size() > 256) {
    Value rest;
    for (const Value &element : elements)
      rest.add(element);
    return makeSequenceOf(rest);
  }
  Object sequence(ObjectKind::Sequence);
  sequence.elements = std::move(elements);
  return Value::object(make(std::move(sequence)));
}

Value World::makeSequenceOf(Value rest) {
  Object sequence(ObjectKind::Sequence);
  sequence.rest = std::move(rest);
  sequence.isExact = false;
  return Value::object(make(std::move(sequence)));
}

Value World::makeDictOf(Value rest) {
  Object dict(ObjectKind::Dict);
  dict.rest = std::move(rest);
  return Value::object(make(std::move(dict)));
}

Value World::makeBound(Value callee, Value self) {
  Object bound(ObjectKind::Bound);
  bound.callee = std::move(callee);
  bound.elements.push_back(std::move(self));
  return Value::object(make(std::move(bound)));
}

Value World::makeWrapper(ObjectKind kind, Value callee) {
  Object wrapper(kind);
  wrapper.callee = std::move(callee);
  return Value::object(make(std::move(wrapper)));
}

Value World::makeTensor(Origin origin) {
  Object buffer(ObjectKind::Buffer);
  buffer.buffer.origin = origin;
  return Value::tensor(make(std::move(buffer)));
}

const Object *World::lookAt(const Atom &atom, ObjectKind kind) const {
  if (atom.kind != AtomKind::Object || !state.exists(atom.object) || state.get(atom.object).kind != kind)
    return nullptr;
  return &state.get(atom.object);
}

ObjectId World::storageOf(const Atom &atom) const {
  const Object *attributes = lookAt(atom, ObjectKind::Attributes);
  return attributes ? attributes->parent : atom.object;
}

bool World::isAny(const Atom &atom, std::initializer_list<ObjectKind> kinds) const {
  return atom.kind == AtomKind::Object && state.exists(atom.object) &&
         llvm::is_contained(kinds, state.get(atom.object).kind);
}

} // namespace tilesmith::lint
