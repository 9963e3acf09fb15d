// Sorting, compaction and transposition: calls that are more than one instruction, or tell a number.
#include "Core.h"
#include "Records.h"

#include "tilesmith/Isa/Chip.h"

namespace tilesmith::frontend::asc {

static int64_t number(DType dtype) { return int64_t(dtype); }

// sort(dst, concat, index, tmp, repeat_time, is_full_sort=False)
static Value sort(Core &core, const Arguments &args) {
  Value tensors[4];
  static constexpr llvm::StringLiteral names[] = {"dst", "concat", "index", "tmp"};
  for (unsigned i = 0; i < 4; ++i)
    if (!(tensors[i] = core.expectTensor(args[i], names[i])))
      return {};
  Number repeat = core.expectNumber(args[4], "repeat_time");
  std::optional<int64_t> full = repeat ? core.expectKnown(args[5], "is_full_sort") : std::nullopt;
  if (!full)
    return {};
  core.tell("sort",
            {number(partsOf(tensors[0]).dtype), core.address(tensors[0]), core.address(tensors[1]),
             core.address(tensors[2]), core.address(tensors[3]), repeat, *full},
            args.range);
  return core.none();
}

// On these chips scores are sorted where they are: nothing has to be put beside them first.
static Value concat(Core &core, const Arguments &args) {
  Value dst = core.expectTensor(args[0], "dst"), src = dst ? core.expectTensor(args[1], "src") : Value();
  if (!src)
    return {};
  core.setCell(partsOf(dst).address, core.address(src), args.range);
  core.setCell(partsOf(dst).size, core.size(src), args.range);
  return core.none();
}

static Value extract(Core &core, const Arguments &args) {
  Value scores = core.expectTensor(args[0], "dst_value"),
        index = scores ? core.expectTensor(args[1], "dst_index") : Value();
  Value sorted = index ? core.expectTensor(args[2], "src") : Value();
  Number repeat = sorted ? core.expectNumber(args[3], "repeat_time") : Number();
  if (!repeat)
    return {};
  core.tell("extract",
            {number(partsOf(scores).dtype), core.address(scores), core.address(index), core.address(sorted), repeat},
            args.range);
  return core.none();
}

static Value mergedCounts(Core &core, const Arguments &args) {
  core.tell("scalar_waits_for_vector", {}, args.range);
  Number taken = core.ask("merged", {}, args.range);
  llvm::SmallVector<Value> counts;
  for (int64_t i = 0; i < 4; ++i)
    counts.push_back(core.numbers.toPython(
        core.numbers.binary("&", core.numbers.binary(">>", taken, 16 * i, args.range), 0xffff, args.range), DType::U16,
        args.range));
  return Value::ofSequence(counts, false, core.l.ir.region());
}

// A list of numbers, or an asc.array.
static bool numbersOf(Core &core, const Argument &argument, llvm::StringRef what, size_t count,
                      llvm::SmallVectorImpl<Value> &numbers) {
  if (!core.values.toSequence(argument.value, numbers, argument.range, what))
    return false;
  if (numbers.size() == count)
    return true;
  core.fail(argument.range, "ValueError",
            what + " has " + llvm::Twine(count) + " elements, not " + llvm::Twine(numbers.size()));
  return false;
}

// mrg_sort(dst, src, element_count_list, sorted_num, valid_bit, repeat_time, is_exhausted_suspension=False)
static Value mergeSort(Core &core, const Arguments &args) {
  llvm::SmallVector<Value> counts, sorted;
  if (!numbersOf(core, args[2], "element_count_list", 4, counts) || !numbersOf(core, args[3], "sorted_num", 4, sorted))
    return {};
  CallSite info{args.range, {}, {}};
  info.keywords = {{"element_lengths", args[2]}, {"valid_bit", args[4]}, {"repeat_times", args[5]}};
  if (args[6])
    info.keywords.push_back({"if_exhausted_suspension", args[6]});
  std::optional<Value> params = makeRecord(core, "MrgSort4Info", info);
  if (!params || !*params)
    return {};
  CallSite site{args.range, {args[0], args[1], {*params, args.range}}, {}};
  std::optional<Value> done = callForms(core, "mrg_sort", site);
  std::optional<int64_t> suspends = done && *done ? core.expectKnown(args[6], "is_exhausted_suspension") : std::nullopt;
  if (!suspends)
    return {};
  Value taken;
  if (*suspends)
    taken = mergedCounts(core, args);
  // How many were taken comes back in the list that was given.
  if (args[3].value.isSequence() && args[3].value.sequence().isList)
    for (int64_t i = 0; i < 4; ++i) {
      Value count = counts[i];
      if (*suspends) {
        count = taken.items()[i];
      } else {
        Number valid = core.numbers.of(args[4].value, "valid_bit", args[4].range);
        Number list = core.numbers.of(counts[i], "element_count_list", args[2].range);
        if (!valid || !list)
          return {};
        valid = core.numbers.binary("&", core.numbers.binary(">>", valid, i, args.range), 1, args.range);
        count = core.numbers.toPython(core.numbers.choose(valid, list, 0, args.range), DType::I32, args.range);
      }
      if (!core.l.operators.setItem(args[3].value, core.number(i), count, args[3].range, args[3].range))
        return {};
    }
  return core.none();
}

// The bytes of records are 8, whatever their score's type.
static Value sortOffset(Core &core, const Arguments &args) {
  Number elements = core.expectNumber(args[0], "elem_count");
  if (!elements)
    return {};
  int64_t size = 4;
  if (args[1]) {
    std::optional<DType> dtype = core.l.expect.dtype(args[1], "dtype");
    if (!dtype)
      return {};
    size = std::max<int64_t>(bytesOf(*dtype), 1);
  }
  return core.numbers.toPython(core.numbers.mul(elements, 8 / size, args.range), DType::I32, args.range);
}

// gather_mask(dst, src0, src1_pattern, reduce_mode, mask, params) -> elements that were kept
static Value gatherMask(Core &core, const Arguments &args) {
  Value dst = core.expectTensor(args[0], "dst"), src = dst ? core.expectTensor(args[1], "src0") : Value();
  std::optional<int64_t> reduces = src ? core.expectKnown(args[3], "reduce_mode") : std::nullopt;
  Number mask = reduces ? core.expectNumber(args[4], "mask") : Number();
  if (!mask)
    return {};
  if (!isStruct(core, args[5].value, "GatherMaskParams"))
    return core.fail(args[5].range, "TypeError",
                     "gather_mask takes GatherMaskParams, not " + core.describe(args[5].value));
  Number members[4];
  static constexpr llvm::StringLiteral names[] = {"src0BlockStride", "repeatTimes", "src0RepeatStride",
                                                  "src1RepeatStride"};
  for (unsigned i = 0; i < 4; ++i) {
    Value member = memberOf(core, args[5].value, names[i], args[5].range);
    members[i] = member ? core.numbers.of(member, names[i], args[5].range) : Number();
    if (!members[i])
      return {};
  }
  Numbers &n = core.numbers;
  Number elements = *reduces ? mask : Number(isa::repeatBytes / bytesOf(partsOf(dst).dtype));
  Value pattern = core.values.read(args[2].value);
  if (isTensor(pattern)) {
    core.issueNumbers("gather_mask_bits",
                      {core.buffer(dst, args.range), core.buffer(src, args.range), core.buffer(pattern, args.range),
                       elements, members[1], members[0], members[2], members[3], core.size(dst)},
                      args.range);
    core.tell("scalar_waits_for_vector", {}, args.range);
    return n.toPython(core.ask("kept", {}, args.range), DType::U64, args.range);
  }
  std::optional<int64_t> fixed = core.expectKnown(args[2], "src1_pattern");
  if (!fixed)
    return {};
  if (*fixed < 1 || *fixed > 7)
    return core.fail(args[2].range, "ValueError", "the patterns of gather_mask are 1 to 7, not " + llvm::Twine(*fixed));
  core.issueNumbers("gather_mask",
                    {core.buffer(dst, args.range), core.buffer(src, args.range), *fixed, elements, members[1],
                     members[0], members[2]},
                    args.range);
  // Every second, every fourth, or all of each repeat.
  int64_t period = *fixed == 7   ? 1
                   : *fixed <= 2 ? 2
                                 : 4,
          first = *fixed == 7   ? 0
                  : *fixed <= 2 ? *fixed - 1
                                : *fixed - 3;
  Number of = n.binary("/", n.add(elements, period - 1 - first, args.range), period, args.range);
  return n.toPython(n.mul(of, members[1], args.range), DType::U64, args.range);
}

static Value remainCount(Core &core, const Arguments &args) {
  core.tell("scalar_waits_for_vector", {}, args.range);
  return core.numbers.toPython(core.ask("kept", {}, args.range), DType::I64, args.range);
}

// 16 addresses of UB in blocks of 32 bytes, four to a word.
static bool rowWords(Core &core, const Argument &argument, llvm::StringRef what, llvm::SmallVectorImpl<Number> &words,
                     DType &dtype) {
  Numbers &n = core.numbers;
  llvm::SmallVector<Value> rows;
  Value given = core.values.read(argument.value);
  llvm::SmallVector<Number> offsets;
  if (isTensor(given)) { // of addresses
    for (int64_t i = 0; i < 16; ++i) {
      CallSite site{argument.range, {argument, {core.number(i), argument.range}}, {}};
      Value value = core.l.calls.callBuiltin("asc.tensor.get_value", site);
      if (!value)
        return false;
      offsets.push_back(n.of(value, what, argument.range));
    }
  } else {
    if (!numbersOf(core, argument, what, 16, rows))
      return false;
    for (const Value &row : rows) {
      Value value = core.values.read(row);
      if (isTensor(value))
        dtype = partsOf(value).dtype;
      Number offset = isTensor(value) ? core.address(value) : n.of(value, "an address", argument.range);
      if (!offset)
        return false;
      offsets.push_back(n.binary("&", offset, (int64_t(1) << 56) - 1, argument.range));
    }
  }
  for (int64_t word = 0; word < 4; ++word) {
    Number packed = 0;
    for (int64_t i = 0; i < 4; ++i) {
      Number block =
          n.binary("&", n.binary("/", offsets[word * 4 + i], isa::blockBytes, argument.range), 0xffff, argument.range);
      packed = n.binary("|", packed, n.binary("<<", block, 16 * i, argument.range), argument.range);
    }
    words.push_back(packed);
  }
  return true;
}

// trans_data_to_5hd(dst_list, src_list, params): rows as tensors, as addresses, or as tensors of addresses.
static Value transposeRows(Core &core, const Arguments &args) {
  llvm::SmallVector<Number> words;
  DType dtype = DType::F16;
  if (args[3]) {
    std::optional<DType> given = core.l.expect.dtype(args[3], "dtype");
    if (!given)
      return {};
    dtype = *given;
  }
  if (!rowWords(core, args[0], "dst_list", words, dtype) || !rowWords(core, args[1], "src_list", words, dtype))
    return {};
  if (!isStruct(core, args[2].value, "TransDataTo5HDParams"))
    return core.fail(args[2].range, "TypeError",
                     "trans_data_to_5hd takes TransDataTo5HDParams, not " + core.describe(args[2].value));
  llvm::SmallVector<std::variant<Number, mlir::Value>> operands(words.begin(), words.end());
  for (llvm::StringRef name : {"dstHighHalf", "srcHighHalf", "repeatTimes", "dstRepStride", "srcRepStride"}) {
    Value member = memberOf(core, args[2].value, name, args[2].range);
    Number number = member ? core.numbers.of(member, name, args[2].range) : Number();
    if (!number)
      return {};
    operands.push_back(number);
  }
  operands.push_back(Number(bytesOf(dtype)));
  core.issueNumbers("trans_data_rows", operands, args.range);
  return core.none();
}

llvm::ArrayRef<Builtin::Row> sortBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc.basic.sort", on<sort>, "dst, concat, index, tmp, repeat_time, is_full_sort=None"},
      {"asc.basic.concat", on<concat>, "dst, src, tmp, repeat_time"},
      {"asc.basic.extract", on<extract>, "dst_value, dst_index, src, repeat_time"},
      {"asc.basic.merge_sort_lists", on<mergeSort>,
       "dst, src, element_count_list, sorted_num, valid_bit, repeat_time, is_exhausted_suspension=None"},
      {"asc.basic.get_mrg_sort_result", on<mergedCounts>, "*none"},
      {"asc.basic.get_sort_len", on<sortOffset>, "elem_count, dtype=None"},
      {"asc.basic.get_sort_offset", on<sortOffset>, "elem_offset, dtype=None"},
      {"asc.basic.gather_mask", on<gatherMask>,
       "dst, src0, src1_pattern, reduce_mode, mask, params, gather_mask_mode=None"},
      {"asc.basic.get_gather_mask_remain_count", on<remainCount>, "*none"},
      {"asc.basic.trans_data_to_5hd", on<transposeRows>, "dst_list, src_list, params, dtype=None"},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc
