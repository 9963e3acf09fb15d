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
  let cost = "TwoSource";
  let forms = ["Count"];
  let operands = [Dst<"dst">, Src<"src">, Words<"offset">, Int<"base">, Int<"srcBytes">];
  let pythonForms = ["gather(dst: LocalTensor, src: LocalTensor, src_offset: LocalTensor, src_base: RuntimeInt, "
                     "count: RuntimeInt)"];
  let dtypes = [OnC220<Words16and32>, OnC310<Words16and32>];
  let example = "AscendC::Gather(y, x, offsets, 0, 64);";
}
def GatherMask : Instruction<"gather_mask", "GatherMask"> {
  let summary = "Of `elements` elements of each repeat, those the pattern names, one after the other: 1 even, 2 odd, 3 to 6 every "
                "fourth from 0 to 3, 7 all.";
  let family = "GatherPattern";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">, Int<"pattern">, Int<"elements">, Repeats, Int<"srcBlk">, Int<"srcRep">];
  let pythonForms = ["gather_mask(dst: LocalTensor, src0: LocalTensor, src1_pattern: int, reduce_mode: bool, mask: RuntimeInt, "
                     "params: GatherMaskParams) -> PlainValue"];
  let dtypes = [OnC220<Words16and32>, OnC310<Words16and32>];
  let example = "uint64_t kept = 0; AscendC::GatherMask(y, x, 1, false, 0, {1, 2, 8, 0}, kept);";
}
def Sort32 : Instruction<"sort32", "Sort32"> {
  let summary = "Each repeat sorts 32 scores, largest first and equal ones in their order, into records of 8 bytes: the score, and from "
                "byte 4 on its index.";
  let family = "Sort";
  let pipe = "V";
  let cost = "Transcendental";
  let operands = [Dst<"dst">, Src<"src">, Words<"index", "src1">, RepeatTime];
  let countCall = "dst, src, index, repeat";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Sort32(y, x, offsets, 2);";
}
def Transpose : Instruction<"transpose", "Transpose"> {
  let summary = "A square of 16 x 16 elements of 16 bits, turned.";
  let family = "Transpose";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">];
  let countCall = "dst, src";
  let dtypes = [OnC220<["I16", "U16", "F16"]>, OnC310<["I16", "U16", "F16"]>];
  let example = "AscendC::Transpose(hy, hx);";
}

def GatherMaskBits : Instruction<"gather_mask_bits", "GatherMask"> {
  let summary = "Of `elements` elements of each repeat those whose bit in the pattern is set, one after the other; the patterns of "
                "repeats are patternRep 32-byte blocks apart. dst has room for `room` elements. The number of kept elements stays readable.";
  let family = "GatherPattern";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">, Bits<"pattern">, Int<"elements">, Int<"repeat">, Int<"srcBlk">, Int<"srcRep">, Int<"patternRep">,
                  Int<"room">];
  let dtypes = [OnC220<Words16and32>, OnC310<Words16and32>];
  let example = "uint64_t kept = 0; AscendC::GatherMask(y, x, offsets, false, 0, {1, 2, 8, 8}, kept);";
}
def Gatherb : Instruction<"gatherb", "Gatherb"> {
  let summary = "Each repeat gathers 8 blocks of 32 bytes that start at the next 8 offsets (bytes) of src, which has srcBytes bytes; an "
                "offset that leaves it gives 0.";
  let family = "GatherBlocks";
  let pipe = "V";
  let cost = "TwoSource";
  let operands = [Dst<"dst">, Src<"src">, Words<"offset">, Int<"srcBytes">, Int<"repeat">, Int<"dstBlk">, Int<"dstRep">];
  let dtypes = [OnC220<Words16and32>, OnC310<Words16and32>];
  let example = "AscendC::Gatherb(y, x, offsets, 2, {1, 8});";
}
def Scatter : Vector<"scatter", "Scatter"> {
  let summary = "The element of dst that starts offset[i] + base bytes from its beginning = src[i]. dst has dstBytes bytes; an offset "
                "that leaves it is skipped.";
  let family = "Scatter";
  let cost = "TwoSource";
  let forms = ["Count"];
  let operands = [Dst<"dst">, Src<"src">, Words<"offset">, Int<"base">, Int<"dstBytes">];
  let dtypes = [OnC310<Words16and32>];
  let example = "AscendC::Scatter(y, x, offsets, 0, 64);";
}
def MrgSort : Instruction<"mrg_sort", "MrgSort"> {
  let summary = "Merges up to four lists of 8-byte records, largest score first and equal ones list by list, `repeat` times; with `stops` a "
                "merge ends with its first empty list. How much of each list was taken stays readable.";
  let family = "Merge";
  let pipe = "V";
  let cost = "Transcendental";
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">, Src<"src2">, Src<"src3">, Int<"count0">, Int<"count1">, Int<"count2">,
                  Int<"count3">, Int<"repeat">, Int<"stops">];
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::MrgSort(y, AscendC::MrgSortSrcList<float>(x, y, x, y), "
                "AscendC::MrgSort4Info(lengths, false, 3, 1));";
}
def TransDataRows : Instruction<"trans_data_rows", "TransDataTo5HD"> {
  let summary = "Turns 16 rows of 32 bytes at 16 addresses into 16 at others: element j of row i becomes element i of row j. Four addresses "
                "of UB, in 32-byte blocks, share a word; elements have `bytes` bytes. Of 8 bits only the high or low half of rows is used; of 32 bits a row has 8 "
                "elements and turns into two rows of 8. Repeats are dstRep and srcRep blocks apart.";
  let family = "Trans5hd";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Int<"to0">, Int<"to1">, Int<"to2">, Int<"to3">, Int<"from0">, Int<"from1">, Int<"from2">, Int<"from3">,
                  Int<"dstHigh">, Int<"srcHigh">, Int<"repeat">, Int<"dstRep">, Int<"srcRep">, Int<"bytes">];
  let dtypeOf = "";
  let example = "AscendC::LocalTensor<half> rows[16], columns[16]; AscendC::TransDataTo5HD<half>(columns, rows, {false, false, 1, 0, 0});";
}
def Arange : Vector<"arange", "CreateVecIndex"> {
  let summary = "dst[i] = first + i * step.";
  let family = "Arange";
  let cost = "OneSource";
  let forms = ["Count"];
  let operands = [Dst<"dst">, Scalar<"first">, Scalar<"step">];
  let dtypes = [OnC220<["I16", "F16", "I32", "F32"]>, OnC310<["I8", "I16", "F16", "I32", "F32"]>];
  let example = "AscendC::CreateVecIndex(x, 0.0f, 1024);";
}

#endif // TILESMITH_ISA_VECTORPERMUTE
