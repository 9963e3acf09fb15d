// What all parts of the interpreter share: the state of the path that is followed, the objects in it, and the bounds.
//
// Invariants
//  - work is bounded by `maxSteps`, nesting by `maxNesting`; when either is reached nothing is followed any more
#ifndef TILESMITH_LINT_ENGINE_WORLD_H
#define TILESMITH_LINT_ENGINE_WORLD_H

#include "Values.h"

#include "tilesmith/Lint/Events.h"

#include "llvm/Support/StringSaver.h"

namespace tilesmith::lint {

class World {
public:
  static constexpr size_t maxText = 256; // of strings that are put together: names are shorter

  State state;
  Phase phase = Phase::Import;
  std::map<llvm::StringRef, Value> operators; // that the file registers, by their paths below torch.ops

  World();

  bool isJudged() const { return phase == Phase::Forward || phase == Phase::Probe; }
  // Counts work. Whether this path is still followed.
  bool step(size_t cost = 1);
  // Goes on with another state. One that is not alive may be empty: then the objects at hand are kept.
  void enter(State next);
  void giveUp();
  bool hasGivenUp() const { return gaveUp; }
  llvm::StringRef save(const llvm::Twine &text) { return strings.save(text); }

  ObjectId make(Object object);
  Value makeSequence(std::vector<Value> elements);
  Value makeSequenceOf(Value rest);
  Value makeDictOf(Value rest);
  Value makeBound(Value callee, Value self);
  Value makeWrapper(ObjectKind kind, Value callee);
  Value makeTensor(Origin origin);
  // The object if it is of this kind, else null.
  const Object *lookAt(const Atom &atom, ObjectKind kind) const;
  // The same of a value that can be only one thing.
  const Object *lookAt(const Value &value, ObjectKind kind) const {
    const Atom *atom = value.single();
    return atom ? lookAt(*atom, kind) : nullptr;
  }
  bool isAny(const Atom &atom, std::initializer_list<ObjectKind> kinds) const;
  // The object that holds the entries of a container: itself, or the one whose __dict__ it is.
  ObjectId storageOf(const Atom &atom) const;

  // One level of nesting, as long as it exists.
  struct Nesting {
    explicit Nesting(World &world) : world(world) {
      if (++world.nesting > maxNesting)
        world.giveUp();
    }
    ~Nesting() { --world.nesting; }
    World &world;
  };

private:
  static constexpr unsigned maxSteps = 300'000, maxNesting = 4000;

  llvm::BumpPtrAllocator allocator;
  llvm::UniqueStringSaver strings{allocator};
  ObjectId nextObject = 1;
  unsigned steps = 0, nesting = 0;
  bool gaveUp = false;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_WORLD_H
