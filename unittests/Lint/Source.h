// Candidates as text, for tests of the engine and of rules.
#ifndef TILESMITH_UNITTESTS_LINT_SOURCE_H
#define TILESMITH_UNITTESTS_LINT_SOURCE_H

#include "tilesmith/Lint/Validate.h"

namespace tilesmith::lint {

// A source and its syntax tree.
struct Source {
  explicit Source(std::string text);

  ast::SourceFile file;
  std::unique_ptr<ast::Tree> tree;
};

// A candidate with a kernel `double`, a function `run(x)` that launches it, and a forward of these lines, which begin
// with eight spaces.
std::string candidate(llvm::StringRef forward, llvm::StringRef before = "");

// Events in the order in which they are told.
class Recorder final : public Listener {
public:
  explicit Recorder(llvm::StringRef text) : source(text.str()) {
    follow(*source.tree, source.file, std::nullopt, *this);
  }
  void hear(const Event &event) override;

  // Spellings of the events of one kind, of the judged call of forward, each once.
  std::vector<std::string> spelled(EventKind kind) const;
  template <typename E> std::vector<E> all() const {
    std::vector<E> result;
    for (const auto &event : events)
      if (event->kind == E::ofKind)
        result.push_back(*static_cast<const E *>(event.get()));
    return result;
  }

private:
  Source source;
  std::vector<std::shared_ptr<const Event>> events;
};

} // namespace tilesmith::lint

#endif // TILESMITH_UNITTESTS_LINT_SOURCE_H
