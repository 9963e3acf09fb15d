#include "Places.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tilesmith::ascendc {

// Of a fused location the first known part counts, of an inlined one the line that was inlined.
static FileLineColRange fileOf(Location loc) {
  if (auto file = dyn_cast<FileLineColRange>(loc))
    return file;
  if (auto named = dyn_cast<NameLoc>(loc))
    return fileOf(named.getChildLoc());
  if (auto inlined = dyn_cast<CallSiteLoc>(loc))
    return fileOf(inlined.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColRange file = fileOf(part))
        return file;
  return {};
}

Places::Places(const EmitOptions &options, Location loc) : options(options), kernel(place(loc)) {}

std::string Places::place(Location loc) {
  FileLineColRange file = fileOf(loc);
  if (!file || !file.getStartLine())
    return {};
  return (llvm::sys::path::filename(file.getFilename().getValue()) + ":" + Twine(file.getStartLine())).str();
}

std::string Places::describe(Location loc) const {
  std::string text = place(loc);
  if (text.empty() || !options.sourceLine)
    return text;
  FileLineColRange file = fileOf(loc);
  std::string source = options.sourceLine(file.getFilename().getValue(), file.getStartLine());
  StringRef line = StringRef(source).trim();
  // A comment must end where its line ends.
  while (line.ends_with("\\"))
    line = line.drop_back().rtrim();
  for (char c : line)
    if (c == '\n' || c == '\r')
      return text;
  return line.empty() ? text : text + ": " + line.str();
}

void Places::comment(Text &text, Location loc) {
  if (std::string where = place(loc); where.empty() || where == kernel)
    return;
  std::string words = describe(loc);
  if (words == last)
    return;
  text.line("// " + words);
  last = words;
}

} // namespace tilesmith::ascendc
