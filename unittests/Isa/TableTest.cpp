#include "tilesmith/Isa/Operands.h"
#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace tilesmith::isa;

// An opcode that does not index its own row would execute another instruction.
TEST(Table, RowsStandAtTheirOpcode) {
  for (unsigned i = 0; i < numOpcodes; ++i)
    EXPECT_EQ(unsigned(getInstruction(Opcode(i)).opcode), i);
}

TEST(Table, MnemonicsAreUniqueAndFound) {
  std::set<std::string_view> seen;
  for (unsigned i = 0; i < numOpcodes; ++i) {
    const InstructionInfo &info = getInstruction(Opcode(i));
    EXPECT_TRUE(seen.insert(info.mnemonic).second) << info.mnemonic;
    EXPECT_EQ(findInstruction(info.mnemonic), &info);
  }
  EXPECT_EQ(findInstruction("no_such_instruction"), nullptr);
}

// Machine's Instr holds a fixed number of arguments; a record that grew beyond it would be cut off.
TEST(Table, OperandsFitACall) {
  for (unsigned i = 0; i < numOpcodes; ++i)
    EXPECT_LE(getInstruction(Opcode(i)).numOperands, 16) << getInstruction(Opcode(i)).mnemonic;
}

TEST(Table, BuffersNameTheirMemoriesAndAccess) {
  for (unsigned i = 0; i < numOpcodes; ++i) {
    const InstructionInfo &info = getInstruction(Opcode(i));
    for (unsigned k = 0; k < info.numOperands; ++k)
      if (info.operands[k].kind == OperandKind::Buffer) {
        EXPECT_NE(info.operands[k].memories, 0) << info.mnemonic << " " << info.operands[k].name;
        EXPECT_NE(info.operands[k].access, Access::None) << info.mnemonic << " " << info.operands[k].name;
      }
  }
}

TEST(Enums, SymbolizeUndoesStringify) {
  EXPECT_EQ(symbolize<Pipe>("MTE2"), Pipe::MTE2);
  EXPECT_EQ(stringify(Pipe::MTE2), "MTE2");
  EXPECT_FALSE(symbolize<Memory>("UBx"));
}

// A call as the views need it.
struct PlainCall {
  Opcode op;
  uint8_t numArgs;
  int64_t args[16];
};

// A view that reads a neighbour's place would compute with the wrong operand; what fill writes, the readers find, and
// the table says in which order.
TEST(Operands, ViewsReadWhatFillWrote) {
  PlainCall call{};
  FixpipeQuant::fill(call, Address(Memory::GM, 4096), Address(Memory::L0C, 64), 1, 2, 3, 4, QuantMode::REQ8, 6, 3, 7, 8,
                     9, 10, 11);
  EXPECT_EQ(call.op, Opcode::FixpipeQuant);
  EXPECT_EQ(call.numArgs, getInstruction(call.op).numOperands);
  FixpipeQuant view(call);
  EXPECT_EQ(view.dst().memory(), Memory::GM);
  EXPECT_EQ(view.src().offset(), 64);
  EXPECT_EQ(view.quant(), QuantMode::REQ8);
  EXPECT_EQ(view.quantValue(), 7);
  EXPECT_EQ(view.nz(), 11);
  family::Fixpipe shared(call);
  EXPECT_EQ(shared.dstStride(), 4);
  EXPECT_EQ(shared.relu(), 6);
  EXPECT_EQ(shared.unitFlag(), 3);
  for (unsigned i = 0; i < call.numArgs; ++i)
    if (getInstruction(call.op).operands[i].name == "ndNum")
      EXPECT_EQ(call.args[i], view.ndNum());
}
