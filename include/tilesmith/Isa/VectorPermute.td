//===- VectorPermute.td - Vector instructions that move elements about -------------------------------------------===//
#ifndef TILESMITH_ISA_VECTORPERMUTE
#define TILESMITH_ISA_VECTORPERMUTE

include "Vector.td"

// Moving elements about.
defvar Words16and32 = ["I16", "U16", "F16", "BF16", "I32", "U32", "F32"];
def Gather : Vector<"gather", "Gather"> {
  let summary = "dst[i] = the element of src that starts offset[i] + base bytes from its beginning. src has srcBytes bytes; an offset "
                "that leaves it gives 0.";
  let family = "Gather";
  let execute = "gather";
  let tellsCore = 1;
  let cost = "TwoSource";
  let forms = ["Count"];
  let operands = [Dst<"dst">, Src<"src">, Words<"offset">, UpTo<"base", "1048576">, UpTo<"srcBytes", "1048576">];
  // Offsets may name any element of the source.
  let layout = [Lies<"dst", "elements(count)">, Lies<"src", "run(srcBytes)", "count">, Lies<"offset", "elements(count)">];
  let pythonForms = ["gather(dst: LocalTensor, src: LocalTensor, src_offset: LocalTensor, src_base: RuntimeInt, "
                     "count: RuntimeInt)"];
  let dtypes = [OnC220<Words16and32>, OnC310<Words16and32>];
  let example = "AscendC::Gather(y, x, offsets, 0, 64);";
}
// More elements than a repeat has lie one after the other.
defvar PatternSource = [Lies<"src", "lanes(elements, repeat, srcBlk, srcRep)", "elements <= perRepeat">,
                        Lies<"src", "rows(repeat, elements * size, srcRep * blockBytes)", "elements > perRepeat">];
def GatherMask : Instruction<"gather_mask", "GatherMask"> {
  let summary = "Of `elements` elements of each repeat, those the pattern names, one after the other: 1 even, 2 odd, 3 to 6 every "
                "fourth from 0 to 3, 7 all.";
  let family = "GatherPattern";
  let execute = "gatherPattern";
  let tellsCore = 1;
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">, Between<"pattern", "1", "7">, UpTo<"elements", "1048576">, Repeats, Byte<"srcBlk">, Half<"srcRep">];
  let layout = !listconcat(PatternSource, [Lies<"dst", "elements(kept(pattern, elements) * repeat)">]);
  let pythonForms = ["gather_mask(dst: LocalTensor, src0: LocalTensor, src1_pattern: int, reduce_mode: bool, mask: RuntimeInt, "
                     "params: GatherMaskParams) -> PlainValue"];
  let dtypes = [OnC220<Words16and32>, OnC310<Words16and32>];
  let example = "uint64_t kept = 0; AscendC::GatherMask(y, x, 1, false, 0, {1, 2, 8, 0}, kept);";
}
def Sort32 : Instruction<"sort32", "Sort32"> {
  let summary = "Each repeat sorts 32 scores, largest first and equal ones in their order, into records of 8 bytes: the score, and from "
                "byte 4 on its index.";
  let family = "Sort";
  let execute = "sort";
  let pipe = "V";
  let cost = "Transcendental";
  let operands = [Dst<"dst">, Src<"src">, Words<"index", "src1">, RepeatTime];
  let layout = [Lies<"dst", "elements(repeat * 32, 8)">, Lies<"src", "elements(repeat * 32)">, Lies<"index", "elements(repeat * 32)">];
  let countCall = "dst, src, index, repeat";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Sort32(y, x, offsets, 2);";
}
def Transpose : Instruction<"transpose", "Transpose"> {
  let summary = "A square of 16 x 16 elements of 16 bits, turned.";
  let family = "Transpose";
  let execute = "transpose";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">];
  let layout = [Lies<"dst", "elements(256)">, Lies<"src", "elements(256)">];
  let countCall = "dst, src";
  let dtypes = [OnC220<["I16", "U16", "F16"]>, OnC310<["I16", "U16", "F16"]>];
  let example = "AscendC::Transpose(hy, hx);";
}

def GatherMaskBits : Instruction<"gather_mask_bits", "GatherMask"> {
  let summary = "Of `elements` elements of each repeat those whose bit in the pattern is set, one after the other; the patterns of "
                "repeats are patternRep 32-byte blocks apart. dst has room for `room` elements. The number of kept elements stays readable.";
  let family = "GatherPattern";
  let execute = "gatherPattern";
  let tellsCore = 1;
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">, Bits<"pattern">, UpTo<"elements", "1048576">, Byte<"repeat">, Byte<"srcBlk">, Half<"srcRep">,
                  Byte<"patternRep">, UpTo<"room", "1048576">];
  // How many it keeps is in the bits: at most all, and no more than there is room for.
  let layout = !listconcat(PatternSource, [Lies<"dst", "elements(min(elements * repeat, room))">,
                                           Lies<"pattern", "rows(repeat, ceil(elements, 8), patternRep * blockBytes)">]);
  let dtypes = [OnC220<Words16and32>, OnC310<Words16and32>];
  let example = "uint64_t kept = 0; AscendC::GatherMask(y, x, offsets, false, 0, {1, 2, 8, 8}, kept);";
}
def Gatherb : Instruction<"gatherb", "Gatherb"> {
  let summary = "Each repeat gathers 8 blocks of 32 bytes that start at the next 8 offsets (bytes) of src, which has srcBytes bytes; an "
                "offset that leaves it gives 0.";
  let family = "GatherBlocks";
  let execute = "gatherBlocks";
  let tellsCore = 1;
  let pipe = "V";
  let cost = "TwoSource";
  let operands = [Dst<"dst">, Src<"src">, Words<"offset">, UpTo<"srcBytes", "1048576">, Byte<"repeat">, Half<"dstBlk">, Half<"dstRep">];
  let layout = [Lies<"dst", "run(blockBytes, 8, dstBlk * blockBytes, repeat, dstRep * blockBytes)">, Lies<"src", "run(srcBytes)", "repeat">,
                Lies<"offset", "elements(repeat * 8)">];
  let dtypes = [OnC220<Words16and32>, OnC310<Words16and32>];
  let example = "AscendC::Gatherb(y, x, offsets, 2, {1, 8});";
}
def Scatter : Vector<"scatter", "Scatter"> {
  let summary = "The element of dst that starts offset[i] + base bytes from its beginning = src[i]. dst has dstBytes bytes; an offset "
                "that leaves it is skipped.";
  let family = "Scatter";
  let execute = "scatter";
  let tellsCore = 1;
  let cost = "TwoSource";
  let operands = [Dst<"dst">, Src<"src">, Words<"offset">, UpTo<"base", "1048576">, UpTo<"dstBytes", "1048576">];
  let repeatOperands = [Mask<"mask">, Repeats, Byte<"srcRep">];
  // Offsets may name any element of the destination.
  let countLayout = [Lies<"dst", "run(dstBytes)", "count">, Lies<"src", "elements(count)">, Lies<"offset", "elements(count)">];
  let repeatLayout = [Lies<"dst", "run(dstBytes)", "span(mask) && repeat">, Lies<"src", "lanes(mask, repeat, 1, srcRep)">,
                      Lies<"offset", "rows(repeat, span(mask) * 4, perRepeat * 4)">];
  let dtypes = [OnC310<Words16and32>];
  let example = "AscendC::Scatter(y, x, offsets, 0, 64);";
}
def MrgSort : Instruction<"mrg_sort", "MrgSort"> {
  let summary = "Merges up to four lists of 8-byte records, largest score first and equal ones list by list, `repeat` times; with `stops` a "
                "merge ends with its first empty list. How much of each list was taken stays readable.";
  let family = "Merge";
  let execute = "merge";
  let tellsCore = 1;
  let pipe = "V";
  let cost = "Transcendental";
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">, Src<"src2">, Src<"src3">, UpTo<"count0", "4095">,
                  UpTo<"count1", "4095">, UpTo<"count2", "4095">, UpTo<"count3", "4095">, Byte<"repeat">, Bool<"stops">];
  // The lists of the next repeat follow those of this one.
  defvar all = "(count0 + count1 + count2 + count3)";
  let layout = [Lies<"dst", "elements("#all#" * repeat, 8)">, Lies<"src0", "rows(repeat, count0 * 8, "#all#" * 8)">,
                Lies<"src1", "rows(repeat, count1 * 8, "#all#" * 8)">, Lies<"src2", "rows(repeat, count2 * 8, "#all#" * 8)">,
                Lies<"src3", "rows(repeat, count3 * 8, "#all#" * 8)">];
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::MrgSort(y, AscendC::MrgSortSrcList<float>(x, y, x, y), "
                "AscendC::MrgSort4Info(lengths, false, 3, 1));";
}
def TransDataRows : Instruction<"trans_data_rows", "TransDataTo5HD"> {
  let summary = "Turns 16 rows of 32 bytes at 16 addresses into 16 at others: element j of row i becomes element i of row j. Four addresses "
                "of UB, in 32-byte blocks, share a word; elements have `bytes` bytes. Of 8 bits only the high or low half of rows is used; of 32 bits a row has 8 "
                "elements and turns into two rows of 8. Repeats are dstRep and srcRep blocks apart.";
  let family = "Trans5hd";
  let execute = "transposeRows";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Int<"to0">, Int<"to1">, Int<"to2">, Int<"to3">, Int<"from0">, Int<"from1">, Int<"from2">, Int<"from3">,
                  Bool<"dstHigh">, Bool<"srcHigh">, Byte<"repeat">, Half<"dstRep">, Half<"srcRep">, Int<"bytes">];
  let layout = [Writes<"to0", "packed(dstHigh, repeat, dstRep, bytes)">, Reads<"from0", "packed(srcHigh, repeat, srcRep, bytes)">];
  let dtypeOf = "";
  let example = "AscendC::LocalTensor<half> rows[16], columns[16]; AscendC::TransDataTo5HD<half>(columns, rows, {false, false, 1, 0, 0});";
}
def Arange : Vector<"arange", "CreateVecIndex"> {
  let summary = "dst[i] = first + i * step.";
  let family = "Arange";
  let execute = "arange";
  let cost = "OneSource";
  let forms = ["Count"];
  let operands = [Dst<"dst">, Scalar<"first">, Scalar<"step">];
  let layout = [Lies<"dst", "elements(count)">];
  let dtypes = [OnC220<["I16", "F16", "I32", "F32"]>, OnC310<["I8", "I16", "F16", "I32", "F32"]>];
  let example = "AscendC::CreateVecIndex(x, 0.0f, 1024);";
}

#endif // TILESMITH_ISA_VECTORPERMUTE
