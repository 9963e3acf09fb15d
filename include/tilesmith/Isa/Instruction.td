//===- Instruction.td - What a record of the instruction table says ---------------------------------------------------===//
//
// An instruction is one record. From it tilesmith-tblgen writes the isa op, the Machine's opcode and table entry, the C ABI
// entry, the printer of its Ascend C call, the declaration in include/ascendc, the Python declaration and the page in
// docs/isa. Operand order here is the order everywhere but in Ascend C and Python, whose order the record's calls give.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_ISA_INSTRUCTION
#define TILESMITH_ISA_INSTRUCTION

include "Enums.td"
include "Layout.td"

// Operands. A buffer is an address in one of the named memories; an integer is 64 bits wide; a scalar has the dtype of
// the instruction and travels as its bits; an attribute is a compile-time enumeration value.
class Operand<string operandName, string operandKind> {
  string name = operandName;
  string kind = operandKind; // Buffer, Integer, Scalar, Attribute
  string access = "None";    // None, Read, Write, ReadWrite
  list<string> memories = [];
  string enumeration = "";
  string element = "";       // of a buffer: the element type in Ascend C where it is not the instruction's ("uint8_t")
  string pythonName = "";    // as an argument in Python; empty: the name in snake case
  string register = "";      // of an integer: the Register it is taken from where a call gives TS_AS_SET
  // What an integer may be (expressions, see Layout.td); without `high` it may be anything.
  string low = "0";
  string high = "";
  string multiple = "";      // of which it must be a multiple
  bit isMask = 0;            // names lanes: the first ones by number, or single ones by bits
  int alignment = 0;         // of a buffer in UB: elements its start is a multiple of; 0: that of the memory
}
class Dst<string name, list<string> where = ["UB"], string python = "", int elements = 0> : Operand<name, "Buffer"> {
  let access = "Write";
  let memories = where;
  let pythonName = python;
  let alignment = elements;
}
class Src<string name, list<string> where = ["UB"], string python = "", int elements = 0> : Operand<name, "Buffer"> {
  let access = "Read";
  let memories = where;
  let pythonName = python;
  let alignment = elements;
}
class DstSrc<string name, list<string> where = ["UB"]> : Operand<name, "Buffer"> { let access = "ReadWrite"; let memories = where; }
class Int<string name, string python = ""> : Operand<name, "Integer"> { let pythonName = python; }
class UpTo<string name, string limit, string python = ""> : Int<name, python> { let high = limit; }
class Between<string name, string from, string limit, string python = ""> : UpTo<name, limit, python> { let low = from; }
class Bytes<string name, string limit> : UpTo<name, limit> { let multiple = "size"; } // of whole elements
class Bool<string name, string python = ""> : UpTo<name, "1", python>;
class Byte<string name, string python = ""> : UpTo<name, "255", python>;
class Half<string name, string python = ""> : UpTo<name, "65535", python>;
class Count<string name> : UpTo<name, "2147483648">;
class Mask<string name, string python = ""> : UpTo<name, "perRepeat", python> { let isMask = 1; }
class FromRegister<string name, string from, string limit = ""> : Int<name> { let register = from; let high = limit; }
class Scalar<string name, string python = ""> : Operand<name, "Scalar"> { let pythonName = python; }
class Bits<string name, string python = ""> : Src<name> { let element = "uint8_t"; let pythonName = python; } // of a mask, packed
class Words<string name, string python = ""> : Src<name> { let element = "uint32_t"; let pythonName = python; } // offsets, indices
class Words64<string name, list<string> where = ["UB"]> : Src<name, where> { let element = "uint64_t"; } // scales, as the unit takes them
class BitsDst<string name> : Dst<name> { let element = "uint8_t"; }
class Attr<string name, Enumeration e, string python = ""> : Operand<name, "Attribute"> {
  let enumeration = !cast<string>(e);
  let pythonName = python;
}

// Dtypes an instruction takes on one architecture.
class On<string archName, list<string> types> {
  string arch = archName;
  list<string> dtypes = types;
}
class OnC220<list<string> types> : On<"C220", types>;
class OnC310<list<string> types> : On<"C310", types>;

// Floats of a byte and less: kernels move and multiply them, and compute in wider ones. Two of four bits are one element.
defvar NarrowFloats = ["F8E4M3", "F8E5M2", "HIF8", "F4E2M1", "F4E1M2"];
defvar Floats = ["F16", "F32"];
defvar Ints16and32 = ["I16", "I32"];
defvar AllC310 = ["I8", "U8", "I16", "U16", "F16", "BF16", "I32", "U32", "F32"];
defvar AnyWidth = ["I8", "U8", "I16", "U16", "F16", "BF16", "I32", "U32", "F32", "I64", "U64"];
defvar AnyMoved = !listconcat(AnyWidth, NarrowFloats, ["F8E8M0"]); // on C310

class Instruction<string irName, string cName> {
  string mnemonic = irName;          // isa.<mnemonic>, tsm_<mnemonic>; the repeat form appends "_r"
  string ascendName = cName;         // the Ascend C call
  string pythonName = "";            // the function of the package asc; empty: the Ascend C name in snake case
  string summary = "";
  string family = "";                // of instructions that are executed alike; any name
  string pipe = "";
  string cost = "";
  list<Operand> operands = [];       // of every form
  list<Operand> countOperands = [];  // appended in the count form
  list<Operand> repeatOperands = []; // appended in the repeat form
  list<string> forms = ["Plain"];
  list<Lies> layout = [];            // where the bytes of buffers lie, in every form
  list<Lies> countLayout = [];       // in the count form
  list<Lies> repeatLayout = [];      // in the repeat form
  string execute = "";               // the function of lib/Machine/Exec that computes it; empty: the core does
  bit tellsCore = 0;                 // the function returns a number for the core: what was kept, what lay outside
  string dtypeOf = "dst";            // the operand whose element type is the instruction's dtype
  string dtype2Of = "";              // a second dtype, for conversions
  list<On> dtypes = [];
  bit hasResult = 0;                 // yields a scalar
  // The Ascend C call: arguments in its order, by operand name; `Params{a, b}` builds a parameter struct (Params.td), `'text'`
  // stands for itself. Template arguments come before: `<dst, src>` are element types of operands. Empty where the call is
  // not of this shape: the printer writes it by hand (flags, modes, scalar accesses), an Overload declares it.
  string countCall = "";             // also of the plain form
  string repeatCall = "";
  list<string> pythonForms = [];     // "name(parameters)" of the Python functions, where no call above gives them
  bit keepsMask = 0;                 // the count form leaves the mask register alone; others make all lanes active
  bit inOverload = 0;                // Overload records declare the call (Overload.td): it is one of several instructions
  string element = "";               // the element function ts_el_<element>, where one defines the meaning
  bit inRegisters = 1;               // with an element function: also an instruction on registers, for vector functions
  string example = "";               // as the public manual writes it
}

#endif // TILESMITH_ISA_INSTRUCTION
