#include "Lowering.h"

namespace tilesmith::frontend {

// "instead of tl.program_id: asc2.block_idx(), ..."
std::string Advice::elsewhere(llvm::StringRef origin, llvm::StringRef name) {
  std::string ours = l.language.instead(origin, name);
  if (ours.empty())
    return "";
  std::string theirs = (origin.empty() ? "" : origin + ".").str() + name.str();
  return "instead of " + theirs + ": " + ours;
}

std::string Advice::undefined(llvm::StringRef name, llvm::StringRef attribute) {
  if (name == "print")
    return ("inside a kernel: " + l.language.words().print).str();
  for (std::string help : {attribute.empty() ? "" : elsewhere(name, attribute), elsewhere("", name)})
    if (!help.empty())
      return help;
  Closest close(name);
  for (const auto &entry : frame().env)
    if (entry.second.gone.empty())
      close.add(entry.first());
  for (const std::string &known : host.namesIn(frame().scope))
    close.add(known);
  return close.question();
}

std::string Advice::attribute(const Value &base, llvm::StringRef name) {
  std::vector<std::string> names;
  std::string origin;
  if (base.isHost()) {
    names = host.attributesOf(base.host);
    origin = host.originOf(base.host);
    if (llvm::StringRef(origin).starts_with("asc")) // asc2.arange: it may be anybody's
      origin = "";
  } else {
    names = base.kind->names(base);
    origin = base.kind->origin();
  }
  if (std::string ours = l.language.instead(origin, name); !ours.empty())
    return "instead of " + name.str() + ": " + ours;
  Closest close(name);
  for (const std::string &known : names)
    close.add(known);
  return close.question();
}

std::string Advice::nameOf(const HostRef &callee) {
  std::string path = host.originOf(callee);
  auto [origin, name] = llvm::StringRef(path).rsplit('.');
  if (name.empty())
    return host.repr(callee);
  bool isKnown = !l.language.instead(origin, name).empty() || origin == "math";
  return isKnown ? path : name.str();
}

std::string Advice::function(const HostRef &callee, const Value &given) {
  std::string path = host.originOf(callee);
  auto [origin, name] = llvm::StringRef(path).rsplit('.');
  std::string ours = name.empty() ? "" : l.language.instead(origin, name, given.isScalar());
  if (ours.empty())
    return ("only functions decorated with " + l.language.words().jit + " work on runtime values").str();
  return "instead of " + path + ": " + ours;
}

std::string Advice::swapped(const Value &value) {
  auto argument = llvm::dyn_cast_if_present<mlir::BlockArgument>(value.ir);
  bool isParameter = argument && llvm::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp());
  auto named = isParameter ? llvm::dyn_cast<mlir::NameLoc>(argument.getLoc()) : mlir::NameLoc();
  if (!named)
    return "";
  return ("this launch gave " + named.getName().getValue() + (value.isScalar() ? " a number" : " an array") +
          ": are its arguments in the order of the parameters?")
      .str();
}

std::string Advice::address(const Value &value) {
  return value.is(kinds::address) ? l.language.words().describe.str() : "";
}

} // namespace tilesmith::frontend
