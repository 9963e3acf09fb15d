// The rules of the chip (Chip.td): constants and tables for C++, numbers for the headers of kernels, JSON for docs.
#include "Emitters.h"
#include "Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

// The enumerator's number; a rule that names none is an error at the rule.
int64_t numberOf(const Record *rule, StringRef enumeration, StringRef name) {
  for (const Record *c : rule->getRecords().getDef(enumeration)->getValueAsListOfDefs("cases"))
    if (c->getValueAsString("caseName") == name)
      return c->getValueAsInt("caseValue");
  PrintFatalError(rule, "'" + name + "' is not a case of " + enumeration);
}

size_t countOf(const RecordKeeper &records, StringRef enumeration) {
  return records.getDef(enumeration)->getValueAsListOfDefs("cases").size();
}

uint64_t bitsOf(const Record *rule, StringRef enumeration, ArrayRef<StringRef> names) {
  uint64_t bits = 0;
  for (StringRef name : names)
    bits |= uint64_t(1) << numberOf(rule, enumeration, name);
  return bits;
}

void emitNumbers(const RecordKeeper &records, raw_ostream &os) {
  for (const Record *number : collect(records, "ChipNumber"))
    os << "// " << number->getValueAsString("summary") << "\ninline constexpr int64_t " << number->getName() << " = "
       << number->getValueAsInt("value") << ";\n";
}

// One row for each case of the enumeration, in order; a case without a rule, or with two, is an error.
std::vector<const Record *> rowsOf(const RecordKeeper &records, StringRef type, StringRef enumeration,
                                   function_ref<void(const Record *, function_ref<void(StringRef)>)> namesOf) {
  std::vector<const Record *> rows(countOf(records, enumeration));
  for (const Record *rule : collect(records, type))
    namesOf(rule, [&](StringRef name) {
      const Record *&row = rows[size_t(numberOf(rule, enumeration, name))];
      if (row)
        PrintFatalError(rule, "a second " + type + " of " + name);
      row = rule;
    });
  for (const auto &[row, c] : zip_equal(rows, records.getDef(enumeration)->getValueAsListOfDefs("cases")))
    if (!row)
      PrintFatalError(c, "no " + type + " of " + c->getValueAsString("caseName"));
  return rows;
}

std::vector<const Record *> rowsOf(const RecordKeeper &records, StringRef type, StringRef enumeration,
                                   StringRef field) {
  return rowsOf(records, type, enumeration,
                [&](const Record *rule, function_ref<void(StringRef)> name) { name(rule->getValueAsString(field)); });
}

void emitCore(const Record *core, raw_ostream &os) {
  std::vector<StringRef> pipes = core->getValueAsListOfStrings("pipes");
  std::vector<uint64_t> eventsTo(countOf(core->getRecords(), "Pipe"));
  for (StringRef event : core->getValueAsListOfStrings("events")) {
    numberOf(core, "HardEvent", event);
    auto [from, to] = event.split('_');
    if (!is_contained(pipes, from) || !is_contained(pipes, to))
      PrintFatalError(core, "event '" + event + "' is between pipes this core does not have");
    eventsTo[size_t(numberOf(core, "Pipe", from))] |= uint64_t(1) << numberOf(core, "Pipe", to);
  }
  os << "{" << bitsOf(core, "Pipe", pipes) << ", " << bitsOf(core, "Memory", core->getValueAsListOfStrings("memories"))
     << ", {";
  interleaveComma(eventsTo, os);
  os << "}}";
}

json::Array strings(const Record *record, StringRef field) {
  json::Array result;
  for (StringRef each : record->getValueAsListOfStrings(field))
    result.push_back(each);
  return result;
}

} // namespace

void emitChip(const RecordKeeper &records, raw_ostream &os) {
  emitNumbers(records, os);
  os << "\ninline constexpr MemoryRule memoryRules[numMemory] = {\n";
  for (const Record *rule : rowsOf(records, "MemoryRule", "Memory", "memory")) {
    int64_t alignment = rule->getValueAsInt("alignment"), granule = rule->getValueAsInt("granule");
    if (granule % alignment)
      PrintFatalError(rule, "a granule is a multiple of the alignment");
    os << "  {" << alignment << ", " << granule << "}, // " << rule->getValueAsString("memory") << "\n";
  }
  os << "};\ninline constexpr CoreRule coreRules[numArch][numCoreKind] = {\n";
  for (const Record *arch : records.getDef("Arch")->getValueAsListOfDefs("cases")) {
    StringRef name = arch->getValueAsString("caseName");
    os << "  { // " << name << "\n";
    auto onThis = [&](const Record *rule, function_ref<void(StringRef)> kind) {
      if (is_contained(rule->getValueAsListOfStrings("archs"), name))
        kind(rule->getValueAsString("kind"));
    };
    for (const Record *core : rowsOf(records, "CoreRule", "CoreKind", onThis)) {
      os << "    ";
      emitCore(core, os);
      os << ", // " << core->getValueAsString("kind") << "\n";
    }
    os << "  },\n";
  }
  os << "};\ninline constexpr ArchRule archRules[numArch] = {\n";
  for (const Record *rule : rowsOf(records, "ArchRule", "Arch", "arch")) {
    uint64_t modes = 0;
    for (int64_t mode : rule->getValueAsListOfInts("crossModes"))
      modes |= uint64_t(1) << mode;
    os << "  {" << bitsOf(rule, "Pipe", rule->getValueAsListOfStrings("ordersItself")) << ", " << modes << ", "
       << (rule->getValueAsBit("hasBufferIds") ? "true" : "false") << "}, // " << rule->getValueAsString("arch")
       << "\n";
  }
  os << "};\ninline constexpr DTypeSet castRules[numArch][numDType] = {\n";
  for (const Record *arch : records.getDef("Arch")->getValueAsListOfDefs("cases")) {
    StringRef name = arch->getValueAsString("caseName");
    std::vector<uint64_t> targets(countOf(records, "DType"));
    for (const Record *rule : collect(records, "CastRule"))
      if (is_contained(rule->getValueAsListOfStrings("archs"), name))
        targets[size_t(numberOf(rule, "DType", rule->getValueAsString("from")))] |=
            bitsOf(rule, "DType", rule->getValueAsListOfStrings("to"));
    os << "  {";
    interleaveComma(targets, os);
    os << "}, // " << name << "\n";
  }
  os << "};\n";
}

void emitAscendCChip(const RecordKeeper &records, raw_ostream &os) {
  os << "namespace tilesmith::chip {\n\n";
  emitNumbers(records, os);
  os << "\n} // namespace tilesmith::chip\n";
}

json::Object chipOf(const RecordKeeper &records) {
  json::Array numbers, memories, cores, archs, casts;
  for (const Record *rule : collect(records, "ChipNumber"))
    numbers.push_back(json::Object{{"name", rule->getName()},
                                   {"value", rule->getValueAsInt("value")},
                                   {"summary", rule->getValueAsString("summary")},
                                   {"source", rule->getValueAsString("source")}});
  for (const Record *rule : collect(records, "MemoryRule"))
    memories.push_back(json::Object{{"memory", rule->getValueAsString("memory")},
                                    {"alignment", rule->getValueAsInt("alignment")},
                                    {"granule", rule->getValueAsInt("granule")},
                                    {"source", rule->getValueAsString("source")}});
  for (const Record *rule : collect(records, "CoreRule"))
    cores.push_back(json::Object{{"kind", rule->getValueAsString("kind")},
                                 {"archs", strings(rule, "archs")},
                                 {"pipes", strings(rule, "pipes")},
                                 {"memories", strings(rule, "memories")},
                                 {"events", strings(rule, "events")},
                                 {"source", rule->getValueAsString("source")}});
  for (const Record *rule : collect(records, "ArchRule")) {
    json::Array modes;
    for (int64_t mode : rule->getValueAsListOfInts("crossModes"))
      modes.push_back(mode);
    archs.push_back(json::Object{{"arch", rule->getValueAsString("arch")},
                                 {"ordersItself", strings(rule, "ordersItself")},
                                 {"crossModes", std::move(modes)},
                                 {"hasBufferIds", rule->getValueAsBit("hasBufferIds")},
                                 {"source", rule->getValueAsString("source")}});
  }
  for (const Record *rule : collect(records, "CastRule"))
    casts.push_back(json::Object{
        {"from", rule->getValueAsString("from")}, {"archs", strings(rule, "archs")}, {"to", strings(rule, "to")}});
  return json::Object{{"numbers", std::move(numbers)},
                      {"memories", std::move(memories)},
                      {"cores", std::move(cores)},
                      {"archs", std::move(archs)},
                      {"casts", std::move(casts)}};
}

} // namespace tilesmith::tblgen
