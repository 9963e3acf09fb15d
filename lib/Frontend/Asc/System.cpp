// What a block knows of itself, masks, and numbers of scalars.
#include "Core.h"
#include "Records.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Entries.h"

namespace tilesmith::frontend::asc {

template <bool isNumber> static Value block(Core &core, const Arguments &args) {
  mlir::Value wide = core.issue(isNumber ? "block_num" : "block_idx", {}, {}, args.range, core.builder().getI64Type());
  return core.numbers.toPython(Number(wide), DType::I32, args.range);
}

// A service without arguments, as a number of a type.
template <const llvm::StringLiteral &service, DType dtype> static Value asked(Core &core, const Arguments &args) {
  return core.numbers.toPython(core.ask(service, {}, args.range), dtype, args.range);
}
static constexpr llvm::StringLiteral subBlockIdx = "sub_block_idx", subBlockNum = "sub_block_num",
                                     systemCycle = "system_cycle";

template <int64_t kind> static Value runsOn(Core &core, const Arguments &args) {
  Number kinds = core.numbers.binary("&", core.ask("core_kinds", {}, args.range), kind, args.range);
  return core.numbers.toPython(core.numbers.binary("!=", kinds, 0, args.range), DType::I1, args.range);
}

template <int64_t number> static Value constant(Core &core, const Arguments &) { return core.number(number); }
static Value nothing(Core &core, const Arguments &) { return core.none(); }

static Value trap(Core &core, const Arguments &args) {
  core.failAtRun(TS_FINDING_KernelTrap, "the kernel called trap", args.range);
  return core.none();
}

// What the chip has and the model has no second way for.
static Value notModelled(Core &core, const Arguments &args) {
  llvm::StringRef name = args.name;
  name.consume_front("asc.basic.");
  return core.unsupported(name, args.range) ? core.none() : Value();
}

// get_store_atomic_config() -> element type and operation of the atomic stores
static Value atomicConfig(Core &core, const Arguments &args) {
  if (!core.unsupported("get_store_atomic_config", args.range))
    return {};
  return Value::ofSequence({core.number(0), core.number(0)}, false, core.l.ir.region());
}

// inline(code): C++ of the chip's compiler, which only it can run.
static Value inlineCode(Core &core, const Arguments &args) {
  return core.unsupported("asc.inline: C++ for the chip's compiler", args.range) ? core.none() : Value();
}

// Masks

template <bool counts> static Value maskMode(Core &core, const Arguments &args) {
  core.tell("mask_mode", {int64_t(counts)}, args.range);
  return core.none();
}

static Value resetMask(Core &core, const Arguments &args) {
  core.tell("mask_lanes", {-1, -1}, args.range);
  return core.none();
}

// set_vector_mask(length), set_vector_mask(mask_high, mask_low)
static Value setVectorMask(Core &core, const Arguments &args) {
  llvm::SmallVector<Argument> numbers;
  Argument mode = args[5], high = args[2], low = args[3], length = args[0];
  for (unsigned i = 0; i < 2; ++i) // positional: one number is a length, two are words
    if (args[i] && !core.values.isNone(args[i].value) && core.values.isInteger(args[i].value))
      numbers.push_back(args[i]);
  if (numbers.size() == 2) {
    high = numbers[0];
    low = numbers[1];
    length = {};
  }
  std::optional<int64_t> counts = core.expectKnown(mode, "mode");
  if (!counts)
    return {};
  core.tell("mask_mode", {*counts}, args.range);
  if (length) {
    Number lanes = core.expectNumber(length, "length");
    if (!lanes)
      return {};
    core.tell("mask_first", {lanes}, args.range);
    return core.none();
  }
  Number highWord = core.expectNumber(high, "mask_high"),
         lowWord = highWord ? core.expectNumber(low, "mask_low") : Number();
  if (!lowWord)
    return {};
  core.tell("mask_lanes", {lowWord, highWord}, args.range);
  return core.none();
}

// Scalars

// Bits that are set, or clear: added up by halves.
static Number countBits(Core &core, Number x, const Range &range) {
  Numbers &n = core.numbers;
  auto logical = [&](const Number &a, int64_t bits, int64_t mask) {
    return n.binary("&", n.binary(">>", a, bits, range), mask, range);
  };
  x = n.add(n.binary("&", x, 0x5555555555555555, range), logical(x, 1, 0x5555555555555555), range);
  x = n.add(n.binary("&", x, 0x3333333333333333, range), logical(x, 2, 0x3333333333333333), range);
  x = n.add(n.binary("&", x, 0x0f0f0f0f0f0f0f0f, range), logical(x, 4, 0x0f0f0f0f0f0f0f0f), range);
  x = n.add(n.binary("&", x, 0x00ff00ff00ff00ff, range), logical(x, 8, 0x00ff00ff00ff00ff), range);
  x = n.add(n.binary("&", x, 0x0000ffff0000ffff, range), logical(x, 16, 0x0000ffff0000ffff), range);
  return n.add(n.binary("&", x, 0xffffffff, range), logical(x, 32, 0xffffffff), range);
}

static Value countOfValue(Core &core, const Arguments &args) {
  Number value = core.expectNumber(args[0], "value_in");
  std::optional<int64_t> bit = value ? core.expectKnown(args[1], "count_value", 1) : std::nullopt;
  if (!bit)
    return {};
  if (!*bit)
    value = core.numbers.unary("~", value, args.range);
  return core.numbers.toPython(countBits(core, value, args.range), DType::I64, args.range);
}

// The first bit of a value that is set, or clear; -1: none. Below it are as many ones as it has places: x & -x less 1.
static Value firstBit(Core &core, const Arguments &args) {
  Number value = core.expectNumber(args[0], "value_in");
  std::optional<int64_t> bit = value ? core.expectKnown(args[1], "count_value", 1) : std::nullopt;
  if (!bit)
    return {};
  Numbers &n = core.numbers;
  if (!*bit)
    value = n.unary("~", value, args.range);
  Number below = n.sub(n.binary("&", value, n.unary("-", value, args.range), args.range), 1, args.range);
  Number place = n.choose(value, countBits(core, below, args.range), -1, args.range);
  return n.toPython(place, DType::I64, args.range);
}

// Zeros above the highest bit: the bit is spread to all below it, and those are counted.
static Number leadingZeros(Core &core, Number x, const Range &range) {
  Numbers &n = core.numbers;
  for (int64_t step : {1, 2, 4, 8, 16, 32}) {
    int64_t mask = int64_t(~uint64_t(0) >> step);
    x = n.binary("|", x, n.binary("&", n.binary(">>", x, step, range), mask, range), range);
  }
  return n.sub(64, countBits(core, x, range), range);
}

static Value countLeadingZero(Core &core, const Arguments &args) {
  Number value = core.expectNumber(args[0], "value_in");
  return value ? core.numbers.toPython(leadingZeros(core, value, args.range), DType::I64, args.range) : Value();
}

static Value countSameAsSign(Core &core, const Arguments &args) {
  Number value = core.expectNumber(args[0], "value_in");
  if (!value)
    return {};
  Numbers &n = core.numbers;
  Number other = n.binary("^", value, n.binary(">>", value, 63, args.range), args.range);
  return n.toPython(n.sub(leadingZeros(core, other, args.range), 1, args.range), DType::I64, args.range);
}

// A float by a rounding, as another type.
static Value scalarCast(Core &core, const Arguments &args) {
  std::optional<DType> dtype = core.l.expect.dtype(args[1], "dtype");
  std::optional<int64_t> mode = dtype ? core.expectKnown(args[2], "round_mode") : std::nullopt;
  mlir::Value value = mode ? core.scalars.convert(args[0].value, DType::F32, args[0].range) : mlir::Value();
  if (!value)
    return {};
  if (isFloat(*dtype))
    return Value::ofScalar(core.scalars.cast(value, DType::F32, *dtype, args.range), *dtype);
  mlir::OpBuilder &b = core.builder();
  mlir::Location at = core.loc(args.range);
  auto real = [&](double number) {
    return mlir::arith::ConstantOp::create(b, at, b.getF32FloatAttr(float(number))).getResult();
  };
  auto less = [&](mlir::Value x, mlir::Value y) {
    return mlir::arith::CmpFOp::create(b, at, mlir::arith::CmpFPredicate::OLT, x, y).getResult();
  };
  // The whole part towards zero, then one step where the rounding wants it.
  mlir::Type wide = b.getI64Type();
  mlir::Value whole = mlir::arith::FPToSIOp::create(b, at, wide, value);
  mlir::Value cut = mlir::arith::SIToFPOp::create(b, at, b.getF32Type(), whole);
  mlir::Value rest = mlir::arith::SubFOp::create(b, at, value, cut);
  Number up, down;
  Numbers &n = core.numbers;
  auto truth = [&](mlir::Value bit) { return Number(mlir::Value(mlir::arith::ExtUIOp::create(b, at, wide, bit))); };
  Number isAbove = truth(less(real(0), rest)), isBelow = truth(less(rest, real(0)));
  Number pastHalf = truth(less(real(0.5), rest)), pastMinusHalf = truth(less(rest, real(-0.5)));
  auto equals = [&](double half) {
    return truth(mlir::arith::CmpFOp::create(b, at, mlir::arith::CmpFPredicate::OEQ, rest, real(half)));
  };
  Number odd = n.binary("&", Number(whole), 1, args.range);
  switch (*mode) {
  case 2:
    up = 0, down = isBelow;
    break;
  case 3:
    up = isAbove, down = 0;
    break;
  case 4:
    up = n.binary("||", pastHalf, equals(0.5), args.range);
    down = n.binary("||", pastMinusHalf, equals(-0.5), args.range);
    break;
  case 5:
    up = 0, down = 0;
    break;
  default:
    up = n.binary("||", pastHalf, n.binary("&&", equals(0.5), odd, args.range), args.range);
    down = n.binary("||", pastMinusHalf, n.binary("&&", equals(-0.5), odd, args.range), args.range);
  }
  Number result = n.sub(n.add(Number(whole), up, args.range), down, args.range);
  return Value::ofScalar(core.scalars.cast(n.value(result, args.range), DType::I64, *dtype, args.range), *dtype);
}

// property(TOTAL_L1_SIZE): a number of the platform.
static Value property(Core &core, const Arguments &args) {
  std::optional<int64_t> which = core.expectKnown(args[0], "a property");
  static constexpr int64_t numbers[] = {32, 32, 512 * 1024, 128 * 1024};
  if (!which)
    return {};
  if (*which < 0 || *which > 3)
    return core.fail(args[0].range, "ValueError", "there is no property " + llvm::Twine(*which));
  return core.number(numbers[*which]);
}

static Value shapeSize(Core &core, const Arguments &args) {
  if (!isStruct(core, args[0].value, "ShapeInfo"))
    return core.fail(args[0].range, "TypeError",
                     "get_shape_size takes a ShapeInfo, not " + core.describe(args[0].value));
  Value shape = memberOf(core, args[0].value, "shape", args[0].range);
  llvm::SmallVector<Value> dims;
  if (!shape || (!core.values.isNumeric(shape) && !core.values.toSequence(shape, dims, args[0].range, "the shape")))
    return {};
  Number size = 1;
  for (const Value &dim : dims) {
    Number number = core.numbers.of(dim, "a dimension", args[0].range);
    if (!number)
      return {};
    size = core.numbers.mul(size, number, args.range);
  }
  return core.numbers.toPython(size, DType::I32, args.range);
}

template <const llvm::StringLiteral &member> static Value shapeItem(Core &core, const Arguments &args) {
  Value shape = memberOf(core, args[0].value, member, args[0].range);
  llvm::SmallVector<Value> dims;
  Number index = shape ? core.expectNumber(args[1], "the number of a dimension") : Number();
  if (!index || !core.values.toSequence(shape, dims, args[0].range, "the shape"))
    return {};
  if (index.known) {
    if (*index.known < 0 || *index.known >= int64_t(dims.size()))
      return core.fail(args[1].range, "IndexError", "the shape has " + llvm::Twine(dims.size()) + " dimensions");
    return dims[*index.known];
  }
  Number size = 0;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Number here = core.numbers.binary("==", index, int64_t(i), args.range);
    Number number = core.numbers.of(dim, "a dimension", args[0].range);
    if (!number)
      return {};
    size = core.numbers.choose(here, number, size, args.range);
  }
  return core.numbers.toPython(size, DType::U32, args.range);
}
static constexpr llvm::StringLiteral shapeName = "shape", originalName = "originalShape";

// The workspace of the system: an array the kernel named, or none.
static Value setSysWorkspace(Core &core, const Arguments &args) {
  if (!args[0].value.is(kinds::address))
    return core.fail(args[0].range, "TypeError",
                     "set_sys_workspace takes an array, not " + core.describe(args[0].value));
  core.workspace = args[0].value;
  return core.none();
}

static Value getSysWorkspace(Core &core, const Arguments &args) {
  Number address = core.workspace ? core.addressOf(core.workspace, args.range) : Number(0);
  return Value::ofAddress(core.bufferAt(address, isa::Memory::GM, DType::U8, args.range), DType::U8);
}

llvm::ArrayRef<Builtin::Row> systemBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc.get_block_idx", on<block<false>>, ""},
      {"asc.get_block_num", on<block<true>>, ""},
      {"asc.basic.get_sub_block_idx", on<asked<subBlockIdx, DType::I64>>, "*none"},
      {"asc.basic.get_sub_block_num", on<asked<subBlockNum, DType::I64>>, "*none"},
      {"asc.basic.get_task_ratio", on<asked<subBlockNum, DType::I64>>, "*none"},
      {"asc.basic.get_system_cycle", on<asked<systemCycle, DType::I64>>, "*none"},
      {"asc.basic.get_data_block_size_in_bytes", on<constant<isa::blockBytes>>, "*none"},
      {"asc.basic.get_program_counter", on<constant<0>>, "*none"},
      {"asc.basic.get_icache_preload_status", on<constant<0>>, "*none"},
      {"asc.basic.get_arch_version", on<constant<220>>, "core_version=None"},
      {"asc.basic.ascend_is_aic", on<runsOn<1>>, "*none"},
      {"asc.basic.ascend_is_aiv", on<runsOn<2>>, "*none"},
      {"asc.basic.trap", on<trap>, "*none"},
      {"asc.basic.set_mask_count", on<maskMode<true>>, "*none"},
      {"asc.basic.set_mask_norm", on<maskMode<false>>, "*none"},
      {"asc.basic.reset_mask", on<resetMask>, "*none"},
      {"asc.basic.set_vector_mask", on<setVectorMask>,
       "length=None, second=None, mask_high=None, mask_low=None, dtype=None, mode=None"},
      {"asc.basic.set_mm_layout_transform", on<nothing>, "mm_layout_mode=None"},
      {"asc.basic.init_soc_state", on<nothing>, "*none"},
      {"asc.basic.data_cache_clean_and_invalid", on<nothing>, "entire_type, dcci_dst=None, dst=None"},
      {"asc.basic.data_cache_preload", on<nothing>, "src, cache_offset"},
      {"asc.basic.icache_preload", on<nothing>, "pre_fetch_len"},
      {"asc.basic.metrics_prof_start", on<nothing>, "*none"},
      {"asc.basic.metrics_prof_stop", on<nothing>, "*none"},
      {"asc.basic.print_time_stamp", on<nothing>, "desc_id"},
      {"asc.basic.scalar_get_count_of_value", on<countOfValue>, "value_in, count_value=None"},
      {"asc.basic.scalar_get_sff_value", on<firstBit>, "value_in, count_value=None"},
      {"asc.basic.scalar_count_leading_zero", on<countLeadingZero>, "value_in"},
      {"asc.basic.count_bits_cnt_same_as_sign_bit", on<countSameAsSign>, "value_in"},
      {"asc.basic.scalar_cast", on<scalarCast>, "value_in, dtype, round_mode"},
      {"asc.basic.property", on<property>, "prop"},
      {"asc.basic.get_shape_size", on<shapeSize>, "shape_info"},
      {"asc.ShapeInfo.shape", on<shapeItem<shapeName>>, "info, dim"},
      {"asc.ShapeInfo.original_shape", on<shapeItem<originalName>>, "info, dim"},
      {"asc.basic.set_sys_workspace", on<setSysWorkspace>, "workspace"},
      {"asc.basic.get_sys_workspace", on<getSysWorkspace>, "*none"},
      {"asc.basic.set_aipp_functions", on<notModelled>, "src0, src1=None, input_format=None, config=None"},
      {"asc.basic.check_local_memory_ia", on<notModelled>, "check_params"},
      {"asc.basic.get_hccl_context", on<constant<0>>, "index"},
      {"asc.basic.set_hccl_context", on<nothing>, "index, context"},
      {"asc.basic.dump_acc_chk_point", on<nothing>, "tensor, index, count_off, dump_size"},
      {"asc.basic.set_load_data_boundary", on<notModelled>, "boundary_value"},
      {"asc.basic.set_load_data_padding_value", on<notModelled>, "pad_value"},
      {"asc.basic.set_load_data_repeat", on<notModelled>, "repeat_params"},
      {"asc.basic.get_store_atomic_config", on<atomicConfig>, "*none"},
      {"asc.inline", on<inlineCode>, "code, args=None, before_function=False"},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc
