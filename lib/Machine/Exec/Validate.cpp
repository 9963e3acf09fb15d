// What an instruction refuses before anything is touched: dtypes the architecture does not have, numbers beyond the
// limits of the record (Isa/Layouts.h), and what depends on several of them at once: pairs of dtypes, modes, a whole
// number of repeats. Sources: c310.md 1.6, 3.2-3.5, 5, 6.
#include "Core/CallNumbers.h"
#include "Exec.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Isa/Layouts.h"

namespace tilesmith::machine {

namespace {

std::string number(int64_t value) { return std::to_string(value); }
std::string text(std::string_view view) { return std::string(view); }
std::string name(DType dtype) { return text(isa::stringify(dtype)); }
std::string pairOf(const Instr &instr) { return " from " + name(instr.dtype2) + " to " + name(instr.dtype); }

// The first number beyond its limit, in words.
class Limits : public CallNumbers {
public:
  using CallNumbers::CallNumbers;

  void between(unsigned operand, Number low, Number high) {
    if (int64_t value = instr.args[operand]; value < low.value || value > high.value)
      refuse(operand, ", allowed are " + number(low.value) + " to " + number(high.value));
  }
  void multiple(unsigned operand, Number unit) {
    if (instr.args[operand] % unit.value)
      refuse(operand, ", not a multiple of " + number(unit.value));
  }
  // The first lanes by number, or scattered ones among the 128 two words can name.
  void mask(unsigned operand, Number lanes) {
    if (instr.args[operand] != TS_MASK_BITS)
      between(operand, Number(0), lanes);
    else if (lanes.value > 128 && reason.empty())
      reason = what(operand) + " names single lanes, which " + name(instr.dtype) + " has too many of";
  }

  std::string reason;

private:
  std::string what(unsigned operand) const {
    return text(instr.info().operands[operand].name) + " of " + text(instr.info().mnemonic);
  }
  void refuse(unsigned operand, const std::string &why) {
    if (reason.empty())
      reason = what(operand) + " is " + number(instr.args[operand]) + why;
  }
};

// Sets of dtypes.
constexpr isa::DTypeSet of(std::initializer_list<DType> types) {
  isa::DTypeSet bits = 0;
  for (DType type : types)
    bits |= isa::dtypeBit(type);
  return bits;
}
bool isOneOf(DType type, std::initializer_list<DType> types) { return of(types) & isa::dtypeBit(type); }

// Element types of a vector instruction that changes them.
bool isMixedPair(Opcode op, DType to, DType from) {
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

// Whether a fixpipe converts so.
bool quantises(isa::QuantMode mode, DType to, DType from) {
  switch (mode) {
  case isa::QuantMode::NoQuant:
    return to == from && (from == DType::F32 || from == DType::I32);
  case isa::QuantMode::F322F16:
    return from == DType::F32 && to == DType::F16;
  case isa::QuantMode::F322BF16:
    return from == DType::F32 && to == DType::BF16;
  case isa::QuantMode::DEQF16:
  case isa::QuantMode::VDEQF16:
    return from == DType::I32 && to == DType::F16;
  case isa::QuantMode::QF322B8_PRE:
  case isa::QuantMode::VQF322B8_PRE:
    return from == DType::F32 && (to == DType::I8 || to == DType::U8);
  case isa::QuantMode::REQ8:
  case isa::QuantMode::VREQ8:
    return from == DType::I32 && (to == DType::I8 || to == DType::U8);
  }
  return false;
}

// Which instruction takes a mode: one without a scale, with one, or with one for each column.
bool takesMode(Opcode op, isa::QuantMode mode) {
  using isa::QuantMode;
  bool byColumns = mode == QuantMode::VDEQF16 || mode == QuantMode::VQF322B8_PRE || mode == QuantMode::VREQ8;
  switch (op) {
  case Opcode::FixpipeVector:
  case Opcode::FixpipeVectorToL1:
    return byColumns;
  case Opcode::FixpipeQuant:
    return !byColumns;
  case Opcode::FixpipeQuantToL1:
    return !byColumns && mode > QuantMode::F322BF16;
  default:
    return mode <= QuantMode::F322BF16;
  }
}

// Narrow factors: both of 8 or both of 4 bits, and hif8 only with itself.
std::string refusedFactors(const Instr &instr) {
  bool alike = isa::bitsOf(instr.dtype) == isa::bitsOf(instr.dtype2) &&
               (instr.dtype == DType::HIF8) == (instr.dtype2 == DType::HIF8);
  if (!alike || !instr.info().supports(Arch::C310, instr.dtype2))
    return text(instr.info().mnemonic) + " does not multiply " + name(instr.dtype) + " by " + name(instr.dtype2);
  return {};
}

// The pair of dtypes a call carries.
std::string refusedTypes(const Instr &instr, Arch arch) {
  auto pair = [&] { return pairOf(instr); };
  switch (instr.info().family) {
  case Family::Cast:
    if (!(isa::castTargets(arch, instr.dtype2) & isa::dtypeBit(instr.dtype)))
      return "cast" + pair() + " does not exist on " + text(isa::stringify(arch));
    return {};
  case Family::Mixed:
    return isMixedPair(instr.op, instr.dtype, instr.dtype2) ? ""
                                                            : text(instr.info().mnemonic) + pair() + " does not exist";
  case Family::CastDeq:
    return instr.dtype2 == DType::I16 ? "" : text(instr.info().mnemonic) + pair() + " does not exist";
  case Family::Mmad: {
    if (instr.op == Opcode::MmadHf32 || instr.op == Opcode::MmadHf32Bias)
      return instr.dtype2 == DType::F32 ? "" : text(instr.info().mnemonic) + " does not take " + name(instr.dtype2);
    if (instr.op != Opcode::Mmad && instr.op != Opcode::MmadBias)
      return refusedFactors(instr);
    bool isInteger = instr.dtype2 == DType::I8;
    if (!isOneOf(instr.dtype2, {DType::I8, DType::F16, DType::BF16, DType::F32}))
      return "mmad does not take " + name(instr.dtype2);
    if ((instr.dtype == DType::I32) != isInteger)
      return "mmad of " + name(instr.dtype2) + " accumulates in " + (isInteger ? "I32" : "F32") + ", not in " +
             name(instr.dtype);
    return {};
  }
  default:
    return {};
  }
}

std::string refusedCompare(const Instr &instr, Arch arch, isa::CmpMode mode, std::optional<int64_t> count) {
  auto mnemonic = [&] { return text(instr.info().mnemonic); };
  if (arch == Arch::C220 && instr.dtype == DType::I32 && mode != isa::CmpMode::EQ)
    return mnemonic() + " of I32 on C220 only knows EQ, not " + text(isa::stringify(mode));
  int64_t bytes = count.value_or(0) * isa::sizeOf(instr.dtype);
  if (bytes % isa::repeatBytes)
    return "count of " + mnemonic() + " is " + number(*count) + " elements, " + number(bytes) +
           " bytes, not a multiple of 256 bytes";
  return {};
}

std::string refusedPattern(const Instr &instr, int64_t elements, int64_t srcBlk) {
  int64_t lanes = isa::repeatBytes / isa::sizeOf(instr.dtype);
  if (elements > lanes && srcBlk != 1)
    return "gather_mask of " + number(elements) + " elements per repeat, more than " + number(lanes) +
           ", needs blocks that follow each other";
  return {};
}

// What vector cores are given are whole halves, in whole blocks.
std::string refusedHalves(const Instr &instr) {
  isa::FixpipeToUb call(instr);
  if (call.dual() == 1 && call.mSize() % 2)
    return "fixpipe_to_ub splits an even number of rows, not " + number(call.mSize());
  if (call.dual() == 2 && call.nSize() % 32)
    return "fixpipe_to_ub splits a multiple of 32 columns, not " + number(call.nSize());
  if (!call.nz() && call.nSize() * isa::sizeOf(instr.dtype) % isa::blockBytes)
    return "rows in UB are whole blocks of 32 bytes, not " + number(call.nSize()) + " elements";
  return {};
}

// Bit 0 of a unitFlag says something only beside bit 1.
std::string refusedUnitFlag(int64_t unitFlag) {
  return unitFlag == 1 ? "unitFlag is 0 (off), 2 (on) or 3 (on, and hands over), not 1" : "";
}

// What products of narrow floats ask besides.
std::string refusedProduct(const Instr &instr) {
  namespace family = isa::family;
  family::Mmad call(instr);
  if (instr.op != Opcode::MmadMx && instr.op != Opcode::MmadMxBias)
    return {};
  if (call.k() % 64)
    return "k of " + text(instr.info().mnemonic) + " is " + number(call.k()) + ", not a multiple of 64";
  int64_t alignment = isa::bitsOf(instr.dtype) == 8 ? 2 * isa::fractalBytes : isa::fractalBytes;
  for (Address factor : {call.a(), call.b()})
    if (factor.offset() % alignment)
      return "a factor of " + text(instr.info().mnemonic) + " starts at offset " + number(factor.offset()) + " of " +
             text(isa::stringify(factor.memory())) + ", not at a multiple of " + number(alignment);
  return {};
}

// What a filter over an image asks of its numbers.
std::string refusedImage(const Instr &instr) {
  isa::LoadData_3dV2 call(instr);
  int64_t group = isa::blockBytes / isa::sizeOf(instr.dtype);
  auto low = [](int64_t pair) { return pair % 256; };
  auto high = [](int64_t pair) { return pair / 256 % 256; };
  if (call.mStart() % isa::fractalRows || call.kStart() % group)
    return "load_data_3d_v2 starts at row " + number(call.mStart()) + " and column " + number(call.kStart()) +
           ", not at multiples of 16 and " + number(group);
  if (call.dst().memory() == Memory::L0B &&
      (call.mExtension() % std::max<int64_t>(group, 16) || call.kExtension() % 16))
    return "load_data_3d_v2 to L0B takes whole fractals, not " + number(call.mExtension()) + " rows and " +
           number(call.kExtension()) + " columns";
  for (auto [pair, what] :
       {std::pair(call.stride(), "stride"), {call.filter(), "filter"}, {call.dilation(), "dilation"}})
    if (!low(pair) || !high(pair))
      return text(what) + " of load_data_3d_v2 is " + number(low(pair)) + " x " + number(high(pair)) +
             ", not at least 1 x 1";
  int64_t pads = call.pads();
  if (low(call.dilation()) * (low(call.filter()) - 1) + 1 > call.l1W() + low(pads) + high(pads) ||
      high(call.dilation()) * (high(call.filter()) - 1) + 1 > call.l1H() + low(pads >> 16) + high(pads >> 16))
    return "the filter of load_data_3d_v2 is larger than the image with its padding";
  return {};
}

// What depends on several operands. Each by itself is within its limits.
std::string refusedTogether(const Instr &instr, Arch arch) {
  namespace family = isa::family;
  auto pair = [&] { return pairOf(instr); };
  auto mnemonic = [&] { return text(instr.info().mnemonic); };
  int64_t size = isa::sizeOf(instr.dtype);
  bool byCount = instr.info().form == Form::Count;
  switch (instr.info().family) {
  case Family::Cast:
    if (family::Cast(instr).round() == isa::RoundMode::Odd &&
        !(instr.dtype2 == DType::F32 && instr.dtype == DType::F16))
      return "round mode Odd exists only for a cast from F32 to F16";
    return {};
  case Family::Compare:
    return refusedCompare(instr, arch, family::Compare(instr).mode(),
                          byCount ? std::optional(family::CompareCount(instr).count()) : std::nullopt);
  case Family::CompareScalar:
    return refusedCompare(instr, arch, family::CompareScalar(instr).mode(),
                          byCount ? std::optional(family::CompareScalarCount(instr).count()) : std::nullopt);
  case Family::Mmad:
    if (std::string reason = refusedUnitFlag(family::Mmad(instr).unitFlag()); !reason.empty())
      return reason;
    return refusedProduct(instr);
  case Family::LoadImage:
    return refusedImage(instr);
  case Family::LoadL0:
    if (isa::bitsOf(instr.dtype) == 4 && instr.op == Opcode::LoadData_2dV2 && isa::LoadData_2dV2(instr).ifTranspose())
      return "load_data_2d_v2 does not transpose " + name(instr.dtype) + " in the model";
    break;
  case Family::Fixpipe: {
    isa::QuantMode quant = family::Fixpipe(instr).quant();
    if (!takesMode(instr.op, quant) || !quantises(quant, instr.dtype, instr.dtype2))
      return mnemonic() + pair() + " does not go with quant mode " + text(isa::stringify(quant));
    if (std::string reason = refusedUnitFlag(family::Fixpipe(instr).unitFlag()); !reason.empty())
      return reason;
    return instr.op == Opcode::FixpipeToUb ? refusedHalves(instr) : "";
  }
  default:
    break;
  }
  switch (instr.op) {
  case Opcode::GatherMask:
    return refusedPattern(instr, isa::GatherMask(instr).elements(), isa::GatherMask(instr).srcBlk());
  case Opcode::GatherMaskBits:
    return refusedPattern(instr, isa::GatherMaskBits(instr).elements(), isa::GatherMaskBits(instr).srcBlk());
  case Opcode::TransDataRows:
    if (int64_t bytes = isa::TransDataRows(instr).bytes(); bytes != 1 && bytes != 2 && bytes != 4)
      return "bytes of " + mnemonic() + " is " + number(bytes) + ", allowed are 1, 2 and 4";
    return {};
  case Opcode::LoadData_2d:
    if (isa::LoadData_2d(instr).ifTranspose() && size != 2)
      return "load_data_2d transposes only 16-bit elements, not " + name(instr.dtype);
    return {};
  case Opcode::LoadGmToL0:
    if (isa::LoadGmToL0(instr).ifTranspose() && size != 2)
      return "load_gm_to_l0 transposes only 16-bit elements, not " + name(instr.dtype);
    return {};
  case Opcode::LoadData_2dV2: {
    // Turned, squares are two fractals of bytes high, or two of 32 bits wide.
    isa::LoadData_2dV2 call(instr);
    auto odd = [&](std::string_view step, int64_t value) {
      return value % 2 ? text(step) + " of " + mnemonic() + " is " + number(value) + ", not a multiple of 2" : "";
    };
    return !call.ifTranspose() ? ""
           : size == 1         ? odd("mStep", call.mStep())
           : size == 4         ? odd("kStep", call.kStep())
                               : "";
  }
  case Opcode::CopyL1ToTable:
    if (instr.dtype2 != instr.dtype &&
        !(instr.dtype == DType::F32 && (instr.dtype2 == DType::F16 || instr.dtype2 == DType::BF16)))
      return "copy_l1_to_table" + pair() + " does not exist";
    return {};
  default:
    return {};
  }
}

} // namespace

std::string validateOperands(const Instr &instr, Arch arch) {
  const isa::InstructionInfo &info = instr.info();
  if (info.dtypeOperand >= 0 && !info.dtypes[unsigned(arch)])
    return text(isa::stringify(arch)) + " does not have " + text(info.mnemonic);
  if (info.dtypeOperand >= 0 && !info.supports(arch, instr.dtype))
    return text(info.mnemonic) + " does not take " + name(instr.dtype) + " on " + text(isa::stringify(arch));
  if (info.dtype2Operand >= 0)
    if (std::string reason = refusedTypes(instr, arch); !reason.empty())
      return reason;
  Limits limits(instr, arch);
  isa::visitLimits(instr.op, limits);
  return limits.reason.empty() ? refusedTogether(instr, arch) : std::move(limits.reason);
}

} // namespace tilesmith::machine
