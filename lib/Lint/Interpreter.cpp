// Bounds, reports and objects of the interpreter.
#include "Interpreter.h"

namespace tilesmith::lint {

using namespace ast;

Interpreter::Interpreter(const Tree &tree, const SourceFile &source, const ValidateOptions &options)
    : tree(tree), source(source), options(options), kernelPath([this](const Expr &expr) { return pathInKernel(expr); }),
      kernelFunction([this](const Expr &expr) { return functionInKernel(expr); }),
      reader({kernelPath, kernelFunction}) {
  llvm::StringRef(source.text).split(lines, '\n');
  state.put(0, Object(ObjectKind::Scope)); // nothing has the number 0
  moduleScope = make(Object(ObjectKind::Scope));
  Frame module;
  module.scope = moduleScope;
  frames.push_back(std::move(module));
}

bool Interpreter::step(size_t cost) {
  steps += cost + 1;
  if (steps > maxSteps)
    giveUp();
  return state.alive;
}

void Interpreter::enter(State next) {
  if (next.alive)
    state = std::move(next);
  else
    state.alive = false;
}

void Interpreter::giveUp() {
  gaveUp = true;
  state.alive = false;
}

void Interpreter::report(const Range &range, std::string call, llvm::StringRef reason, bool always) {
  if (!state.alive || (phase != Phase::Forward && !always))
    return;
  for (const Violation &known : violations)
    if (known.range == range && known.call == call)
      return;
  violations.push_back({range, std::move(call), reason.str()});
}

// The expression as it is written, in one line.
std::string Interpreter::textOf(const Expr &expr) const {
  std::string text;
  for (unsigned line = expr.range.line; line <= expr.range.endLine && text.size() < 200; ++line) {
    llvm::StringRef whole = line && line <= lines.size() ? lines[line - 1] : llvm::StringRef();
    size_t begin = line == expr.range.line ? expr.range.column : 0;
    size_t end = line == expr.range.endLine ? expr.range.endColumn : whole.size();
    llvm::StringRef part = whole.slice(std::min(begin, whole.size()), std::min(end, whole.size()));
    text += (line == expr.range.line ? part : part.trim()).str();
  }
  if (text.size() > 80)
    text = "..." + text.substr(text.size() - 77);
  return text;
}

// `x.sum()` and `self.conv(...)` as they are written; the name where the callee is not.
std::string Interpreter::spellCall(Site site, llvm::StringRef fallback, llvm::StringRef brackets) const {
  bool isWritten = site.callee && (llvm::isa<Attribute>(site.callee) || llvm::isa<Name>(site.callee));
  return (isWritten ? textOf(*site.callee) : fallback.str()) + brackets.str();
}

ObjectId Interpreter::make(Object object) {
  ObjectId id = nextObject++;
  step();
  state.put(id, std::move(object));
  return id;
}

Value Interpreter::makeSequence(std::vector<Value> elements) {
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

Value Interpreter::makeSequenceOf(Value rest) {
  Object sequence(ObjectKind::Sequence);
  sequence.rest = std::move(rest);
  sequence.isExact = false;
  return Value::object(make(std::move(sequence)));
}

Value Interpreter::makeDictOf(Value rest) {
  Object dict(ObjectKind::Dict);
  dict.rest = std::move(rest);
  return Value::object(make(std::move(dict)));
}

Value Interpreter::makeBound(Value callee, Value self) {
  Object bound(ObjectKind::Bound);
  bound.callee = std::move(callee);
  bound.elements.push_back(std::move(self));
  return Value::object(make(std::move(bound)));
}

Value Interpreter::makeWrapper(ObjectKind kind, Value callee) {
  Object wrapper(kind);
  wrapper.callee = std::move(callee);
  return Value::object(make(std::move(wrapper)));
}

Value Interpreter::makeTensor(Origin origin) {
  Object buffer(ObjectKind::Buffer);
  buffer.buffer.origin = origin;
  return Value::tensor(make(std::move(buffer)));
}

const Object *Interpreter::lookAt(const Atom &atom, ObjectKind kind) const {
  if (atom.kind != AtomKind::Object || !state.exists(atom.object) || state.get(atom.object).kind != kind)
    return nullptr;
  return &state.get(atom.object);
}

ObjectId Interpreter::storageOf(const Atom &atom) const {
  const Object *attributes = lookAt(atom, ObjectKind::Attributes);
  return attributes ? attributes->parent : atom.object;
}

} // namespace tilesmith::lint
