// Registers of a core that operands are taken from: scales of conversions, what copies are padded with, the precision
// of products.
#include "Core.h"
#include "Records.h"
#include "Written.h"

namespace tilesmith::frontend::asc {

static bool setRegister(Core &core, isa::Register which, const Number &value, const Range &range) {
  if (value)
    core.tell("set_register", {int64_t(which), value}, range);
  return bool(value);
}

static Value setFixpipeQuant(Core &core, const Arguments &args) {
  Number config = core.expectNumber(args[0], "config");
  return setRegister(core, isa::Register::FixpipeQuant, config, args.range) ? core.none() : Value();
}

static Value setFixpipeNd(Core &core, const Arguments &args) {
  isa::Register registers[] = {isa::Register::FixpipeNdNum, isa::Register::FixpipeSrcNdStride,
                               isa::Register::FixpipeDstNdStride};
  for (unsigned i = 0; i < 3; ++i)
    if (!setRegister(core, registers[i], core.expectNumber(args[i], "a distance"), args.range))
      return {};
  return core.none();
}

// A scale with its offset and sign as the unit takes it: a float, 9 bits at bit 37, and bit 46.
static Number wordOf(Core &core, const Value &scale, const Number &offset, const Number &sign, const Range &range) {
  Numbers &n = core.numbers;
  mlir::Value scalar = offset && sign ? core.toScalar(scale, DType::F32, range) : mlir::Value();
  if (!scalar)
    return {};
  Number low = n.binary("&", n.bits(scalar, DType::F32, range), 0xffffffff, range);
  Number middle = n.binary("<<", n.binary("&", offset, 0x1ff, range), 37, range);
  Number high = n.binary("<<", n.binary("!=", sign, 0, range), 46, range);
  return n.binary("|", n.binary("|", low, middle, range), high, range);
}

// The arrays of a VdeqInfo.
struct VectorScale {
  llvm::SmallVector<Value> scales, offsets, signs;
};
static std::optional<VectorScale> vectorScale(Core &core, const Argument &info) {
  VectorScale result;
  auto items = [&](llvm::StringRef cpp, llvm::SmallVector<Value> &into) {
    Value field = memberOf(core, info.value, cpp, info.range);
    return field && core.values.toSequence(field, into, info.range, "a member of VdeqInfo");
  };
  if (!items("vdeqScale", result.scales) || !items("vdeqOffset", result.offsets) ||
      !items("vdeqSignMode", result.signs))
    return std::nullopt;
  if (result.scales.size() != 16 || result.offsets.size() != 16 || result.signs.size() != 16) {
    core.fail(info.range, "ValueError", "the members of VdeqInfo have 16 numbers each");
    return std::nullopt;
  }
  return result;
}

// A word for each place of a block, written into a tensor whose address the register holds.
static Value setVectorScale(Core &core, const Argument &vdeq, const Argument &info, const Range &range) {
  Value tensor = core.expectTensor(vdeq, "vdeq");
  if (!tensor)
    return {};
  if (!isStruct(core, info.value, "VdeqInfo"))
    return core.fail(info ? info.range : range, "TypeError", "set_deq_scale of a tensor takes a VdeqInfo, too");
  std::optional<VectorScale> given = vectorScale(core, info);
  if (!given)
    return {};
  Numbers &n = core.numbers;
  auto write = [&](Text &text) { text.statement(); };
  if (core.writes()) {
    mlir::Value variable = Text(core, range).declare("AscendC::VdeqInfo");
    for (size_t i = 0; i < 16; ++i) {
      auto assign = [&](llvm::StringRef member) {
        Text text(core, range);
        text.value(variable) << "." << member << "[" << llvm::Twine(i) << "] = ";
        return text;
      };
      Text scale = assign("vdeqScale"), offset = assign("vdeqOffset"), sign = assign("vdeqSignMode");
      scale.scalar(given->scales[i], DType::F32);
      Number number = n.of(given->offsets[i], "an offset", info.range);
      Number truth = number ? n.of(given->signs[i], "a sign", info.range) : Number();
      if (!truth || scale.failed)
        return {};
      offset.number(number, "int16_t");
      sign.number(truth, "bool");
      write(scale), write(offset), write(sign);
    }
    Text text(core, range);
    text << "AscendC::SetDeqScale(";
    text.variable(tensor) << ", ";
    text.value(variable) << ")";
    text.statement();
    return core.none();
  }
  for (size_t i = 0; i < 16; ++i) {
    Number word = wordOf(core, given->scales[i], n.of(given->offsets[i], "an offset", info.range),
                         n.of(given->signs[i], "a sign", info.range), info.range);
    if (!word)
      return {};
    mlir::Value at =
        core.bufferAt(n.add(core.address(tensor), int64_t(i) * 8, range), isa::Memory::UB, DType::U64, range);
    mlir::Value scalar = core.toScalar(n.toPython(word, DType::I64, range), DType::U64, range);
    if (!scalar)
      return {};
    core.issue("set_value", {at, scalar}, {}, range);
  }
  int64_t from = int64_t(isa::Pipe::S), to = int64_t(isa::Pipe::V);
  Number id = core.ask("event_fetch", {from, to}, range);
  core.issueNumbers("set_flag", {Number(from), Number(to), id}, range);
  core.issueNumbers("wait_flag", {Number(from), Number(to), id}, range);
  setRegister(core, isa::Register::DeqScale, core.address(tensor), range);
  return core.none();
}

// set_deq_scale(scale) of casts from int32 to half; (scale, offset, sign_mode) and (vdeq, vdeq_info) of cast_deq.
static Value setDeqScale(Core &core, const Arguments &args) {
  if (args[0] && isTensor(core.values.read(args[0].value)))
    return setVectorScale(core, args[0], args[1] ? args[1] : args[4], args.range);
  if (args[3])
    return setVectorScale(core, args[3], args[4], args.range);
  if (!args[0] || !core.values.isNumeric(args[0].value))
    return core.fail(args.range, "TypeError", "set_deq_scale takes a number, or a tensor and a VdeqInfo");
  Numbers &n = core.numbers;
  bool isWord = bool(args[1]) || bool(args[2]);
  Number offset = args[1] ? core.expectNumber(args[1], "offset") : Number(0);
  Number sign = offset && args[2] ? n.of(args[2].value, "sign_mode", args[2].range) : Number(0);
  if (!offset || !sign)
    return {};
  if (core.writes()) {
    Text text(core, args.range);
    text << "AscendC::SetDeqScale(";
    text.scalar(args[0].value, isWord ? DType::F32 : DType::F16);
    if (isWord) {
      text << ", ";
      text.number(offset, "int16_t") << ", ";
      text.number(sign, "bool");
    }
    text << ")";
    if (text.failed)
      return {};
    text.statement();
    return core.none();
  }
  Number word;
  if (isWord) {
    word = wordOf(core, args[0].value, offset, sign, args.range);
  } else if (mlir::Value scalar = core.scalars.convert(args[0].value, DType::F16, args[0].range)) {
    word = n.bits(scalar, DType::F16, args.range);
  }
  return setRegister(core, isa::Register::DeqScale, word, args.range) ? core.none() : Value();
}

// set_hf32_mode(mode), set_hf32_trans_mode(mode)
template <isa::Register which> static Value setHf32(Core &core, const Arguments &args) {
  Number mode = args[0] ? core.expectNumber(args[0], "the mode") : Number(0);
  if (!mode)
    return {};
  mode = core.numbers.binary("!=", mode, 0, args.range);
  if (core.writes()) {
    Text text(core, args.range);
    text << (which == isa::Register::Hf32 ? "AscendC::SetHF32Mode(" : "AscendC::SetHF32TransMode(");
    text.number(mode, "bool") << ")";
    text.statement();
    return core.none();
  }
  return setRegister(core, which, mode, args.range) ? core.none() : Value();
}

// set_pad_value(value): of the number's own type, where that is no type of Python's.
static Value setPadValue(Core &core, const Arguments &args) {
  Value value = core.values.read(args[0].value);
  if (!core.values.isNumeric(value))
    return core.fail(args[0].range, "TypeError", "the padding value is a number, not " + core.describe(value));
  DType dtype = value.isScalar() ? value.dtype : core.values.isInteger(value) ? DType::I32 : DType::F32;
  if (core.writes()) {
    std::optional<int64_t> position = args[1] ? core.expectKnown(args[1], "pos") : std::optional<int64_t>(PositionMax);
    if (!position)
      return {};
    Text text(core, args.range);
    text << "AscendC::SetPadValue<" << cppName(dtype) << ", " << positionName(*position) << ">(";
    text.scalar(value, dtype) << ")";
    if (text.failed)
      return {};
    text.statement();
    return core.none();
  }
  mlir::Value scalar = core.toScalar(value, dtype, args.range);
  if (!scalar)
    return {};
  return setRegister(core, isa::Register::PadValue, core.numbers.bits(scalar, dtype, args.range), args.range)
             ? core.none()
             : Value();
}

llvm::ArrayRef<Builtin::Row> registerBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc.basic.set_deq_scale", on<setDeqScale>,
       "scale=None, offset=None, sign_mode=None, vdeq=None, vdeq_info=None"},
      {"asc.basic.set_fix_pipe_pre_quant_flag", on<setFixpipeQuant>, "config"},
      {"asc.basic.set_fixpipe_nz2nd_flag", on<setFixpipeNd>, "nd_num, src_nd_stride, dst_nd_stride"},
      {"asc.basic.set_hf32_mode", on<setHf32<isa::Register::Hf32>>, "hf32_mode"},
      {"asc.basic.set_hf32_trans_mode", on<setHf32<isa::Register::Hf32Cut>>, "hf32_trans_mode=None"},
      {"asc.basic.set_pad_value", on<setPadValue>, "padding_value, pos=None"},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc
