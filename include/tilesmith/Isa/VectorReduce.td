//===- VectorReduce.td - Vector instructions that reduce ---------------------------------------------------------===//
#ifndef TILESMITH_ISA_VECTORREDUCE
#define TILESMITH_ISA_VECTORREDUCE

include "Vector.td"

// Reducing: one result per repeat, neighbours first.
class WholeReduce<string irName, string cName> : Vector<irName, cName> {
  let family = "WholeReduce";
  let execute = "vector";
  let forms = ["Repeat"];
  let operands = [Dst<"dst", ["UB"], "", 1>, Src<"src">];
  let repeatOperands = [Mask<"mask">, RepeatTime, Half<"dstRep", "dst_rep_stride">,
                        Half<"srcBlk", "src_blk_stride">, Half<"srcRep", "src_rep_stride">];
  let layout = [Lies<"dst", "rows(repeat, mask ? size : 0, dstRep * size)">, Lies<"src", "lanes(mask, repeat, srcBlk, srcRep)">];
  let repeatCall = "dst, src, mask, repeat, dstRep, srcBlk, srcRep, 'AscendC::ReduceOrder::ORDER_ONLY_VALUE'";
  let dtypes = [OnC220<Floats>, OnC310<["F16", "F32", "I16", "I32"]>];
}
def WholeReduceSum : WholeReduce<"whole_reduce_sum", "WholeReduceSum"> {
  let summary = "dst[r * dstRep] = sum of the first mask lanes of repeat r, a tree over neighbours; other lanes count as 0.";
  let cost = "ReduceAdd";
  let element = "reduce_sum";
  let repeatCall = "dst, src, mask, repeat, dstRep, srcBlk, srcRep";
  let example = "AscendC::WholeReduceSum(y, x, 64, 4, 1, 1, 8);";
}
def WholeReduceMax : WholeReduce<"whole_reduce_max", "WholeReduceMax"> {
  let summary = "dst[r * dstRep] = maximum of the first mask lanes of repeat r (value only).";
  let cost = "ReduceMax";
  let element = "reduce_max";
  let example = "AscendC::WholeReduceMax(y, x, 64, 4, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);";
}
def WholeReduceMin : WholeReduce<"whole_reduce_min", "WholeReduceMin"> {
  let summary = "dst[r * dstRep] = minimum of the first mask lanes of repeat r (value only).";
  let cost = "ReduceMax";
  let element = "reduce_min";
  let example = "AscendC::WholeReduceMin(y, x, 64, 4, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);";
}

class WholeReduceIndex<string irName, string cName> : Vector<irName, cName> {
  let family = "WholeReduceIndex";
  let execute = "reduce";
  let cost = "ReduceMax";
  let forms = ["Repeat"];
  let operands = [Dst<"dst", ["UB"], "", 1>, Src<"src">];
  let repeatOperands = [Mask<"mask">, RepeatTime, Half<"dstRep", "dst_rep_stride">,
                        Half<"srcBlk", "src_blk_stride">, Half<"srcRep", "src_rep_stride">, Attr<"order", ReduceOrder>];
  let layout = [Lies<"dst", !subst("unit", "(order == OnlyIndex ? 4 : order == OnlyValue ? size : 2 * size)",
                                   "rows(repeat, mask ? unit : 0, dstRep * unit)")>, Lies<"src", "lanes(mask, repeat, srcBlk, srcRep)">];
  let repeatCall = "dst, src, mask, repeat, dstRep, srcBlk, srcRep, order";
  let inOverload = 1;
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
}
def WholeReduceMaxIndex : WholeReduceIndex<"whole_reduce_max_index", "WholeReduceMax"> {
  let pythonForms = [!strconcat("whole_reduce_max(", IndexOrder, ")")];
  let summary = "As whole_reduce_max, with the lane of the first maximum: value and index, index and value, or the index alone; the "
                "index is bits of the element's width (alone: 32 bits). dstRep counts results.";
  let example = "AscendC::WholeReduceMax(y, x, 64, 4, 1, 1, 8, AscendC::ReduceOrder::ORDER_VALUE_INDEX);";
}
def WholeReduceMinIndex : WholeReduceIndex<"whole_reduce_min_index", "WholeReduceMin"> {
  let pythonForms = [!strconcat("whole_reduce_min(", IndexOrder, ")")];
  let summary = "As whole_reduce_min, with the lane of the first minimum.";
  let example = "AscendC::WholeReduceMin(y, x, 64, 4, 1, 1, 8, AscendC::ReduceOrder::ORDER_VALUE_INDEX);";
}

// Reducing groups of a repeat. A group without an active lane writes nothing; other inactive lanes are neutral.
class BlockReduce<string irName, string cName> : Vector<irName, cName> {
  let family = "BlockReduce";
  let execute = "reduce";
  let forms = ["Repeat"];
  let operands = [Dst<"dst", ["UB"], "", 8>, Src<"src">];
  let repeatOperands = [Mask<"mask">, RepeatTime, Half<"dstRep", "dst_rep_stride">,
                        Half<"srcBlk", "src_blk_stride">, Half<"srcRep", "src_rep_stride">];
  let layout = [Lies<"dst", "results(mask, repeat, blockBytes / size, 8, dstRep)">, Lies<"src", "lanes(mask, repeat, srcBlk, srcRep)">];
  let repeatCall = "dst, src, repeat, mask, dstRep, srcBlk, srcRep";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
}
def BlockReduceSum : BlockReduce<"block_reduce_sum", "BlockReduceSum"> {
  let summary = "One sum for each 32-byte block, 8 per repeat; dstRep counts 8 results.";
  let cost = "ReduceBlock";
  let example = "AscendC::BlockReduceSum(y, x, 4, 64, 1, 1, 8);";
}
def BlockReduceMax : BlockReduce<"block_reduce_max", "BlockReduceMax"> {
  let summary = "One maximum for each 32-byte block, 8 per repeat; dstRep counts 8 results.";
  let cost = "ReduceBlock";
  let example = "AscendC::BlockReduceMax(y, x, 4, 64, 1, 1, 8);";
}
def BlockReduceMin : BlockReduce<"block_reduce_min", "BlockReduceMin"> {
  let summary = "One minimum for each 32-byte block, 8 per repeat; dstRep counts 8 results.";
  let cost = "ReduceBlock";
  let example = "AscendC::BlockReduceMin(y, x, 4, 64, 1, 1, 8);";
}
def PairReduceSum : BlockReduce<"pair_reduce_sum", "PairReduceSum"> {
  let layout = [Lies<"dst", "results(mask, repeat, 2, perRepeat / 2, dstRep)">, Lies<"src", "lanes(mask, repeat, srcBlk, srcRep)">];
  let summary = "One sum for each pair of neighbours; dstRep counts the results of a repeat (128 bytes).";
  let cost = "OneSource";
  let example = "AscendC::PairReduceSum(y, x, 4, 64, 1, 1, 8);";
}

// Reducing a whole tensor: repeat after repeat into the work tensor, then these results in order.
class ReduceAll<string irName, string cName> : Vector<irName, cName> {
  let family = "ReduceAll";
  let execute = "reduce";
  let forms = ["Count"];
  let operands = [Dst<"dst", ["UB"], "", 1>, Src<"src">, Dst<"work", ["UB"], "shared_tmp_buffer">];
  let layout = [Lies<"src", "elements(count)">, Lies<"work", "elements(ceil(count, perRepeat))">, Lies<"dst", "run(size)", "count">];
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
}
def ReduceSum : ReduceAll<"reduce_sum", "ReduceSum"> {
  let summary = "dst[0] = sum of count elements: a tree over the neighbours of each repeat, then the repeats one after another.";
  let cost = "ReduceAdd";
  let countCall = "dst, src, work, count";
  let example = "AscendC::ReduceSum(y, x, work, 1024);";
}
class ReduceWithIndex<string irName, string cName> : ReduceAll<irName, cName> {
  let cost = "ReduceMax";
  let countOperands = [Count<"count">, Bool<"calIndex">];
  let layout = [Lies<"src", "elements(count)">, Lies<"work", "elements(ceil(count, perRepeat) * (calIndex ? 2 : 1))">,
                Lies<"dst", "run(calIndex ? 2 * size : size)", "count">];
  let countCall = "dst, src, work, count, calIndex";
}
def ReduceMax : ReduceWithIndex<"reduce_max", "ReduceMax"> {
  let summary = "dst[0] = maximum of count elements; with calIndex dst[1] is where it first is, as bits of the element's width.";
  let example = "AscendC::ReduceMax(y, x, work, 1024, true);";
}
def ReduceMin : ReduceWithIndex<"reduce_min", "ReduceMin"> {
  let summary = "dst[0] = minimum of count elements; with calIndex dst[1] is where it first is, as bits of the element's width.";
  let example = "AscendC::ReduceMin(y, x, work, 1024, true);";
}

#endif // TILESMITH_ISA_VECTORREDUCE
