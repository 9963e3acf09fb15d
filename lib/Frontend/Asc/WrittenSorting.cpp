// Sorting, compaction and transposition in a kernel that is written.
#include "Records.h"
#include "Written.h"

namespace tilesmith::frontend::asc {

// Tensors, one after another.
static bool writeTensors(Core &core, Text &text, const Arguments &args, unsigned first, unsigned count) {
  for (unsigned i = first; i < first + count; ++i) {
    Value tensor = core.expectTensor(args[i], "an operand");
    if (!tensor)
      return false;
    text << (i > first ? ", " : "");
    text.variable(tensor);
  }
  return true;
}

static Value sort(Core &core, const Arguments &args) {
  Value dst = core.expectTensor(args[0], "dst");
  std::optional<int64_t> full = dst ? core.expectKnown(args[5], "is_full_sort") : std::nullopt;
  Number repeat = full ? core.expectNumber(args[4], "repeat_time") : Number();
  Text text(core, args.range);
  if (!repeat)
    return {};
  text << "AscendC::Sort<" << cppName(partsOf(dst).dtype) << ", " << (*full ? "true" : "false") << ">(";
  if (!writeTensors(core, text, args, 0, 4))
    return {};
  text << ", ";
  text.number(repeat, "int32_t") << ")";
  text.statement();
  return core.none();
}

// concat(dst, src, tmp, repeat_time), extract(dst_value, dst_index, src, repeat_time)
static Value threeTensors(Core &core, const Arguments &args, llvm::StringRef call) {
  Number repeat = core.expectNumber(args[3], "repeat_time");
  Text text(core, args.range);
  text << call << "(";
  if (!repeat || !writeTensors(core, text, args, 0, 3))
    return {};
  text << ", ";
  text.number(repeat, "int32_t") << ")";
  text.statement();
  return core.none();
}

// The counts are elements of an array.
static Value mergedCounts(Core &core, const Arguments &args) {
  Text text(core, args.range);
  text << "uint16_t $r[4]; AscendC::GetMrgSortResult($r[0], $r[1], $r[2], $r[3])";
  mlir::Value array = text.declare("");
  llvm::SmallVector<Value> counts;
  for (int64_t i = 0; i < 4; ++i) {
    Text count(core, args.range);
    count.value(array) << "[" << llvm::Twine(i) << "]";
    counts.push_back(Value::ofScalar(count.result(core.l.ir.type(DType::U16)), DType::U16));
  }
  return Value::ofSequence(counts, false, core.l.ir.region());
}

static Value gatherMask(Core &core, const Arguments &args) {
  Value pattern = core.values.read(args[2].value);
  std::optional<int64_t> reduces = core.expectKnown(args[3], "reduce_mode");
  Number mask = reduces ? core.expectNumber(args[4], "mask") : Number();
  if (!mask)
    return {};
  if (!isStruct(core, args[5].value, "GatherMaskParams"))
    return core.fail(args[5].range, "TypeError",
                     "gather_mask takes GatherMaskParams, not " + core.describe(args[5].value));
  Text text(core, args.range);
  text << "uint64_t $r = 0; AscendC::GatherMask(";
  if (!writeTensors(core, text, args, 0, 2))
    return {};
  text << ", ";
  if (isTensor(pattern)) {
    text.variable(pattern);
  } else {
    Number number = core.expectNumber(args[2], "src1_pattern");
    if (!number)
      return {};
    text << "static_cast<uint8_t>(";
    text.number(number) << ")";
  }
  text << ", " << (*reduces ? "true" : "false") << ", ";
  text.number(mask, "uint32_t") << ", ";
  if (!writeRecord(core, text, args[5].value, "AscendC::GatherMaskParams", DType::Void, args.range))
    return {};
  text << ", $r)";
  mlir::Value variable = text.declare("");
  Text kept(core, args.range);
  kept.value(variable);
  return Value::ofScalar(kept.result(core.builder().getI64Type(), true), DType::U64);
}

// 16 tensors, 16 addresses, or a tensor of addresses.
static bool writeRows(Core &core, Text &text, const Argument &argument, llvm::StringRef what) {
  Value given = core.values.read(argument.value);
  if (isTensor(given)) {
    text.variable(given);
    return true;
  }
  llvm::SmallVector<Value> rows;
  if (!core.values.toSequence(given, rows, argument.range, what))
    return false;
  Text array(core, argument.range);
  bool ofTensors = !rows.empty() && isTensor(core.values.read(rows[0]));
  if (ofTensors)
    array << "AscendC::LocalTensor<" << cppName(partsOf(core.values.read(rows[0])).dtype) << ">";
  else
    array << "uint64_t";
  array << " $r[] = {";
  for (auto [i, row] : llvm::enumerate(rows)) {
    array << (i ? ", " : "");
    if (ofTensors) {
      Value tensor = core.expectTensor({row, argument.range}, what);
      if (!tensor)
        return false;
      array.variable(tensor);
      continue;
    }
    Number address = core.numbers.of(row, what, argument.range);
    if (!address)
      return false;
    array.number(address, "uint64_t");
  }
  array << "}";
  text.value(array.declare(""));
  return true;
}

static bool isListOfTensors(Core &core, const Argument &argument) {
  Value given = core.values.read(argument.value);
  return given.isSequence() && !given.items().empty() && isTensor(core.values.read(given.items()[0]));
}

static Value transposeRows(Core &core, const Arguments &args) {
  Text text(core, args.range);
  text << "AscendC::TransDataTo5HD";
  if (args[3]) {
    std::optional<DType> dtype = core.l.expect.dtype(args[3], "dtype");
    if (!dtype)
      return {};
    text << "<" << cppName(*dtype) << ">";
  } else if (!isListOfTensors(core, args[0])) {
    text << "<half>"; // addresses say no type
  }
  text << "(";
  if (!writeRows(core, text, args[0], "dst_list"))
    return {};
  text << ", ";
  if (!writeRows(core, text, args[1], "src_list"))
    return {};
  text << ", ";
  if (!writeRecord(core, text, args[2].value, "AscendC::TransDataTo5HDParams", DType::Void, args.range))
    return {};
  text << ")";
  text.statement();
  return core.none();
}

std::optional<Value> writeOfSorting(Core &core, const Arguments &args) {
  if (args.name == "asc.basic.sort")
    return sort(core, args);
  if (args.name == "asc.basic.concat")
    return threeTensors(core, args, "AscendC::Concat");
  if (args.name == "asc.basic.extract")
    return threeTensors(core, args, "AscendC::Extract");
  if (args.name == "asc.basic.get_mrg_sort_result")
    return mergedCounts(core, args);
  if (args.name == "asc.basic.gather_mask")
    return gatherMask(core, args);
  if (args.name == "asc.basic.trans_data_to_5hd")
    return transposeRows(core, args);
  return std::nullopt;
}

} // namespace tilesmith::frontend::asc
