// Pieces of C++ text: lines with indentation, and identifiers nobody else has.
#ifndef TILESMITH_LIB_TARGET_ASCENDC_TEXT_H
#define TILESMITH_LIB_TARGET_ASCENDC_TEXT_H

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace tilesmith::ascendc {

class Text {
public:
  void line(const llvm::Twine &text);
  void blank() { lines += '\n'; }
  // `head {` ... `}`
  void open(const llvm::Twine &head);
  void close(const llvm::Twine &tail = "}");
  // `} else {`
  void otherwise();

  std::string lines;

private:
  unsigned depth = 0;
};

// Identifiers of one scope. Each is given out once; words of C++ and of Ascend C are taken from the start.
class Names {
public:
  Names();
  // The wanted name, made an identifier, with a number where it is taken.
  std::string unique(llvm::StringRef wanted);

private:
  llvm::StringSet<> taken;
};

} // namespace tilesmith::ascendc

#endif // TILESMITH_LIB_TARGET_ASCENDC_TEXT_H
