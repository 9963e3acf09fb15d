// Ranges: loops at run time and while compiling.
#include "Lowering.h"

namespace tilesmith::frontend {

Value makeRange(Lowering &l, const Arguments &args, bool isStatic) {
  if (args.rest.empty() || args.rest.size() > 3)
    return l.errors.fail(args.range, "ValueError",
                         args.name + " takes 1 to 3 positional arguments, " + llvm::Twine(args.rest.size()) +
                             " were given");
  for (const Argument &argument : args.rest) {
    const Value &bound = argument.value;
    bool ok =
        isStatic ? bound.isHost() && l.host.isInt(bound.host) && l.host.asInt(bound.host) : l.values.isInteger(bound);
    if (ok)
      continue;
    std::string help = isStatic && bound.isScalar()
                           ? ("use " + l.language.words().range + " for a loop with runtime bounds").str()
                           : "";
    return l.errors.fail(argument.range, "TypeError",
                         args.name + " takes " + (isStatic ? "ints known while compiling" : "integers") + ", not " +
                             l.values.describe(bound),
                         help);
  }
  Value bounds[3] = {Value::ofHost(l.host.makeInt(0)), args.rest[0].value, Value::ofHost(l.host.makeInt(1))};
  for (auto [i, argument] : llvm::enumerate(args.rest))
    if (args.rest.size() > 1)
      bounds[i] = argument.value;
  if (isStatic && *l.host.asInt(bounds[2].host) == 0)
    return l.errors.fail(args.range, "ValueError", "the step of asc.static_range must not be 0");
  return Value::ofRange(bounds, isStatic);
}

static Value range(Lowering &l, const Arguments &args) { return makeRange(l, args, false); }
static Value staticRange(Lowering &l, const Arguments &args) { return makeRange(l, args, true); }

llvm::ArrayRef<Builtin::Row> rangeBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"range", range, "*bounds"},
      {"asc.range", range},
      {"asc.static_range", staticRange},
  };
  return rows;
}

} // namespace tilesmith::frontend
