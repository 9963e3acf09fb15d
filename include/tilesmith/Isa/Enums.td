//===- Enums.td - Names and numbers shared by the chip model and the compiler ----------------------------------------===//
//
// Each enumeration is one record; tilesmith-tblgen writes the C++ enum (with stringify and symbolize), and the isa
// dialect's attribute. Values are part of the C ABI: append, never renumber.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_ISA_ENUMS
#define TILESMITH_ISA_ENUMS

// `cpp` is the enumerator in Ascend C, where it differs from ours; `python` its number in Python, where that does.
class Case<string name, int value, string cpp = name, int python = value> {
  string caseName = name;
  int caseValue = value;
  string cppName = cpp;
  int pythonValue = python;
}

class Enumeration<string text, list<Case> members> {
  string summary = text;
  list<Case> cases = members;
  bit isAttribute = 0; // also an attribute of the isa dialect
  string cppName = ""; // the enumeration in Ascend C; empty: it has none
  string pythonName = ""; // in Python; empty: it has none
}

def Memory : Enumeration<"Where a buffer lives. The number is the top byte of an address.", [
  Case<"GM", 0>, Case<"UB", 1>, Case<"L1", 2>, Case<"L0A", 3>, Case<"L0B", 4>, Case<"L0C", 5>, Case<"BT", 6>, Case<"FB", 7>,
  Case<"L0AMX", 8>, Case<"L0BMX", 9>]>; // scales of what lies in L0A and L0B, at a sixteenth of its address

def Pipe : Enumeration<"In-order instruction queues of a core.", [
  Case<"S", 0, "PIPE_S">, Case<"V", 1, "PIPE_V">, Case<"M", 2, "PIPE_M">, Case<"MTE1", 3, "PIPE_MTE1">,
  Case<"MTE2", 4, "PIPE_MTE2">, Case<"MTE3", 5, "PIPE_MTE3">, Case<"FIX", 6, "PIPE_FIX", 10>, Case<"ALL", 7, "PIPE_ALL", 6>]> {
  let isAttribute = 1;
  let cppName = "pipe_t";
  let pythonName = "PipeID";
}

include "DTypes.td"

def Arch : Enumeration<"Core architectures.", [Case<"C220", 0>, Case<"C310", 1>]>;

def CoreKind : Enumeration<"Kinds of cores: matrix unit (AIC) and vector unit (AIV).", [Case<"AIC", 0>, Case<"AIV", 1>]>;

def KernelType : Enumeration<"Which cores a block of a kernel has, by the vendor's names and numbers.", [
  Case<"AivOnly", 0, "KERNEL_TYPE_AIV_ONLY">, Case<"AicOnly", 1, "KERNEL_TYPE_AIC_ONLY">,
  Case<"MixAivHardSync", 2, "KERNEL_TYPE_MIX_AIV_HARD_SYNC">, Case<"MixAicHardSync", 3, "KERNEL_TYPE_MIX_AIC_HARD_SYNC">,
  Case<"MixAiv_1_0", 4, "KERNEL_TYPE_MIX_AIV_1_0">, Case<"MixAic_1_0", 5, "KERNEL_TYPE_MIX_AIC_1_0">,
  Case<"MixAic_1_1", 6, "KERNEL_TYPE_MIX_AIC_1_1">, Case<"MixAic_1_2", 7, "KERNEL_TYPE_MIX_AIC_1_2">]> {
  let cppName = "KernelMetaType";
}

def RoundMode : Enumeration<"Rounding of a cast; None is exact, and Rint where the cast is lossy.", [
  Case<"None", 0, "CAST_NONE">, Case<"Rint", 1, "CAST_RINT">, Case<"Floor", 2, "CAST_FLOOR">, Case<"Ceil", 3, "CAST_CEIL">,
  Case<"Round", 4, "CAST_ROUND">, Case<"Trunc", 5, "CAST_TRUNC">, Case<"Odd", 6, "CAST_ODD">]> {
  let isAttribute = 1;
  let cppName = "AscendC::RoundMode";
  let pythonName = "RoundMode";
}

def CmpMode : Enumeration<"Comparisons.", [
  Case<"LT", 0>, Case<"GT", 1>, Case<"EQ", 2>, Case<"LE", 3>, Case<"GE", 4>, Case<"NE", 5>]> {
  let isAttribute = 1;
  let cppName = "AscendC::CMPMODE";
  let pythonName = "CMPMODE";
}

def AtomicOp : Enumeration<"What a store to GM does with the bytes that are there.", [
  Case<"None", 0>, Case<"Add", 1>, Case<"Max", 2>, Case<"Min", 3>]> {
  let isAttribute = 1;
}

def ReduceOrder : Enumeration<"What a reduction with an index writes, in this order.", [
  Case<"ValueIndex", 0, "ORDER_VALUE_INDEX">, Case<"IndexValue", 1, "ORDER_INDEX_VALUE">, Case<"OnlyValue", 2, "ORDER_ONLY_VALUE">,
  Case<"OnlyIndex", 3, "ORDER_ONLY_INDEX">]> {
  let isAttribute = 1;
  let cppName = "AscendC::ReduceOrder";
  let pythonName = "ReduceOrder";
}

def QuantMode : Enumeration<"Conversion inside a fixpipe.", [
  Case<"NoQuant", 0>, Case<"F322F16", 1>, Case<"F322BF16", 2>, Case<"DEQF16", 3>, Case<"VDEQF16", 4>, Case<"QF322B8_PRE", 5>,
  Case<"VQF322B8_PRE", 6>, Case<"REQ8", 7>, Case<"VREQ8", 8>]> {
  let isAttribute = 1;
  let cppName = "QuantMode_t";
  let pythonName = "QuantModes";
}

def SelMode : Enumeration<"What a select chooses between.", [
  Case<"Register", 0, "VSEL_CMPMASK_SPR">, Case<"TensorScalar", 1, "VSEL_TENSOR_SCALAR_MODE">,
  Case<"TensorTensor", 2, "VSEL_TENSOR_TENSOR_MODE">]> {
  let cppName = "AscendC::SELMODE";
  let pythonName = "SelMode";
}

def HardEvent : Enumeration<"Pairs of pipes that have flags: who sets, and who waits.", [
  Case<"MTE2_MTE1", 0>, Case<"MTE1_MTE2", 1>, Case<"MTE1_M", 2>, Case<"M_MTE1", 3>, Case<"MTE2_V", 4>, Case<"V_MTE2", 5>,
  Case<"MTE3_V", 6>, Case<"V_MTE3", 7>, Case<"M_V", 8>, Case<"V_M", 9>, Case<"V_V", 10>, Case<"MTE3_MTE1", 11>,
  Case<"MTE1_MTE3", 12>, Case<"MTE1_V", 13>, Case<"MTE2_M", 14>, Case<"M_MTE2", 15>, Case<"V_MTE1", 16>, Case<"M_FIX", 17>,
  Case<"FIX_M", 18>, Case<"MTE3_MTE2", 19>, Case<"MTE2_MTE3", 20>, Case<"S_V", 21>, Case<"V_S", 22>, Case<"S_MTE2", 23>,
  Case<"MTE2_S", 24>, Case<"S_MTE3", 25>, Case<"MTE3_S", 26>, Case<"MTE2_FIX", 27>, Case<"FIX_MTE2", 28>, Case<"FIX_S", 29>,
  Case<"M_S", 30>, Case<"FIX_MTE3", 31>, Case<"MTE1_FIX", 32>, Case<"FIX_MTE1", 33>, Case<"FIX_FIX", 34>, Case<"MAX", 35>]> {
  let cppName = "AscendC::HardEvent";
  let pythonName = "HardEvent";
}

def Register : Enumeration<"Registers of a core that operands can be taken from, besides the mask.", [
  Case<"DeqScale", 0>, Case<"FixpipeQuant", 1>, Case<"FixpipeNdNum", 2>, Case<"FixpipeSrcNdStride", 3>, Case<"FixpipeDstNdStride", 4>,
  Case<"Workspace", 5>, Case<"PadValue", 6>, Case<"Hf32", 7>, Case<"Hf32Cut", 8>]>;

def Form : Enumeration<"How a vector call says which elements it works on.", [
  Case<"Plain", 0>, Case<"Count", 1>, Case<"Repeat", 2>]>;

def CostClass : Enumeration<"Rows of a platform's timing table.", [
  Case<"Free", 0>, Case<"OneSource", 1>, Case<"TwoSource", 2>, Case<"Convert", 3>, Case<"Transcendental", 4>, Case<"Divide", 5>,
  Case<"Reciprocal", 6>, Case<"CompareSelect", 7>, Case<"MultiplyAdd", 8>, Case<"ReduceAdd", 9>, Case<"ReduceMax", 10>,
  Case<"Move", 11>, Case<"Cube", 12>, Case<"Scalar", 13>, Case<"Sync", 14>, Case<"ReduceBlock", 15>]>;

#endif // TILESMITH_ISA_ENUMS
