// Attributes and items of values.
#include "Lowering.h"

namespace tilesmith::frontend {

Value Operators::getItem(const Value &base, const Value &index, const Range &range) {
  if (HostRef object = values.toHost(base)) {
    HostRef key = values.toHost(index);
    if (!key)
      return fail(range, "TypeError",
                  "the index of a Python object must be known while compiling, not " + describe(index));
    Value item = Value::ofHost(host.getItem(object, key));
    return item ? item : failHost(range);
  }
  if (std::optional<Value> item = base.kind->item(l, base, index, range))
    return *item;
  if (!base.isSequence())
    return fail(range, "TypeError", describe(base) + " cannot be indexed",
                base.is(kinds::address) ? l.advice.address(base) : base.kind->instead("[]").str());
  if (base.sequence().arrayOf != DType::Void && index.isScalar() && !isFloat(index.dtype))
    return arrayItem(base, index, range);
  // Python computes the selected positions; the items themselves may be runtime values.
  HostRef key = values.toHost(index);
  if (!key)
    return fail(range, "TypeError", "the index of a sequence must be known while compiling, not " + describe(index));
  llvm::SmallVector<HostRef> positions;
  for (size_t i = 0; i < base.items().size(); ++i)
    positions.push_back(host.makeInt(i));
  HostRef chosen = host.getItem(host.makeSequence(positions, base.sequence().isList), key);
  if (!chosen)
    return failHost(range);
  if (std::optional<int64_t> at = host.asInt(chosen))
    return base.items()[*at];
  llvm::SmallVector<HostRef> selected;
  if (!host.iterate(chosen, selected))
    return failHost(range);
  llvm::SmallVector<Value> items;
  for (const HostRef &at : selected)
    items.push_back(base.items()[*host.asInt(at)]);
  return Value::ofSequence(items, base.sequence().isList, l.ir.region());
}

Value Operators::getAttribute(const Value &source, llvm::StringRef name, const Range &range) {
  Value base = values.read(source);
  if (base.isHost()) {
    Value value = Value::ofHost(host.getAttr(base.host, name));
    if (value)
      return value;
    HostError error = host.takeError();
    if (error.type != "AttributeError")
      return l.errors.failHost(range, error);
    error.place.clear();       // that of a module's or an enum's own __getattr__
    if (error.message == name) // all that an enum says
      error.message = host.repr(base.host) + " has no attribute " + name.str();
    return l.errors.failHost(range, error, l.advice.attribute(base, name));
  }
  if (std::optional<Value> attribute = base.kind->attribute(l, base, name, range))
    return *attribute;
  if (!source.kind->method(source, name).empty())
    return Value::ofMethod(source, name);
  // A list is copied to ask the host, so methods that change it would be lost.
  bool isReadOnly =
      !base.isSequence() || !base.sequence().isList || name == "index" || name == "count" || name == "copy";
  if (HostRef object = isReadOnly ? values.toHost(base) : HostRef()) {
    Value value = Value::ofHost(host.getAttr(object, name));
    return value ? value : failHost(range);
  }
  return fail(range, "AttributeError", describe(base) + " has no attribute " + name + " inside a kernel",
              l.advice.attribute(base, name));
}

// One of the elements, chosen when the kernel runs. Outside the array the last element is read, never foreign memory.
Value Operators::arrayItem(const Value &array, const Value &index, const Range &range) {
  if (array.items().empty())
    return fail(range, "IndexError", "an array without elements cannot be indexed");
  Value result = array.items().back();
  for (size_t i = array.items().size() - 1; i-- > 0;) {
    Value here = scalars.compare(ast::CompareOperator::Eq, index, number(i), range);
    if (!here)
      return {};
    result = scalars.choose(here.ir, array.items()[i], result, range);
  }
  return result;
}

bool Operators::setArrayItem(const Value &array, const Value &index, const Value &value, const Range &range) {
  DType dtype = array.sequence().arrayOf;
  mlir::Value ir = scalars.convert(value, dtype, range);
  if (!ir)
    return false;
  for (auto [i, item] : llvm::enumerate(array.parts->items)) {
    Value here = scalars.compare(ast::CompareOperator::Eq, index, number(i), range);
    if (!here)
      return false;
    item = scalars.choose(here.ir, Value::ofScalar(ir, dtype), item, range);
  }
  return true;
}

bool Operators::setItem(const Value &base, const Value &index, Value value, const Range &range,
                        const Range &indexRange) {
  if (base.kind->hasItems())
    return base.kind->setItem(l, base, index, value, range);
  if (!base.isSequence())
    return bool(fail(range, "TypeError",
                     "items of " + values.describeShort(base) + " cannot be assigned inside a kernel",
                     base.isHost() ? "objects of the host are read-only in a kernel" : l.language.words().writeItem));
  SequenceParts &list = base.sequence();
  if (!list.isList)
    return bool(fail(range, "TypeError", "a tuple does not support item assignment"));
  if (list.region != l.ir.region())
    return bool(fail(range, "RuntimeError", "a list cannot be changed inside a runtime loop or branch",
                     "bind the element to a name, or unroll the loop with asc.static_range"));
  if (list.arrayOf != DType::Void && index.isScalar() && !isFloat(index.dtype))
    return setArrayItem(base, index, value, range);
  std::optional<int64_t> at = index.isHost() ? host.asInt(index.host) : std::nullopt;
  if (!at)
    return bool(
        fail(indexRange, "TypeError", "a list index must be an int known while compiling, not " + describe(index)));
  int64_t size = list.items.size();
  if (*at < -size || *at >= size)
    return bool(fail(indexRange, "IndexError",
                     "list index " + llvm::Twine(*at) + " is out of range for " + llvm::Twine(size) + " elements"));
  if (list.arrayOf != DType::Void) {
    mlir::Value ir = scalars.convert(value, list.arrayOf, range);
    if (!ir)
      return false;
    value = Value::ofScalar(ir, list.arrayOf);
  }
  list.items[*at < 0 ? *at + size : *at] = value;
  return true;
}

} // namespace tilesmith::frontend
