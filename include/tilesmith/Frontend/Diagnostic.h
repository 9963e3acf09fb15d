// One error about the user's kernel, and its text in the style of clang:
//
//   file.py:18:39: error: tile of shape [4, 7] ...
//      18 |     rows = asc2.load(x_gm, [4, 7], offsets=[0, 0])
//         |                            ^~~~~~
//   note: ...
//   help: ...
#ifndef TILESMITH_FRONTEND_DIAGNOSTIC_H
#define TILESMITH_FRONTEND_DIAGNOSTIC_H

#include "tilesmith/Frontend/Ast.h"
#include "tilesmith/Frontend/HostEval.h"

#include <string>
#include <vector>

namespace tilesmith::frontend {

struct Note {
  std::string text;
  ast::Range range; // line 0: the note has no place
  const ast::SourceFile *file = nullptr;
};

struct Diagnostic {
  std::string exception; // Python class this error belongs to: "RuntimeError", "UnsupportedSyntaxError" ...
  std::string message;
  bool showException = false; // the text says `NameError: ...`, as users match it
  ast::Range range;
  const ast::SourceFile *file = nullptr;
  std::vector<Note> notes;
  std::string help;
  std::string missing; // the builtin that was called and that the language does not have
  HostRef cause;       // the exception a host object raised, or null

  bool isSet() const { return !exception.empty(); }
  // `ExceptionClass: message`, or the message alone.
  std::string headline() const;
  // The whole text: place, excerpt, notes, help.
  std::string render() const;
};

} // namespace tilesmith::frontend

#endif // TILESMITH_FRONTEND_DIAGNOSTIC_H
