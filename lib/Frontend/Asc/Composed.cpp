// Forms of functions of the table that are several instructions, and those the model does not have.
#include "Core.h"
#include "Records.h"
#include "Written.h"

#include "tilesmith/Isa/Chip.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::frontend::asc {

namespace {

bool isLocal(Core &core, const Argument &argument) { return core.values.read(argument.value).is(localTensor); }

// data_copy(dst, src, Nz2NdParamsFull)
Value copyRowsOut(Core &core, const CallSite &site, const Argument &dst, const Argument &src, const Value &params) {
  Value to = core.expectTensor(dst, "dst"), from = to ? core.expectTensor(src, "src") : Value();
  if (!from)
    return {};
  if (core.writes()) {
    Text text(core, site.range);
    text << "AscendC::DataCopy(";
    text.variable(to) << ", ";
    text.variable(from) << ", ";
    if (!writeRecord(core, text, params, "AscendC::Nz2NdParamsFull", DType::Void, site.range))
      return {};
    text << ")";
    text.statement();
    return core.none();
  }
  llvm::SmallVector<Number> numbers = {int64_t(partsOf(to).dtype), core.address(to), core.address(from)};
  for (llvm::StringRef name :
       {"ndNum", "nValue", "dValue", "srcNdMatrixStride", "srcNStride", "dstDStride", "dstNdMatrixStride"}) {
    Value member = memberOf(core, params, name, site.range);
    numbers.push_back(member ? core.numbers.of(member, name, site.range) : Number());
    if (!numbers.back())
      return {};
  }
  core.tell("copy_nz_to_nd", numbers, site.range);
  return core.none();
}

// Whole repeats of V: results of all repeats, and then of those.
bool reduceRepeats(Core &core, llvm::StringRef name, const Named &args, const Range &range) {
  llvm::StringRef whole = llvm::StringSwitch<llvm::StringRef>(name)
                              .Case("reduce_sum", "whole_reduce_sum")
                              .Case("reduce_max", "whole_reduce_max")
                              .Default("whole_reduce_min");
  auto call = [&](llvm::StringRef function, std::initializer_list<Argument> positional,
                  std::initializer_list<std::pair<llvm::StringRef, Argument>> keywords) {
    CallSite site{range, positional, keywords};
    std::optional<Value> result = callForms(core, function, site);
    return result && *result;
  };
  auto number = [&](int64_t value) { return Argument{core.number(value), range}; };
  Number repeats = core.numbers.of(args[4].value, "repeat_time", args[4].range);
  if (!repeats)
    return false;
  bool isSum = name == "reduce_sum";
  if (isSum ? !call(whole, {args[2], args[1], args[3], args[4], number(1), number(1), args[5]}, {})
            : !call(whole, {args[2], args[1], args[3], args[4], number(1), number(1), args[5]}, {{"order", number(2)}}))
    return false;
  core.issueNumbers("pipe_barrier", {Number(int64_t(isa::Pipe::V))}, range);
  return call(name, {args[0], args[2], args[2], args[4]}, {});
}

// reduce_sum(dst, src, tmp, mask, repeat_time, src_rep_stride), reduce_max(..., cal_index=False)
std::optional<Value> reduceMasked(Core &core, llvm::StringRef name, CallSite &site) {
  bool isSum = name == "reduce_sum";
  llvm::SmallVector<llvm::StringRef> names = {"dst",  "src",         "shared_tmp_buffer",
                                              "mask", "repeat_time", "src_rep_stride"};
  if (!isSum)
    names.push_back("cal_index");
  std::optional<Named> args = match(site, names, 6);
  if (!args || !isLocal(core, (*args)[0]) || !isLocal(core, (*args)[1]) || !isLocal(core, (*args)[2]))
    return std::nullopt;
  std::optional<int64_t> index = isSum ? 0 : core.expectKnown((*args)[6], "cal_index");
  if (!index)
    return Value();
  if (!*index)
    return reduceRepeats(core, name, *args, site.range) ? core.none() : Value();
  // With an index only repeats that lie one after another are one instruction.
  Number mask =
      core.values.isInteger((*args)[3].value) ? core.numbers.of((*args)[3].value, "mask", site.range) : Number();
  Number repeats = core.numbers.of((*args)[4].value, "repeat_time", site.range);
  Number stride = repeats ? core.numbers.of((*args)[5].value, "src_rep_stride", site.range) : Number();
  if (!stride)
    return Value();
  int64_t lanes = isa::repeatBytes / bytesOf(partsOf(core.values.read((*args)[1].value)).dtype);
  bool isWhole =
      mask && mask.known &&
      ((*mask.known >= lanes && stride.known && *stride.known == 8) || (repeats.known && *repeats.known == 1));
  if (!isWhole)
    return core.unsupported(("asc." + name + " with the index of masked repeats").str(), site.range) ? core.none()
                                                                                                     : Value();
  Number count = core.numbers.mul(std::min(*mask.known, lanes), repeats, site.range);
  CallSite counted{
      site.range,
      {(*args)[0], (*args)[1], (*args)[2], {core.numbers.toPython(count, DType::I64, site.range), site.range}},
      {{"cal_index", (*args)[6]}}};
  return callForms(core, name, counted);
}

// The same, as one call of Ascend C.
std::optional<Value> writeReduction(Core &core, llvm::StringRef name, CallSite &site) {
  std::optional<Named> args =
      match(site, {"dst", "src", "shared_tmp_buffer", "mask", "repeat_time", "src_rep_stride", "cal_index"}, 6);
  if (!args || !isLocal(core, (*args)[0]) || !isLocal(core, (*args)[1]) || !isLocal(core, (*args)[2]))
    return std::nullopt;
  if (!core.values.isInteger((*args)[3].value))
    return core.fail(site.range, "NotImplementedError",
                     "a reduction with a mask of bits cannot be written as Ascend C");
  Text text(core, site.range);
  text << "AscendC::" << (name == "reduce_sum" ? "ReduceSum" : name == "reduce_max" ? "ReduceMax" : "ReduceMin") << "(";
  for (unsigned i = 0; i < 3; ++i)
    text.variable((*args)[i].value) << ", ";
  for (unsigned i = 3; i < 6; ++i) {
    Number number = core.expectNumber((*args)[i], "a number");
    if (!number)
      return Value();
    text << (i > 3 ? ", " : "");
    text.number(number, "int32_t");
  }
  std::optional<int64_t> index = core.expectKnown((*args)[6], "cal_index");
  if (!index)
    return Value();
  text << (*index ? ", true)" : ")");
  text.statement();
  return core.none();
}

// A call of a form the chip has and the model does not: by a parameter struct that no instruction of the model takes.
std::optional<Value> missingForm(Core &core, llvm::StringRef name, const CallSite &site) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> structs[] = {
      {"data_copy", "SliceInfo"},
      {"load_data", "LoadData3DParamsV1"},
      {"load_data", "LoadData3DParamsV2Pro"},
      {"transpose", "TransposeParamsExt"},
      {"load_data_with_transpose", "LoadData2dTransposeParamsV2"},
      {"set_deq_scale", "VdeqInfo"}};
  llvm::SmallVector<Argument> all(site.positional.begin(), site.positional.end());
  for (const auto &[key, argument] : site.keywords)
    all.push_back(argument);
  auto has = [&](llvm::StringRef type) {
    return llvm::any_of(all, [&](const Argument &argument) {
      if (isStruct(core, argument.value, type))
        return true;
      return argument.value.isSequence() &&
             llvm::any_of(argument.value.items(), [&](const Value &item) { return isStruct(core, item, type); });
    });
  };
  bool bothLocal = all.size() >= 2 && isLocal(core, all[0]) && isLocal(core, all[1]);
  std::string what;
  for (const auto &[function, type] : structs)
    if (name == function && has(type))
      what = ("asc." + name + " with " + type).str();
  if (bothLocal && (name == "data_copy" || name == "data_copy_pad") && (has("Nd2NzParams") || name == "data_copy_pad"))
    what = ("asc." + name + " between local tensors with these parameters").str();
  if (name == "fixpipe" && all.size() >= 4 && isTensor(core.values.read(all[2].value)))
    what = "asc.fixpipe with a vector of scales";
  if ((name == "gather" || name == "scatter") && all.size() >= 6)
    what = ("asc." + name + " with a mask of bits").str();
  if (what.empty())
    return std::nullopt;
  return core.unsupported(what, site.range) ? core.none() : Value();
}

// Functions of the chip the model has nothing for.
bool isMissing(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases(
          {"bilinear_interpolation", "load_image_to_local", "load_data_with_sparse", "mmad_with_sparse", "mrg_sort4"},
          true)
      .Cases({"rp_sort16", "proposal_concat", "proposal_extract", "set_store_atomic_config", "cast_deq"}, true)
      .Default(false);
}

} // namespace

std::optional<Value> callComposed(Core &core, llvm::StringRef name, CallSite &site) {
  if (isMissing(name))
    return core.unsupported(("asc." + name).str(), site.range) ? core.none() : Value();
  if (name == "data_copy") {
    if (std::optional<Named> args = match(site, {"dst", "src", "intri_params"}, 3))
      if (isStruct(core, (*args)[2].value, "Nz2NdParamsFull"))
        return copyRowsOut(core, site, (*args)[0], (*args)[1], (*args)[2].value);
  }
  if (name == "reduce_sum" || name == "reduce_max" || name == "reduce_min")
    return core.writes() ? writeReduction(core, name, site) : reduceMasked(core, name, site);
  // Through the compare register, with the tensor of the bits before the sources.
  if (name == "select")
    if (std::optional<Named> args = match(site, {"dst", "sel_mask", "src0", "repeat_times", "repeat_params"}, 5))
      if (isLocal(core, (*args)[1]) && isLocal(core, (*args)[2]) &&
          isStruct(core, (*args)[4].value, "BinaryRepeatParams"))
        return core.unsupported("asc.select of one source by a tensor of bits", site.range) ? core.none() : Value();
  return std::nullopt;
}

std::optional<Value> callMissing(Core &core, llvm::StringRef name, CallSite &site) {
  return missingForm(core, name, site);
}

} // namespace tilesmith::frontend::asc
