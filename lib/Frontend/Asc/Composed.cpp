// Forms of functions of the table that are several instructions, and those the model does not have.
#include "Forms.h"
#include "Records.h"
#include "Written.h"
#include "tilesmith/Machine/Library.h"

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

// library_rows with a form (TsLibraryForm).
struct FormCall {
  TsLibraryForm form;
  Value dst, src, offsets;
  Number base = 0, bytes = 0, low = 0, high = 0, work = 0, rows = {}, columns = {}, length = {}, flags = 0;
};
Value tellForm(Core &core, const FormCall &call, const Range &range) {
  int64_t dtype = int64_t(partsOf(call.src).dtype);
  Number offsets = call.offsets ? core.address(call.offsets) : Number(0);
  core.tell("library_rows",
            {int64_t(call.form), dtype, dtype, core.address(call.dst), 0, 0, core.address(call.src), offsets, call.base,
             call.bytes, 0, call.low, call.high, call.work, 0, call.rows, call.columns, call.length, call.flags},
            range);
  return core.none();
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
  auto tensor = [&](unsigned i) { return core.values.read((*args)[i].value); };
  if (core.writes()) {
    Text text(core, site.range);
    text << "AscendC::" << (isSum ? "ReduceSum" : name == "reduce_max" ? "ReduceMax" : "ReduceMin") << "(";
    for (unsigned i = 0; i < 3; ++i)
      text.variable(tensor(i)) << ", ";
    if (!writeMask(core, text, (*args)[3], site.range))
      return Value();
    for (unsigned i : {4, 5}) {
      Number number = core.expectNumber((*args)[i], "a number");
      if (!number)
        return Value();
      text << ", ";
      text.number(number, "int32_t");
    }
    text << (*index ? ", true)" : ")");
    text.statement();
    return core.none();
  }
  FormCall call{isSum                  ? TS_FORM_ReduceSum
                : name == "reduce_max" ? TS_FORM_ReduceMax
                                       : TS_FORM_ReduceMin,
                tensor(0),
                tensor(1),
                {}};
  call.work = core.address(tensor(2));
  call.rows = core.expectNumber((*args)[4], "repeat_time");
  call.columns = call.rows ? core.expectNumber((*args)[5], "src_rep_stride") : Number();
  call.length = call.columns ? maskOperand(core, (*args)[3], bytesOf(partsOf(call.src).dtype), site.range) : Number();
  call.flags = *index;
  return call.length ? tellForm(core, call, site.range) : Value();
}

// transpose(dst, src, shared_tmp_buffer, params): matrices of channels and pixels, turned.
std::optional<Value> transposeMatrices(Core &core, CallSite &site) {
  std::optional<Named> args = match(site, {"dst", "src", "shared_tmp_buffer", "params"}, 4);
  if (!args || !isLocal(core, (*args)[0]) || !isLocal(core, (*args)[1]) ||
      !isStruct(core, (*args)[3].value, "TransposeParamsExt"))
    return std::nullopt;
  constexpr int64_t square = 10, toPixels = 11, toChannels = 12; // of TransposeType
  const Value params = core.values.read((*args)[3].value);
  auto member = [&](llvm::StringRef name) {
    Value value = memberOf(core, params, name, (*args)[3].range);
    return value ? core.numbers.of(value, name, (*args)[3].range) : Number();
  };
  Number kind = member("transposeType");
  if (!kind)
    return Value();
  if (!kind.known)
    return core.fail((*args)[3].range, "ValueError", "the transpose_type of a transpose must be known while compiling");
  if (*kind.known != square && *kind.known != toPixels && *kind.known != toChannels)
    return core.unsupported("asc.transpose with this transpose_type", site.range) ? core.none() : Value();
  Value dst = core.values.read((*args)[0].value), src = core.values.read((*args)[1].value);
  if (core.writes()) {
    Text text(core, site.range);
    text << "AscendC::Transpose(";
    text.variable(dst) << ", ";
    text.variable(src) << ", ";
    text.variable((*args)[2].value) << ", ";
    if (!writeRecord(core, text, params, "AscendC::TransposeParamsExt", DType::Void, site.range))
      return Value();
    text << ")";
    text.statement();
    return core.none();
  }
  if (*kind.known == square) {
    CallSite plain{site.range, {(*args)[0], (*args)[1]}, {}};
    return callForms(core, "transpose", plain);
  }
  FormCall call{TS_FORM_Transpose, dst, src, {}};
  Number channels = member("cSize"), height = member("hSize"), width = member("wSize");
  call.length = member("nSize");
  if (!channels || !height || !width || !call.length)
    return Value();
  Number pixels = core.numbers.mul(height, width, site.range);
  call.rows = *kind.known == toPixels ? channels : pixels;
  call.columns = *kind.known == toPixels ? pixels : channels;
  return tellForm(core, call, site.range);
}

// gather(dst, src, src_offset, src_base, mask, repeat_times, dst_rep_stride) with a mask of bits
std::optional<Value> gatherBits(Core &core, CallSite &site) {
  std::optional<Named> args =
      match(site, {"dst", "src", "src_offset", "src_base", "mask", "repeat_times", "dst_rep_stride"}, 7);
  if (!args || !isLocal(core, (*args)[0]) || !isLocal(core, (*args)[1]) || !isLocal(core, (*args)[2]) ||
      core.values.isInteger((*args)[4].value))
    return std::nullopt;
  auto tensor = [&](unsigned i) { return core.values.read((*args)[i].value); };
  Number base = core.expectNumber((*args)[3], "src_base");
  Number repeats = base ? core.expectNumber((*args)[5], "repeat_times") : Number();
  Number stride = repeats ? core.expectNumber((*args)[6], "dst_rep_stride") : Number();
  if (!stride)
    return Value();
  if (core.writes()) {
    Text text(core, site.range);
    text << "AscendC::Gather(";
    for (unsigned i = 0; i < 3; ++i)
      text.variable(tensor(i)) << ", ";
    text.number(base, "uint32_t") << ", ";
    if (!writeMask(core, text, (*args)[4], site.range))
      return Value();
    text << ", ";
    text.number(repeats, "uint8_t") << ", ";
    text.number(stride, "uint16_t") << ")";
    text.statement();
    return core.none();
  }
  std::optional<std::pair<Number, Number>> words = maskWords(core, (*args)[4]);
  if (!words)
    return Value();
  FormCall call{TS_FORM_GatherBits, tensor(0), tensor(1), tensor(2)};
  call.base = base;
  call.bytes = core.numbers.mul(core.size(call.src), bytesOf(partsOf(call.src).dtype), site.range);
  call.low = words->first;
  call.high = words->second;
  call.rows = repeats;
  call.columns = stride;
  call.length = 0;
  return tellForm(core, call, site.range);
}

// A call of a form the chip has and the model does not: by a parameter struct that no instruction of the model takes.
std::optional<Value> missingForm(Core &core, llvm::StringRef name, const CallSite &site) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> structs[] = {
      {"data_copy", "SliceInfo"},
      {"load_data", "LoadData3DParamsV1"},
      {"load_data", "LoadData3DParamsV2Pro"},
      {"load_data_with_transpose", "LoadData2dTransposeParamsV2"}};
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
      .Cases({"rp_sort16", "proposal_concat", "proposal_extract", "set_store_atomic_config"}, true)
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
    return reduceMasked(core, name, site);
  if (name == "transpose")
    return transposeMatrices(core, site);
  if (name == "gather")
    return gatherBits(core, site);
  return std::nullopt;
}

std::optional<Value> callMissing(Core &core, llvm::StringRef name, CallSite &site) {
  return missingForm(core, name, site);
}

} // namespace tilesmith::frontend::asc
