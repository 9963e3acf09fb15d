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
}
class Dst<string name, list<string> where = ["UB"], string python = ""> : Operand<name, "Buffer"> {
  let access = "Write";
  let memories = where;
  let pythonName = python;
}
class Src<string name, list<string> where = ["UB"], string python = ""> : Operand<name, "Buffer"> {
  let access = "Read";
  let memories = where;
  let pythonName = python;
}
class DstSrc<string name, list<string> where = ["UB"]> : Operand<name, "Buffer"> { let access = "ReadWrite"; let memories = where; }
class Int<string name, string python = ""> : Operand<name, "Integer"> { let pythonName = python; }
class FromRegister<string name, string from> : Int<name> { let register = from; }
class Scalar<string name, string python = ""> : Operand<name, "Scalar"> { let pythonName = python; }
class Bits<string name, string python = ""> : Src<name> { let element = "uint8_t"; let pythonName = python; } // of a mask, packed
class Words<string name, string python = ""> : Src<name> { let element = "uint32_t"; let pythonName = python; } // offsets, indices
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

defvar Floats = ["F16", "F32"];
defvar Ints16and32 = ["I16", "I32"];
defvar AllC310 = ["I8", "U8", "I16", "U16", "F16", "BF16", "I32", "U32", "F32"];
defvar AnyWidth = ["I8", "U8", "I16", "U16", "F16", "BF16", "I32", "U32", "F32", "I64", "U64"];

class Instruction<string irName, string cName> {
  string mnemonic = irName;          // isa.<mnemonic>, tsm_<mnemonic>; the repeat form appends "_r"
  string ascendName = cName;         // the Ascend C call
  string pythonName = "";            // the function of the package asc; empty: the Ascend C name in snake case
  string summary = "";
  string family = "";
  string pipe = "";
  string cost = "";
  list<Operand> operands = [];       // of every form
  list<Operand> countOperands = [];  // appended in the count form
  list<Operand> repeatOperands = []; // appended in the repeat form
  list<string> forms = ["Plain"];
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
