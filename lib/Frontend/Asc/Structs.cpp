// Structs that the host gives to kernels (Struct of asc.language.core). A kernel has a copy: integers in it may be
// assigned, as in a local variable of C++, and the host's object stays as it is. What was not assigned is known while
// compiling.
#include "Core.h"

namespace tilesmith::frontend::asc {

static constexpr llvm::StringLiteral fieldNoun = "a field of a struct";

namespace {

struct StructParts : Parts {
  HostRef object;
  struct Field {
    std::string name;
    std::optional<unsigned> cell; // of an integer
    Value value;                  // of anything else
  };
  std::vector<Field> fields;

  Field *find(llvm::StringRef name) {
    auto it = llvm::find_if(fields, [&](const Field &field) { return field.name == name; });
    return it == fields.end() ? nullptr : &*it;
  }
};

StructParts &structOf(const Value &value) { return static_cast<StructParts &>(*value.parts); }

class StructKind final : public Kind {
public:
  std::string describe(Lowering &l, const Value &value) const override {
    return "a " + l.host.typeName(structOf(value).object);
  }
  llvm::StringRef plural() const override { return "structs"; }
  bool isSame(Lowering &, const Value &a, const Value &b) const override { return a.parts == b.parts; }
  HostRef toHost(Lowering &, const Value &value) const override { return structOf(value).object; }
  std::optional<Value> attribute(Lowering &l, const Value &value, llvm::StringRef name,
                                 const Range &range) const override {
    StructParts::Field *field = structOf(value).find(name);
    if (!field) { // what its class has
      Value found = Value::ofHost(l.host.getAttr(structOf(value).object, name));
      return found ? found : l.errors.failHost(range);
    }
    Core &core = Core::of(l);
    return field->cell ? core.numbers.toPython(core.cell(*field->cell), DType::I32, range) : field->value;
  }
  std::vector<std::string> names(const Value &value) const override {
    std::vector<std::string> names;
    for (const StructParts::Field &field : structOf(value).fields)
      names.push_back(field.name);
    return names;
  }
  bool hasAttributes() const override { return true; }
  bool setAttribute(Lowering &l, const Value &value, llvm::StringRef name, const Value &given,
                    const Range &range) const override {
    Core &core = Core::of(l);
    StructParts::Field *field = structOf(value).find(name);
    if (!field || !field->cell)
      return bool(core.fail(range, "AttributeError",
                            describe(l, value) + (field ? " holds in " : " has no field ") + name +
                                (field ? " what is not an integer, and cannot be assigned inside a kernel" : "")));
    Number number = core.numbers.of(given, name, range);
    if (number)
      core.setCell(*field->cell, core.numbers.cut(number, 32, true, range), range);
    return bool(number);
  }
};

constexpr StructKind structKind;

} // namespace

Value structArgument(Core &core, const Value &value, const Range &range) {
  HostRef names = core.host.getAttr(value.host, "__tilesmith_fields__");
  llvm::SmallVector<HostRef> fields;
  if (!names || !core.host.iterate(names, fields)) {
    core.host.takeError();
    return value; // another constant
  }
  auto parts = std::make_shared<StructParts>();
  parts->object = value.host;
  for (const HostRef &name : fields) {
    StructParts::Field field{core.host.asString(name).value_or(""), std::nullopt, {}};
    HostRef member = core.host.getAttr(value.host, field.name);
    if (!member) {
      core.host.takeError();
      continue;
    }
    if (std::optional<int64_t> number = core.host.asInt(member); number && core.host.isInt(member))
      field.cell = core.makeCell(*number, fieldNoun, range);
    else
      field.value = structArgument(core, Value::ofHost(member), range);
    parts->fields.push_back(std::move(field));
  }
  Value result;
  result.kind = &structKind;
  result.parts = std::move(parts);
  return result;
}

} // namespace tilesmith::frontend::asc
