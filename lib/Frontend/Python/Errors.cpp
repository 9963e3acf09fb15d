#include "Errors.h"

#include "llvm/ADT/Twine.h"

namespace tilesmith::frontend {

Value Errors::fail(const Range &range, llvm::StringRef exception, const llvm::Twine &message, const llvm::Twine &help) {
  if (diagnostic.isSet())
    return {};
  diagnostic.exception = exception.str();
  diagnostic.message = message.str();
  diagnostic.showException = exception == "NameError" || exception == "AssertionError";
  diagnostic.range = range;
  diagnostic.file = names.frame().file;
  diagnostic.help = help.str();
  for (const Frame *f = &names.frame(); f->caller; f = f->caller)
    diagnostic.notes.push_back({"in " + titleOf(*f->function).str() + ", called here", f->callRange, f->caller->file});
  return {};
}

Value Errors::failHost(const Range &range) { return failHost(range, host.takeError()); }

Value Errors::failHost(const Range &range, const HostError &error, const llvm::Twine &help) {
  if (diagnostic.isSet())
    return {};
  fail(range, error.type, error.message, help);
  diagnostic.showException = true;
  diagnostic.cause = error.exception;
  if (!error.place.empty())
    diagnostic.notes.insert(diagnostic.notes.begin(), {"raised by " + error.place, {}, nullptr});
  return {};
}

Value Errors::failUnsupported(const Range &range, llvm::StringRef what, const llvm::Twine &help) {
  return fail(range, "UnsupportedSyntaxError", what + " syntax is not supported inside a kernel", help);
}

void Errors::addNote(const Range &range, const llvm::Twine &text) {
  diagnostic.notes.insert(diagnostic.notes.begin(), {text.str(), range, names.frame().file});
}

void Errors::report(const Diagnostic &error) {
  if (!diagnostic.isSet())
    diagnostic = error;
}

} // namespace tilesmith::frontend
