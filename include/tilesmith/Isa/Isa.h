// The instruction table as C++: enumerations, opcodes and one InstructionInfo per instruction and form.
//
// Plain C++ without LLVM, so that the Machine, the compiler and the tools share it. Everything here is generated from
// Isa.td; operand order is the order of the C ABI, of the isa op and of the Ascend C call.
#ifndef TILESMITH_ISA_ISA_H
#define TILESMITH_ISA_ISA_H

#include "tilesmith/Isa/DType.h"

namespace tilesmith::isa {

#define TILESMITH_OPCODES
#include "tilesmith/Isa/Table.h.inc"

enum class OperandKind : uint8_t { Buffer, Integer, Scalar, Attribute };
enum class Access : uint8_t { None = 0, Read = 1, Write = 2, ReadWrite = 3 };

constexpr uint16_t memoryBit(Memory memory) { return uint16_t(1u << unsigned(memory)); }

struct OperandInfo {
  std::string_view name;
  OperandKind kind;
  Access access;                // of a buffer
  uint16_t memories;            // bits of the memories a buffer may live in
  std::string_view enumeration; // of an attribute
  uint8_t alignment;            // of a buffer in UB, in elements; 0: that of the memory
};

struct InstructionInfo {
  Opcode opcode;
  std::string_view mnemonic;   // isa.<mnemonic>, tsm_<mnemonic>
  std::string_view ascendName; // the Ascend C call
  Form form;
  Family family;
  Pipe pipe; // ALL: named by the operands
  CostClass cost;
  int8_t dtypeOperand, dtype2Operand; // operands whose element types the call carries; -1: none
  DTypeSet dtypes[numArch];           // per architecture
  const OperandInfo *operands;
  uint8_t numOperands;
  int8_t countOperand;  // the operand `count`; -1: none
  uint8_t plainBuffers; // the first operands, if the call is `count` elements of each and nothing more; otherwise 0
  bool hasResult;
  std::string_view element; // ts_el_<element> defines what one element computes
  bool inRegisters;         // a vector function may hold it, if it has an element function
  std::string_view summary;

  bool supports(Arch arch, DType dtype) const { return dtypes[unsigned(arch)] & dtypeBit(dtype); }
};

const InstructionInfo &getInstruction(Opcode opcode);
// The instruction of this mnemonic (with the suffix of its form), or null.
const InstructionInfo *findInstruction(std::string_view mnemonic);

} // namespace tilesmith::isa

#endif // TILESMITH_ISA_ISA_H
