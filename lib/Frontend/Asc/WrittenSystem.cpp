// What a block knows of itself, masks and registers, order between cores, prints, in a kernel that is written.
#include "Records.h"
#include "Written.h"

namespace tilesmith::frontend::asc {

namespace {

// A call without operands.
struct Plain {
  llvm::StringLiteral name, text;
  DType result; // Void: none
};
constexpr Plain plains[] = {
    {"asc.get_block_idx", "AscendC::GetBlockIdx()", DType::I32},
    {"asc.get_block_num", "AscendC::GetBlockNum()", DType::I32},
    {"asc.basic.get_sub_block_idx", "AscendC::GetSubBlockIdx()", DType::I64},
    {"asc.basic.get_sub_block_num", "AscendC::GetSubBlockNum()", DType::I64},
    {"asc.basic.get_task_ratio", "AscendC::GetTaskRatio()", DType::I64},
    {"asc.basic.get_system_cycle", "AscendC::GetSystemCycle()", DType::I64},
    {"asc.basic.ascend_is_aic", "(g_coreType == AscendC::AIC)", DType::I1},
    {"asc.basic.ascend_is_aiv", "(g_coreType == AscendC::AIV)", DType::I1},
    {"asc.basic.trap", "AscendC::Trap()", DType::Void},
    {"asc.basic.set_mask_count", "AscendC::SetMaskCount()", DType::Void},
    {"asc.basic.set_mask_norm", "AscendC::SetMaskNorm()", DType::Void},
    {"asc.basic.reset_mask", "AscendC::ResetMask()", DType::Void},
    {"asc.basic.init_soc_state", "AscendC::InitSocState()", DType::Void},
    {"asc.basic.get_gather_mask_remain_count", "AscendC::GetGatherMaskRemainCount()", DType::I64},
};

// A call of numbers, each of a C++ type.
struct Numeric {
  llvm::StringLiteral name, text;
  llvm::StringLiteral types[3];
};
constexpr Numeric numerics[] = {
    {"asc.basic.set_fix_pipe_pre_quant_flag", "AscendC::SetFixPipePreQuantFlag", {"uint64_t", "", ""}},
    {"asc.basic.set_fixpipe_nz2nd_flag", "AscendC::SetFixpipeNz2ndFlag", {"uint16_t", "uint16_t", "uint16_t"}},
};

// A call with a workspace in GM and one in UB, and numbers.
struct Waiting {
  llvm::StringLiteral name, text;
  unsigned numbers;
};
constexpr Waiting waitings[] = {
    {"asc.basic.ib_set", "AscendC::IBSet<", 2},
    {"asc.basic.ib_wait", "AscendC::IBWait<", 2},
    {"asc.basic.wait_pre_block", "AscendC::WaitPreBlock", 0},
    {"asc.basic.notify_next_block", "AscendC::NotifyNextBlock", 0},
    {"asc.basic.init_determine_compute_workspace", "AscendC::InitDetermineComputeWorkspace", 0},
};

} // namespace

static Value writePlain(Core &core, const Plain &plain, const Range &range) {
  Text text(core, range);
  text << plain.text;
  if (plain.result != DType::Void)
    return Value::ofScalar(text.result(core.l.ir.type(plain.result)), plain.result);
  text.statement();
  return core.none();
}

static Value writeNumeric(Core &core, const Numeric &call, const Arguments &args) {
  Text text(core, args.range);
  text << call.text << "(";
  for (unsigned i = 0; i < 3 && !call.types[i].empty(); ++i) {
    Number number = core.expectNumber(args[i], "a number");
    if (!number)
      return {};
    text << (i ? ", " : "");
    text.number(number, call.types[i]);
  }
  text << ")";
  text.statement();
  return core.none();
}

static bool writeWorkspaces(Core &core, Text &text, const Arguments &args) {
  Value gm = core.expectTensor(args[0], "gm_workspace"), ub = gm ? core.expectTensor(args[1], "ub_workspace") : Value();
  if (!ub)
    return false;
  text.variable(gm) << ", ";
  text.variable(ub);
  return true;
}

static Value writeWaiting(Core &core, const Waiting &call, const Arguments &args) {
  Text text(core, args.range);
  text << call.text;
  if (call.numbers) {
    std::optional<int64_t> onlyVector = core.expectKnown(args[4], "is_aiv_only", 1);
    if (!onlyVector)
      return {};
    text << (*onlyVector ? "true>" : "false>");
  }
  text << "(";
  if (!writeWorkspaces(core, text, args))
    return {};
  for (unsigned i = 0; i < call.numbers; ++i) {
    Number number = core.expectNumber(args[2 + i], "a number");
    if (!number)
      return {};
    text << ", ";
    text.number(number, "int32_t");
  }
  text << ")";
  text.statement();
  return core.none();
}

static Value writeSyncAll(Core &core, const Arguments &args) {
  bool byWorkspace = args[0] && isTensor(core.values.read(args[0].value));
  std::optional<int64_t> onlyVector = core.expectKnown(byWorkspace || args[3] ? args[3] : args[0], "is_aiv_only", 1);
  Number cores = byWorkspace && onlyVector ? core.expectNumber(args[2], "used_cores") : Number(0);
  if (!onlyVector || !cores)
    return {};
  Text text(core, args.range);
  text << "AscendC::SyncAll<" << (*onlyVector ? "true" : "false") << ">(";
  if (byWorkspace) {
    if (!writeWorkspaces(core, text, args))
      return {};
    text << ", ";
    text.number(cores, "int32_t");
  }
  text << ")";
  text.statement();
  return core.none();
}

static Value writeCrossFlag(Core &core, const Arguments &args, bool sets) {
  Number id = core.expectNumber(args[0], "flag_id");
  std::optional<int64_t> mode = id ? core.expectKnown(args[1], "mode_id") : std::nullopt;
  std::optional<int64_t> pipe = mode ? core.expectKnown(args[2], "pipe") : std::nullopt;
  if (!pipe)
    return {};
  Text text(core, args.range);
  text << "AscendC::CrossCore" << (sets ? "Set" : "Wait") << "Flag<" << llvm::Twine(*mode) << ", "
       << enumeratorName("pipe_t", *pipe) << ">(";
  text.number(id, "uint16_t") << ")";
  text.statement();
  return core.none();
}

// set_vector_mask(length), set_vector_mask(mask_high, mask_low), with the parameters of the builtin.
static Value writeVectorMask(Core &core, const Arguments &args) {
  llvm::SmallVector<Argument, 2> numbers;
  for (unsigned i : {0, 1})
    if (args[i] && core.values.isInteger(args[i].value))
      numbers.push_back(args[i]);
  for (unsigned i : {2, 3})
    if (args[i])
      numbers.push_back(args[i]);
  DType dtype = DType::F16;
  for (unsigned i : {1, 2, 4})
    if (args[i] && args[i].value.isHost())
      if (std::optional<DType> given = core.host.asDType(args[i].value.host))
        dtype = *given;
  std::optional<int64_t> counts = core.expectKnown(args[5], "mode");
  if (!counts)
    return {};
  Text text(core, args.range);
  text << "AscendC::SetVectorMask<" << cppName(dtype) << ", AscendC::MaskMode::" << (*counts ? "COUNTER" : "NORMAL")
       << ">(";
  for (auto [i, argument] : llvm::enumerate(numbers)) {
    Number number = core.expectNumber(argument, "a mask");
    if (!number)
      return {};
    text << (i ? ", " : "");
    text.number(number, numbers.size() == 1 ? "int32_t" : "uint64_t");
  }
  text << ")";
  text.statement();
  return core.none();
}

static std::string quoted(llvm::StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c == '\n' ? std::string("\\n") : c == '$' ? std::string("\\044") : std::string(1, c);
  }
  return result + "\"";
}

static Value writePrint(Core &core, const Arguments &args) {
  HostRef object = core.values.toHost(args[0].value);
  std::optional<std::string> format = object ? core.host.asString(object) : std::nullopt;
  if (!format)
    return core.fail(args[0].range, "TypeError", "the first argument of printf is its format, a string");
  Text text(core, args.range);
  text << "AscendC::printf(" << quoted(*format);
  for (const Argument &argument : args.rest) {
    Value value = core.values.read(argument.value);
    text << ", ";
    if (HostRef known = core.values.toHost(value)) {
      if (std::optional<std::string> string = core.host.asString(known)) {
        text << quoted(*string);
        continue;
      }
      HostRef shown = core.host.format(known, 0, "");
      text << (shown ? core.host.asString(shown).value_or("0") : "0");
      continue;
    }
    if (!value.isScalar())
      return core.fail(argument.range, "TypeError", "printf prints numbers and strings, not " + core.describe(value));
    text.value(value.ir);
  }
  text << ")";
  text.statement();
  return core.none();
}

static Value writeDump(Core &core, const Arguments &args) {
  Value tensor = core.expectTensor(args[0], "tensor");
  Number desc = tensor ? core.expectNumber(args[1], "desc") : Number();
  Number size = desc ? core.expectNumber(args[2], "dump_size") : Number();
  if (!size)
    return {};
  Text text(core, args.range);
  text << "AscendC::DumpTensor(";
  text.variable(tensor) << ", ";
  text.number(desc, "uint32_t") << ", ";
  text.number(size, "uint32_t") << ")";
  text.statement();
  return core.none();
}

// inline(code, args): `$0` is the first of them, as it is in the text of a piece.
static Value writeInline(Core &core, const Arguments &args) {
  HostRef object = core.values.toHost(args[0].value);
  std::optional<std::string> code = object ? core.host.asString(object) : std::nullopt;
  std::optional<int64_t> before = code ? core.expectKnown(args[2], "before_function") : std::nullopt;
  if (!before)
    return code ? Value() : core.fail(args[0].range, "TypeError", "the code of asc.inline is a string");
  if (*before)
    return core.fail(args[2].range, "NotImplementedError", "code before the kernel cannot be written yet");
  llvm::SmallVector<Value> operands;
  if (args[1] && !core.values.toSequence(args[1].value, operands, args[1].range, "args"))
    return {};
  Text text(core, args.range);
  llvm::StringRef rest = *code;
  while (!rest.empty()) {
    auto [plain, behind] = rest.split('$');
    text << plain;
    if (plain.size() == rest.size())
      break;
    unsigned number = 0;
    rest = behind;
    if (rest.consumeInteger(10, number) || number >= operands.size())
      return core.fail(args[0].range, "ValueError", "the code of asc.inline names an operand that is not given");
    Value operand = core.values.read(operands[number]);
    if (isTensor(operand)) {
      text.variable(operand);
    } else {
      Number value = core.numbers.of(operand, "an operand of asc.inline", args[1].range);
      if (!value)
        return {};
      text.number(value);
    }
  }
  text.statement();
  return core.none();
}

std::optional<Value> writeOfSystem(Core &core, const Arguments &args) {
  for (const Plain &plain : plains)
    if (plain.name == args.name)
      return writePlain(core, plain, args.range);
  for (const Numeric &call : numerics)
    if (call.name == args.name)
      return writeNumeric(core, call, args);
  for (const Waiting &call : waitings)
    if (call.name == args.name)
      return writeWaiting(core, call, args);
  if (args.name == "asc.basic.sync_all")
    return writeSyncAll(core, args);
  if (args.name == "asc.basic.cross_core_set_flag" || args.name == "asc.basic.cross_core_wait_flag")
    return writeCrossFlag(core, args, args.name == "asc.basic.cross_core_set_flag");
  if (args.name == "asc.basic.set_vector_mask")
    return writeVectorMask(core, args);
  if (args.name == "asc.basic.get_sys_workspace" && (!core.workspace || core.workspace.dtype != DType::U8))
    return core.fail(args.range, "NotImplementedError", "the system's workspace cannot be written as Ascend C",
                     "name the array of uint8 it is: asc.set_sys_workspace(array)");
  if (args.name == "asc.basic.get_sys_workspace")
    return core.workspace;
  if (args.name == "asc.basic.printf")
    return writePrint(core, args);
  if (args.name == "asc.basic.dump_tensor")
    return writeDump(core, args);
  if (args.name == "asc.inline")
    return writeInline(core, args);
  return std::nullopt;
}

} // namespace tilesmith::frontend::asc
