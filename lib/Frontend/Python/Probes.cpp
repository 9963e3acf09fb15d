#include "Lowering.h"

namespace tilesmith::frontend {

llvm::json::Value Probes::inspect(const Value &value, llvm::SmallVectorImpl<mlir::Value> &ir) {
  return value ? value.kind->inspect(l, value, ir) : llvm::json::Value(nullptr);
}

void Probes::statement(const Range &range, ProbeKind kind) {
  if (!enabled)
    return;
  ProbeSite site;
  site.kind = kind;
  llvm::json::Array frames;
  Range line = range;
  for (Frame *at = &frame(); at; at = at->caller) {
    llvm::SmallVector<llvm::StringMapEntry<Binding> *> bound;
    for (auto &entry : at->env)
      if (entry.second.value && entry.second.gone.empty() && !entry.second.conflict && !Jumps::isFlag(entry.first()))
        bound.push_back(&entry);
    llvm::sort(bound, [](auto *a, auto *b) { // parameters first, then as they were bound
      const Range &x = a->second.range, &y = b->second.range;
      return std::tuple(x.line, x.column, a->first()) < std::tuple(y.line, y.column, b->first());
    });
    llvm::json::Array names;
    for (auto *entry : bound)
      names.push_back(
          llvm::json::Array{llvm::json::fixUTF8(entry->first()), inspect(entry->second.value, site.values)});
    frames.push_back(llvm::json::Object{{"function", llvm::json::fixUTF8(at->function->name)},
                                        {"file", llvm::json::fixUTF8(at->fileName.getValue())},
                                        {"line", int64_t(line.line)},
                                        {"names", std::move(names)}});
    line = at->callRange;
  }
  site.depth = int64_t(frames.size());
  llvm::raw_string_ostream(site.text) << llvm::json::Value(llvm::json::Object{{"frames", std::move(frames)}});
  l.language.probe(builder(), loc(range), site);
}

void Probes::breakpoint(const Range &range) {
  anyBreakpoint = true;
  statement(range, ProbeKind::Breakpoint);
}

} // namespace tilesmith::frontend
