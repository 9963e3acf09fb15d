// What an instruction refuses before anything is touched: dtypes the architecture does not have, counts and strides
// that do not fit the instruction's fields, unknown enumeration values. Sources: c310.md 1.6, 3.2-3.5, 5, 6.
#include "tilesmith/Machine/Core.h"
#include "tilesmith/Machine/Entries.h"
#include <algorithm>

namespace tilesmith::machine {

namespace {

std::string number(int64_t value) { return std::to_string(value); }
std::string text(std::string_view view) { return std::string(view); }
std::string name(DType dtype) { return text(isa::stringify(dtype)); }

struct Validation {
  const Instr &instr;
  const isa::InstructionInfo &info;
  Arch arch;
  std::string reason;

  int64_t arg(unsigned i) const { return instr.args[i]; }
  std::string what(unsigned i) const { return text(info.operands[i].name) + " of " + text(info.mnemonic); }

  void refuse(std::string why) {
    if (reason.empty())
      reason = std::move(why);
  }
  void between(unsigned i, int64_t low, int64_t high) {
    if (arg(i) < low || arg(i) > high)
      refuse(what(i) + " is " + number(arg(i)) + ", allowed are " + number(low) + " to " + number(high));
  }
  void multipleOf(unsigned i, int64_t unit) {
    if (arg(i) % unit)
      refuse(what(i) + " is " + number(arg(i)) + ", not a multiple of " + number(unit));
  }

  // The first lanes by number, or scattered ones among the 128 two words can name.
  void mask(unsigned i, int64_t lanes) {
    if (arg(i) != TS_MASK_BITS)
      between(i, 0, lanes);
    else if (lanes > 128)
      refuse(what(i) + " names single lanes, which " + name(instr.dtype) + " has too many of");
  }

  // mask, repeat, then `blocks` block strides and `repeats` repeat strides.
  void repeatForm(unsigned first, int64_t lanes, unsigned blocks, int64_t maxBlock, unsigned repeats,
                  int64_t maxRepeat) {
    mask(first, lanes);
    between(first + 1, 0, 255);
    for (unsigned i = 0; i < blocks; ++i)
      between(first + 2 + i, 0, maxBlock);
    for (unsigned i = 0; i < repeats; ++i)
      between(first + 2 + blocks + i, 0, maxRepeat);
  }
  void countForm(unsigned i) { between(i, 0, int64_t(1) << 31); }

  void elementwise();
  void cast();
  void compare(unsigned sources);
  void move();
  void matrix();
  void all();
};

// Pairs of Cast: bit `to` of the entry `from`.
constexpr isa::DTypeSet to(std::initializer_list<DType> types) {
  isa::DTypeSet bits = 0;
  for (DType type : types)
    bits |= isa::dtypeBit(type);
  return bits;
}

isa::DTypeSet castTargets(DType from, Arch arch) {
  using enum DType;
  bool c310 = arch == Arch::C310;
  switch (from) {
  case F16:
    return to({I8, U8, I16, I32, F32}) | (c310 ? to({BF16}) : 0);
  case BF16:
    return to({I32, F32}) | (c310 ? to({F16}) : 0);
  case F32:
    return to({I16, F16, BF16, I32, F32, I64});
  case I8:
    return to({F16}) | (c310 ? to({I16, I32}) : 0);
  case U8:
    return to({F16}) | (c310 ? to({U16, U32}) : 0);
  case I16:
    return to({F16, F32}) | (c310 ? to({U8, I32, U32}) : 0);
  case U16:
    return c310 ? to({U8, U32}) : 0;
  case I32:
    return to({I16, F32, I64}) | (c310 ? to({U8, U16}) : 0);
  case U32:
    return c310 ? to({U8, I16, U16}) : 0;
  case I64:
    return to({I32, F32});
  default:
    return 0;
  }
}

void Validation::cast() {
  if (!(castTargets(instr.dtype2, arch) & isa::dtypeBit(instr.dtype)))
    return refuse("cast from " + name(instr.dtype2) + " to " + name(instr.dtype) + " does not exist on " +
                  text(isa::stringify(arch)));
  between(2, 0, isa::numRoundMode - 1);
  if (isa::RoundMode(arg(2)) == isa::RoundMode::Odd && !(instr.dtype2 == DType::F32 && instr.dtype == DType::F16))
    refuse("round mode Odd exists only for a cast from F32 to F16");
  int64_t lanes = 256 / std::max(isa::sizeOf(instr.dtype), isa::sizeOf(instr.dtype2));
  if (info.form == Form::Repeat)
    repeatForm(3, lanes, 2, 65535, 2, 255);
  else
    countForm(3);
}

void Validation::compare(unsigned sources) {
  int64_t size = isa::sizeOf(instr.dtype);
  between(3, 0, isa::numCmpMode - 1);
  if (arch == Arch::C220 && instr.dtype == DType::I32 && isa::CmpMode(arg(3)) != isa::CmpMode::EQ)
    refuse(text(info.mnemonic) + " of I32 on C220 only knows EQ, not " + text(isa::stringify(isa::CmpMode(arg(3)))));
  if (info.form == Form::Repeat)
    return repeatForm(4, 256 / size, sources, sources == 1 ? 65535 : 255, sources, 255);
  countForm(4);
  if (reason.empty() && arg(4) * size % 256)
    refuse("count of " + text(info.mnemonic) + " is " + number(arg(4)) + " elements, " + number(arg(4) * size) +
           " bytes, not a multiple of 256 bytes");
}

// Element types of an instruction that changes them.
bool isPair(Opcode op, DType to, DType from) {
  switch (op) {
  case Opcode::CastDequant:
  case Opcode::CastDequantR:
  case Opcode::AddDeqRelu:
  case Opcode::AddDeqReluR:
    return from == DType::I32;
  case Opcode::AddReluCast:
  case Opcode::AddReluCastR:
  case Opcode::SubReluCast:
  case Opcode::SubReluCastR:
    return to == DType::F16 ? from == DType::F32 : from == DType::F16 || from == DType::I16;
  default:
    return from == DType::F16;
  }
}

void Validation::elementwise() {
  int64_t lanes = 256 / isa::sizeOf(instr.dtype);
  bool repeats = info.form == Form::Repeat;
  switch (info.family) {
  case Family::VectorUnary:
    return repeats ? repeatForm(2, lanes, 2, 65535, 2, 255) : countForm(2);
  case Family::VectorBinary:
    return repeats ? repeatForm(3, lanes, 3, 255, 3, 255) : countForm(3);
  case Family::VectorScalar:
    return repeats ? repeatForm(3, lanes, 2, 65535, 2, 255) : countForm(3);
  case Family::Duplicate:
    return repeats ? repeatForm(2, lanes, 1, 65535, 1, 255) : countForm(2);
  case Family::Copy:
    return repeats ? repeatForm(2, lanes, 2, 65535, 2, 65535) : countForm(2);
  case Family::Select:
    return repeats ? repeatForm(4, lanes, 3, 255, 3, 255) : countForm(4);
  case Family::WholeReduceIndex:
    between(7, 0, isa::numReduceOrder - 1);
    [[fallthrough]];
  case Family::WholeReduce:
  case Family::BlockReduce:
    mask(2, lanes);
    between(3, 0, 255);
    for (unsigned i = 4; i <= 6; ++i)
      between(i, 0, 65535);
    return;
  case Family::Gather:
    between(3, 0, 1 << 20);
    between(4, 0, 1 << 20);
    return countForm(5);
  case Family::SelectScalar:
    return repeats ? repeatForm(4, lanes, 2, 255, 2, 255) : countForm(4);
  case Family::CmpMask:
    if (instr.op == Opcode::CompareToRegister) {
      between(2, 0, isa::numCmpMode - 1);
      mask(3, lanes);
      between(4, 0, 255);
      between(5, 0, 255);
    } else if (instr.op == Opcode::SelectByRegister) {
      repeatForm(3, lanes, 3, 255, 3, 255);
    }
    return;
  case Family::GatherBlocks:
    between(3, 0, 1 << 20);
    between(4, 0, 255);
    between(5, 0, 65535);
    between(6, 0, 65535);
    return;
  case Family::Scatter:
    between(3, 0, 1 << 20);
    between(4, 0, 1 << 20);
    return countForm(5);
  case Family::Merge:
    for (unsigned i = 5; i <= 8; ++i)
      between(i, 0, 4095);
    between(9, 0, 255);
    between(10, 0, 1);
    return;
  case Family::Trans5hd:
    between(8, 0, 1);
    between(9, 0, 1);
    between(10, 0, 255);
    between(11, 0, 65535);
    between(12, 0, 65535);
    if (arg(13) != 1 && arg(13) != 2 && arg(13) != 4)
      refuse(what(13) + " is " + number(arg(13)) + ", allowed are 1, 2 and 4");
    return;
  case Family::Mixed: {
    if (!isPair(instr.op, instr.dtype, instr.dtype2))
      return refuse(text(info.mnemonic) + " from " + name(instr.dtype2) + " to " + name(instr.dtype) +
                    " does not exist");
    int64_t wide = 256 / std::max(isa::sizeOf(instr.dtype), isa::sizeOf(instr.dtype2));
    return repeats ? repeatForm(4, wide, 3, 65535, 3, 255) : countForm(4);
  }
  case Family::Arange:
    return countForm(3);
  case Family::GatherPattern:
    if (instr.op == Opcode::GatherMaskBits) {
      between(7, 0, 255);
      between(8, 0, 1 << 20);
    } else {
      between(2, 1, 7);
    }
    between(3, 0, 1 << 20);
    between(4, 0, 255);
    between(5, 0, 255);
    between(6, 0, 65535);
    if (arg(3) > lanes && arg(5) != 1)
      refuse("gather_mask of " + number(arg(3)) + " elements per repeat, more than " + number(lanes) +
             ", needs blocks that follow each other");
    return;
  case Family::Sort:
    return between(3, 0, 255);
  case Family::Transpose:
    return;
  case Family::ReduceAll:
    if (info.numOperands > 4)
      between(4, 0, 1);
    return countForm(3);
  default: // Brcb
    between(2, 0, 255);
    between(3, 0, 65535);
    between(4, 0, 65535);
    return;
  }
}

void Validation::move() {
  int64_t size = isa::sizeOf(instr.dtype);
  bool c310 = arch == Arch::C310;
  constexpr int64_t maxStride = (int64_t(1) << 40) - 1, maxU32 = (int64_t(1) << 32) - 1;
  switch (info.family) {
  case Family::MoveIn:
    between(2, 0, 4095);
    between(3, 0, 2097151);
    multipleOf(3, size);
    if (!reason.empty())
      return;
    between(4, c310 ? -arg(3) : 0, c310 ? maxStride : maxU32);
    between(5, 0, 65535);
    between(6, 0, 1);
    between(7, 0, 32 / size);
    between(8, 0, 32 / size);
    return;
  case Family::MoveOut:
    between(2, 0, 4095);
    between(3, 0, 2097151);
    multipleOf(3, size);
    between(4, 0, 65535);
    between(5, 0, c310 ? maxStride : maxU32);
    return;
  case Family::MoveNz:
    between(2, 0, 4095);
    between(3, 0, 16384);
    between(4, 0, 65535);
    between(5, 0, c310 ? maxStride : 65535);
    between(6, 0, c310 ? maxStride : 65535);
    between(7, 0, 16384);
    between(8, 0, 16384);
    between(9, 0, c310 ? maxU32 : 65535);
    return;
  default: // FillL1
    for (unsigned i = 1; i <= 3; ++i)
      between(i, 0, 32767);
    return;
  }
}

// Whether a fixpipe converts so. The modes by a vector of scales are not in the model.
bool quantises(isa::QuantMode mode, DType to, DType from) {
  switch (mode) {
  case isa::QuantMode::NoQuant:
    return to == from && (from == DType::F32 || from == DType::I32);
  case isa::QuantMode::F322F16:
    return from == DType::F32 && to == DType::F16;
  case isa::QuantMode::F322BF16:
    return from == DType::F32 && to == DType::BF16;
  case isa::QuantMode::DEQF16:
    return from == DType::I32 && to == DType::F16;
  case isa::QuantMode::QF322B8_PRE:
    return from == DType::F32 && (to == DType::I8 || to == DType::U8);
  case isa::QuantMode::REQ8:
    return from == DType::I32 && (to == DType::I8 || to == DType::U8);
  default:
    return false;
  }
}

void Validation::matrix() {
  int64_t size = isa::sizeOf(instr.dtype);
  switch (instr.op) {
  case Opcode::LoadData_2d:
    between(2, 0, 65535);
    between(3, 0, 255);
    between(4, 0, 65535);
    between(5, 0, 65535);
    if (arg(6) && size != 2)
      refuse("load_data_2d transposes only 16-bit elements, not " + name(instr.dtype));
    return;
  case Opcode::LoadDataTranspose:
    between(2, 0, 65535);
    between(3, 0, 255);
    for (unsigned i = 4; i <= 6; ++i)
      between(i, 0, 65535);
    return;
  case Opcode::LoadData_2dV2:
    between(2, 0, 65535);
    between(3, 0, 65535);
    between(4, 0, 255);
    between(5, 0, 255);
    between(6, 0, 65535);
    between(7, 0, 65535);
    if (arg(8) && size == 1)
      multipleOf(4, 2);
    if (arg(8) && size == 4)
      multipleOf(5, 2);
    return;
  case Opcode::CopyL1ToTable:
    between(2, 0, 4095);
    between(3, 0, 65535);
    between(4, 0, 65535);
    between(5, 0, 65535);
    if (instr.dtype2 != instr.dtype &&
        !(instr.dtype == DType::F32 && (instr.dtype2 == DType::F16 || instr.dtype2 == DType::BF16)))
      refuse("copy_l1_to_table from " + name(instr.dtype2) + " to " + name(instr.dtype) + " does not exist");
    return;
  case Opcode::FixpipeQuant: {
    between(2, 0, 4095);
    between(3, 0, 65535);
    between(4, 0, 65535);
    between(5, 0, (int64_t(1) << 32) - 1);
    between(6, 0, isa::numQuantMode - 1);
    between(9, 0, 4095);
    between(10, 0, 65535);
    between(11, 0, 65535);
    between(12, 0, 1);
    if (!quantises(isa::QuantMode(arg(6)), instr.dtype, instr.dtype2))
      refuse(text(info.mnemonic) + " from " + name(instr.dtype2) + " to " + name(instr.dtype) +
             " does not go with quant mode " + text(isa::stringify(isa::QuantMode(arg(6)))));
    return;
  }
  case Opcode::MmadBias:
  case Opcode::Mmad: {
    DType input = instr.dtype2;
    bool isInteger = input == DType::I8;
    if (!isInteger && input != DType::F16 && input != DType::BF16 && input != DType::F32)
      return refuse("mmad does not take " + name(input));
    if ((instr.dtype == DType::I32) != isInteger)
      return refuse("mmad of " + name(input) + " accumulates in " + (isInteger ? "I32" : "F32") + ", not in " +
                    name(instr.dtype));
    for (unsigned i = 3; i <= 5; ++i)
      between(i, 0, 4095);
    return;
  }
  default: { // Fixpipe
    between(2, 0, 4095);
    between(3, 0, 65535);
    between(4, 0, 65535);
    between(5, 0, (int64_t(1) << 32) - 1);
    between(6, 0, isa::numQuantMode - 1);
    isa::QuantMode quant = isa::QuantMode(arg(6));
    bool fits = quant <= isa::QuantMode::F322BF16 && quantises(quant, instr.dtype, instr.dtype2);
    if (!fits)
      refuse(text(info.mnemonic) + " from " + name(instr.dtype2) + " to " + name(instr.dtype) +
             " does not go with quant mode " + text(isa::stringify(quant)));
    return;
  }
  }
}

void Validation::all() {
  if (info.dtypeOperand >= 0 && !info.supports(arch, instr.dtype))
    return refuse(text(info.mnemonic) + " does not take " + name(instr.dtype) + " on " + text(isa::stringify(arch)));
  switch (info.family) {
  case Family::VectorUnary:
  case Family::VectorBinary:
  case Family::VectorScalar:
  case Family::Duplicate:
  case Family::Select:
  case Family::WholeReduce:
  case Family::WholeReduceIndex:
  case Family::BlockReduce:
  case Family::ReduceAll:
  case Family::Gather:
  case Family::GatherPattern:
  case Family::Sort:
  case Family::Transpose:
  case Family::Copy:
  case Family::Brcb:
  case Family::GatherBlocks:
  case Family::Scatter:
  case Family::Merge:
  case Family::Trans5hd:
  case Family::Mixed:
  case Family::Arange:
  case Family::SelectScalar:
  case Family::CmpMask:
    return elementwise();
  case Family::Cast:
    return cast();
  case Family::Compare:
    return compare(2);
  case Family::CompareScalar:
    return compare(1);
  case Family::MoveIn:
  case Family::MoveOut:
  case Family::MoveNz:
  case Family::FillL1:
    return move();
  case Family::LoadL0:
  case Family::CopyL1:
  case Family::Mmad:
  case Family::Fixpipe:
    return matrix();
  default:
    return;
  }
}

} // namespace

std::string validateOperands(const Instr &instr, Arch arch) {
  Validation validation{instr, instr.info(), arch, {}};
  validation.all();
  return std::move(validation.reason);
}

} // namespace tilesmith::machine
