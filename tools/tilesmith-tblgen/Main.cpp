// tilesmith-tblgen: reads the instruction table (include/tilesmith/Isa/Isa.td) and writes what is derived from it.
#include "llvm/TableGen/Main.h"
#include "Emitters.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;

enum class Action {
  Enums,
  Table,
  DTypes,
  Chip,
  Abi,
  Calls,
  AscendCTypes,
  AscendCChip,
  AscendCCalls,
  Ods,
  Operands,
  EnumAttributes,
  Layouts,
  Execution,
  Json
};

static cl::opt<Action> action(
    cl::desc("What to write:"), cl::Required,
    cl::values(clEnumValN(Action::Enums, "gen-enums", "C++ enums"),
               clEnumValN(Action::Table, "gen-table", "opcodes and the instruction table"),
               clEnumValN(Action::DTypes, "gen-dtypes", "the table of element types"),
               clEnumValN(Action::Chip, "gen-chip", "rules of the chip"),
               clEnumValN(Action::Abi, "gen-abi", "entries of Machine's C ABI"),
               clEnumValN(Action::Calls, "gen-calls", "Ascend C calls, for the printer"),
               clEnumValN(Action::AscendCTypes, "gen-ascendc-types", "enums and structs of the Ascend C headers"),
               clEnumValN(Action::AscendCChip, "gen-ascendc-chip", "numbers of the chip for the Ascend C headers"),
               clEnumValN(Action::AscendCCalls, "gen-ascendc-calls", "instructions of the Ascend C headers"),
               clEnumValN(Action::Ods, "gen-ods", "ops and attributes of the isa dialect"),
               clEnumValN(Action::Operands, "gen-operands", "views that read operands by name"),
               clEnumValN(Action::EnumAttributes, "gen-enum-attributes",
                          "enumerations that are attributes of the dialect"),
               clEnumValN(Action::Layouts, "gen-layouts", "where the bytes of calls lie, what their numbers may be"),
               clEnumValN(Action::Execution, "gen-execution", "which function executes what"),
               clEnumValN(Action::Json, "gen-json", "the whole table, for docs and Python")));

static bool emit(raw_ostream &os, const RecordKeeper &records) {
  if (action != Action::Json) // which has no comments
    emitSourceFileHeader("Tilesmith instruction table", os, records);
  switch (action) {
  case Action::Enums:
    tilesmith::tblgen::emitEnums(records, os);
    break;
  case Action::Table:
    tilesmith::tblgen::emitTable(records, os);
    break;
  case Action::DTypes:
    tilesmith::tblgen::emitDTypes(records, os);
    break;
  case Action::Chip:
    tilesmith::tblgen::emitChip(records, os);
    break;
  case Action::Abi:
    tilesmith::tblgen::emitAbi(records, os);
    break;
  case Action::Calls:
    tilesmith::tblgen::emitCalls(records, os);
    break;
  case Action::AscendCTypes:
    tilesmith::tblgen::emitAscendCTypes(records, os);
    break;
  case Action::AscendCChip:
    tilesmith::tblgen::emitAscendCChip(records, os);
    break;
  case Action::AscendCCalls:
    tilesmith::tblgen::emitAscendCCalls(records, os);
    break;
  case Action::Ods:
    tilesmith::tblgen::emitOds(records, os);
    break;
  case Action::Operands:
    tilesmith::tblgen::emitOperands(records, os);
    break;
  case Action::EnumAttributes:
    tilesmith::tblgen::emitEnumAttributes(records, os);
    break;
  case Action::Layouts:
    tilesmith::tblgen::emitLayouts(records, os);
    break;
  case Action::Execution:
    tilesmith::tblgen::emitExecution(records, os);
    break;
  case Action::Json:
    tilesmith::tblgen::emitJson(records, os);
    break;
  }
  return false;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Tilesmith instruction table generator\n");
  return TableGenMain(argv[0], &emit);
}
