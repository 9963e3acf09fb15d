#include "Lowering.h"

namespace tilesmith::frontend {

std::string Values::describe(const Value &value) {
  if (value.isHost() && !host.isNone(value.host))
    return "the " + host.typeName(value.host) + " " + host.repr(value.host);
  return describeShort(value);
}

std::string Values::describeShort(const Value &value) { return value ? value.kind->describe(l, value) : "nothing"; }

bool Values::isNumber(const Value &value) {
  return value.isHost() && (host.isInt(value.host) || host.asBool(value.host) || host.asFloat(value.host));
}

bool Values::isInteger(const Value &value) { return isNumeric(value) && !isFloat(dtypeOf(value)); }

Truth Values::truth(const Value &value, const Range &range) {
  HostRef object = toHost(value);
  if (!object)
    return value.kind->truth(l, value, range);
  std::optional<bool> known = host.truth(object);
  if (!known) {
    failHost(range);
    return {};
  }
  return Truth{true, true, *known, {}};
}

bool Values::toSequence(const Value &value, llvm::SmallVectorImpl<Value> &items, const Range &range,
                        llvm::StringRef what) {
  if (value.isSequence()) {
    items.append(value.items().begin(), value.items().end());
    return true;
  }
  if (value.isHost() && host.isSequence(value.host)) {
    llvm::SmallVector<HostRef> objects;
    if (!host.iterate(value.host, objects))
      return bool(failHost(range));
    for (HostRef &object : objects)
      items.push_back(Value::ofHost(std::move(object)));
    return true;
  }
  if (value.is(kinds::range) && llvm::all_of(value.items(), [](const Value &bound) { return bound.isHost(); })) {
    static constexpr int64_t mostItems = 1 << 16;
    auto [start, stop, step] = std::tuple(host.asInt(value.items()[0].host), host.asInt(value.items()[1].host),
                                          host.asInt(value.items()[2].host));
    if (start && stop && step && *step) {
      for (int64_t i = *start, left = mostItems; *step > 0 ? i < *stop : i > *stop;) {
        if (!left--)
          return bool(fail(range, "RuntimeError",
                           "a range of more than " + llvm::Twine(mostItems) + " numbers cannot become a sequence"));
        items.push_back(Value::ofHost(host.makeInt(i)));
        if (__builtin_add_overflow(i, *step, &i))
          break;
      }
      return true;
    }
  }
  return bool(fail(range, "TypeError", what + " must be a tuple or a list, not " + describe(value),
                   isNumeric(value) ? "put it into brackets: [...]" : ""));
}

} // namespace tilesmith::frontend
