#include "Records.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::frontend::asc {

static constexpr llvm::StringLiteral fieldNoun = "a parameter struct";

// Bits and sign of a C++ type of a number; 0: it is none.
static std::pair<unsigned, bool> numberType(llvm::StringRef type) {
  unsigned bits = llvm::StringSwitch<unsigned>(type)
                      .Case("bool", 1)
                      .Cases({"uint8_t", "int8_t"}, 8)
                      .Cases({"uint16_t", "int16_t"}, 16)
                      .Cases({"uint32_t", "int32_t"}, 32)
                      .Cases({"uint64_t", "int64_t"}, 64)
                      .Cases({"QuantMode_t", "BlockMode", "DeqScale", "TransposeType", "DataFormat", "pad_t"}, 32)
                      .Default(0);
  return {bits, !type.starts_with("uint") && type != "bool"};
}

static const StructInfo *parse(llvm::StringRef name, llvm::StringRef text) {
  auto *info = new StructInfo;
  info->name = name.str();
  llvm::json::Value json = llvm::cantFail(llvm::json::parse(text));
  for (const llvm::json::Value &each : *json.getAsArray()) {
    const llvm::json::Object &object = *each.getAsObject();
    auto text = [&](llvm::StringRef key) { return object.getString(key).value_or("").str(); };
    auto [bits, isSigned] = numberType(text("wide"));
    info->members.push_back({text("name"), text("cpp"), text("wide"), text("default"), bits, isSigned,
                             object.getBoolean("written").value_or(false)});
  }
  return info;
}

const StructInfo *findStruct(llvm::StringRef name) {
  static const auto *table = [] {
    auto *map = new llvm::StringMap<const StructInfo *>;
#define TILESMITH_ASC_STRUCT(name, members) (*map)[name] = parse(name, members);
#include "tilesmith/Frontend/AscCalls.inc"
    return map;
  }();
  auto it = table->find(name);
  return it == table->end() ? nullptr : it->second;
}

RecordParts &recordOf(const Value &value) { return static_cast<RecordParts &>(*value.parts); }

// The value of a default as C++ writes it.
static int64_t defaultNumber(llvm::StringRef text) {
  int64_t number = 0;
  if (text == "true")
    return 1;
  text.getAsInteger(0, number);
  return number;
}

static Value readField(Core &core, const Value &value, size_t index, const Range &range) {
  RecordParts &parts = recordOf(value);
  const StructInfo::Member &member = parts.info->members[index];
  if (!member.bits)
    return parts.fields[index].value;
  DType dtype =
      isa::dtypeOf(member.isSigned ? isa::DTypeKind::Int : isa::DTypeKind::Uint, member.bits).value_or(DType::I64);
  return core.numbers.toPython(core.cell(parts.fields[index].cell), member.bits == 1 ? DType::I1 : dtype, range);
}

static bool writeField(Core &core, RecordParts &parts, size_t index, const Value &value, const Range &range) {
  const StructInfo::Member &member = parts.info->members[index];
  RecordParts::Field &field = parts.fields[index];
  if (!member.bits) {
    field.value = value;
    return true;
  }
  Number number = core.numbers.of(value, parts.info->name + "." + member.name, range);
  if (!number)
    return false;
  number = member.bits == 1 ? core.numbers.binary("!=", number, 0, range)
                            : core.numbers.cut(number, member.bits, member.isSigned, range);
  core.setCell(field.cell, number, range);
  return true;
}

static std::optional<size_t> indexOf(const StructInfo &info, llvm::StringRef name) {
  for (auto [i, member] : llvm::enumerate(info.members))
    if (member.name == name)
      return i;
  return std::nullopt;
}

namespace {

class RecordKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override { return "a " + recordOf(value).info->name; }
  llvm::StringRef plural() const override { return "parameter structs"; }
  bool isSame(Lowering &, const Value &a, const Value &b) const override { return a.parts == b.parts; }
  bool sameStructure(Lowering &l, const Value &a, const Value &b) const override {
    RecordParts &x = recordOf(a), &y = recordOf(b);
    if (x.info != y.info || x.dtype != y.dtype)
      return false;
    for (auto [i, member] : llvm::enumerate(x.info->members))
      if (!member.bits && !(!x.fields[i].value && !y.fields[i].value) &&
          !l.merge.isSame(x.fields[i].value, y.fields[i].value))
        return false;
    return true;
  }
  void flatten(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    RecordParts &parts = recordOf(value);
    for (auto [member, field] : llvm::zip_equal(parts.info->members, parts.fields))
      if (member.bits)
        leaves.push_back(l.cells.get(field.cell));
  }
  Value rebuild(Lowering &l, const Value &like, mlir::ValueRange &leaves) const override {
    auto parts = std::make_shared<RecordParts>(recordOf(like));
    for (auto [member, field] : llvm::zip_equal(parts->info->members, parts->fields))
      if (member.bits) {
        field.cell = l.cells.make(leaves.front(), fieldNoun);
        leaves = leaves.drop_front();
      }
    Value value;
    value.kind = this;
    value.parts = parts;
    return value;
  }

  std::optional<Value> attribute(Lowering &l, const Value &value, llvm::StringRef name,
                                 const Range &range) const override {
    std::optional<size_t> index = indexOf(*recordOf(value).info, name);
    if (!index || !method(value, name).empty())
      return std::nullopt;
    Value field = readField(Core::of(l), value, *index, range);
    return field ? field : Value::ofHost(l.host.makeNone());
  }
  bool hasAttributes() const override { return true; }
  bool setAttribute(Lowering &l, const Value &value, llvm::StringRef name, const Value &given,
                    const Range &range) const override {
    RecordParts &parts = recordOf(value);
    std::optional<size_t> index = indexOf(*parts.info, name);
    if (!index)
      return bool(l.errors.fail(range, "AttributeError", "a " + parts.info->name + " has no member " + name,
                                Advice::question(name, names(value))));
    return writeField(Core::of(l), parts, *index, given, range);
  }
  std::vector<std::string> names(const Value &value) const override {
    std::vector<std::string> names;
    for (const StructInfo::Member &member : recordOf(value).info->members)
      names.push_back(member.name);
    return names;
  }
  llvm::StringRef method(const Value &value, llvm::StringRef name) const override {
    if (recordOf(value).info->name != "ShapeInfo")
      return "";
    return name == "shape" ? "asc.ShapeInfo.shape" : name == "original_shape" ? "asc.ShapeInfo.original_shape" : "";
  }
};

constexpr RecordKind recordKind;

} // namespace

const Kind *const record = &recordKind;

std::optional<Value> makeRecord(Core &core, llvm::StringRef name, CallSite &site) {
  const StructInfo *info = findStruct(name);
  if (!info)
    return std::nullopt;
  auto parts = std::make_shared<RecordParts>();
  parts->info = info;
  parts->fields.resize(info->members.size());
  for (auto [member, field] : llvm::zip_equal(info->members, parts->fields))
    if (member.bits)
      field.cell = core.makeCell(defaultNumber(member.defaultValue), fieldNoun, site.range);
    else if (findStruct(member.type)) {
      CallSite empty{site.range, {}, {}};
      field.value = *makeRecord(core, member.type, empty);
    }
  llvm::ArrayRef<Argument> positional = site.positional;
  // A struct over an element type may be told it first.
  if (!positional.empty() && positional[0].value.isHost() && core.host.asDType(positional[0].value.host)) {
    parts->dtype = *core.host.asDType(positional[0].value.host);
    positional = positional.drop_front();
  }
  // Of MmadParams there is an older form, whose members from the fourth on are the later ones.
  auto order = llvm::to_vector(llvm::seq<size_t>(0, info->members.size()));
  if (name == "MmadParams" && positional.size() == 8)
    std::rotate(order.begin() + 3, order.begin() + 6, order.begin() + 11);
  if (positional.size() > info->members.size())
    return core.fail(positional[info->members.size()].range, "TypeError",
                     info->name + " has " + llvm::Twine(info->members.size()) + " members, " +
                         llvm::Twine(positional.size()) + " were given");
  for (auto [i, argument] : llvm::enumerate(positional))
    if (!writeField(core, *parts, order[i], argument.value, argument.range))
      return Value();
  for (auto &[key, argument] : site.keywords) {
    if (key == "dtype" && argument.value.isHost() && core.host.asDType(argument.value.host)) {
      parts->dtype = *core.host.asDType(argument.value.host);
      continue;
    }
    std::optional<size_t> index = indexOf(*info, key);
    if (!index) {
      std::vector<std::string> names;
      for (const StructInfo::Member &member : info->members)
        names.push_back(member.name);
      return core.fail(argument.range, "TypeError", info->name + " has no member " + key, Advice::question(key, names));
    }
    if (!writeField(core, *parts, *index, argument.value, argument.range))
      return Value();
  }
  Value value;
  value.kind = record;
  value.parts = parts;
  return value;
}

int64_t defaultOf(const StructInfo::Member &member) { return defaultNumber(member.defaultValue); }

Value fieldOf(const Value &record, llvm::StringRef member) {
  std::optional<size_t> index = indexOf(*recordOf(record).info, member);
  return index ? recordOf(record).fields[*index].value : Value();
}

bool isStruct(Core &core, const Value &value, llvm::StringRef name) {
  if (value.is(record))
    return recordOf(value).info->name == name;
  return value.isHost() && findStruct(name) && core.host.typeName(value.host) == name;
}

Value memberOf(Core &core, const Value &value, llvm::StringRef cpp, const Range &range) {
  const StructInfo *info = value.is(record) ? recordOf(value).info : findStruct(core.host.typeName(value.host));
  if (!info)
    return core.fail(range, "TypeError", core.describe(value) + " is not a parameter struct");
  for (auto [i, member] : llvm::enumerate(info->members)) {
    if (member.cpp != cpp)
      continue;
    if (value.is(record)) {
      if (Value field = readField(core, value, i, range))
        return field;
      unsigned count = 0; // of an array that was not given: zeros
      if (llvm::StringRef(member.type).split('[').second.consumeInteger(10, count))
        return core.number(defaultNumber(member.defaultValue));
      return Value::ofSequence(llvm::SmallVector<Value>(count, core.number(0)), true, core.l.ir.region());
    }
    Value field = Value::ofHost(core.host.getAttr(value.host, member.name));
    return field ? field : core.failHost(range);
  }
  return core.fail(range, "AttributeError", "a " + info->name + " has no member " + cpp);
}

} // namespace tilesmith::frontend::asc
