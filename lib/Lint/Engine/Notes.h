// Where something happens and how it is written there, for events.
#ifndef TILESMITH_LINT_ENGINE_NOTES_H
#define TILESMITH_LINT_ENGINE_NOTES_H

#include "World.h"

#include "llvm/ADT/SmallVector.h"

namespace tilesmith::lint {

// A call and what it calls, or an operator.
struct Site {
  const ast::Expr *expr = nullptr;   // or null: the expression at hand
  const ast::Expr *callee = nullptr; // or null
};

class Notes {
public:
  Notes(const World &world, const ast::SourceFile &source, Listener &listener);

  // Tells the listener, if the path that is followed is taken.
  template <typename E> void tell(const ast::Range &range, std::string spelled, E event) {
    if (world.state.alive)
      tellAlways(range, std::move(spelled), std::move(event));
  }
  template <typename E> void tell(Site site, std::string spelled, E event) {
    tell(rangeOf(site), std::move(spelled), std::move(event));
  }
  // Of what does not depend on a path.
  template <typename E> void tellAlways(const ast::Range &range, std::string spelled, E event) {
    event.phase = world.phase;
    event.range = range;
    event.spelled = std::move(spelled);
    listener.hear(event);
  }

  // The expression that is evaluated from now on.
  void setHere(const ast::Range &range) { here = range; }
  ast::Range rangeOf(Site site) const { return site.expr ? site.expr->range : here; }
  // The expression as it is written, in one line.
  std::string textOf(const ast::Expr &expr) const;
  // `x.sum()` and `self.conv(...)` as they are written; the fallback where the callee is not.
  std::string spellCall(Site site, llvm::StringRef fallback, llvm::StringRef brackets) const;

private:
  const World &world;
  Listener &listener;
  llvm::SmallVector<llvm::StringRef, 0> lines; // of the source
  ast::Range here;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_NOTES_H
