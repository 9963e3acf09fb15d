// What tilesmith-tblgen writes from the instruction table, one function per output.
//
// Every emitter walks the same view of the records (Table.h), so outputs agree on operand order and on names.
#ifndef TILESMITH_TBLGEN_EMITTERS_H
#define TILESMITH_TBLGEN_EMITTERS_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Record.h"

namespace tilesmith::tblgen {

void emitEnums(const llvm::RecordKeeper &records, llvm::raw_ostream &os);  // C++ enums with stringify and symbolize
void emitTable(const llvm::RecordKeeper &records, llvm::raw_ostream &os);  // Opcode and the InstructionInfo table
void emitChip(const llvm::RecordKeeper &records, llvm::raw_ostream &os);   // rules of the chip: constants and tables
void emitDTypes(const llvm::RecordKeeper &records, llvm::raw_ostream &os); // the table of element types
void emitAbi(const llvm::RecordKeeper &records, llvm::raw_ostream &os);    // the C ABI entries of Machine
void emitCalls(const llvm::RecordKeeper &records, llvm::raw_ostream &os);  // Ascend C calls, for the printer
void emitAscendCTypes(const llvm::RecordKeeper &records,
                      llvm::raw_ostream &os); // enums and parameter structs of the headers
void emitAscendCCalls(const llvm::RecordKeeper &records, llvm::raw_ostream &os); // instructions of the headers
void emitAscendCChip(const llvm::RecordKeeper &records, llvm::raw_ostream &os);  // numbers of the chip, for the headers
void emitOds(const llvm::RecordKeeper &records, llvm::raw_ostream &os); // attributes and ops of the isa dialect
void emitOperands(const llvm::RecordKeeper &records,
                  llvm::raw_ostream &os); // views that read a call's operands by name
void emitEnumAttributes(const llvm::RecordKeeper &records,
                        llvm::raw_ostream &os);                               // enumerations of the dialect
void emitLayouts(const llvm::RecordKeeper &records, llvm::raw_ostream &os);   // where bytes lie, what numbers may be
void emitExecution(const llvm::RecordKeeper &records, llvm::raw_ostream &os); // which function executes what
void emitJson(const llvm::RecordKeeper &records, llvm::raw_ostream &os);      // everything, for tools/isa.py

llvm::json::Array dtypesAsJson(const llvm::RecordKeeper &records); // element types, a part of the JSON
llvm::json::Object chipOf(const llvm::RecordKeeper &records);      // rules of the chip, a part of the JSON

} // namespace tilesmith::tblgen

#endif // TILESMITH_TBLGEN_EMITTERS_H
