//===- Overload.td - Calls that are one instruction or another -------------------------------------------------------===//
//
// An overload is one way to write a call in Ascend C that is not a row of one instruction's operands (those stand in the
// instruction's record). It names its parameters, what must hold, and the instructions it can be: the first way whose
// condition holds, with a value for each operand. The headers' function templates come from it; as JSON (-gen-json) it says
// the same to whatever else has to choose.
//
// Values are expressions in C's operators on 64-bit integers. A name is a parameter, `params.member` a member of its struct,
// `Enumeration::Case` an enumerator. A tensor is its address, in bytes. Besides these there are
//   memory(t), bytes(t), elements(t)   where a tensor lies and how long it is
//   sizeof(T), lanes(T), lanes(T, U)   bytes of an element; elements of a repeat of the widest type
//   same(T, U), T(x), min(a, b)        of types; a number as one of type T
//   scales(t)                          where the scales of a factor in L0A or L0B lie
//   register(R), asSet                 what a register holds now; what it holds when the operand is used
//   from(event), to(event)             the pipes of a HardEvent
//   i                                  the number of the call, where there are several
// An operand without a value is the parameter of its name, or the member of its name.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_ISA_OVERLOAD
#define TILESMITH_ISA_OVERLOAD

include "Instruction.td"

// What must hold; otherwise the call is a finding with this text. Conditions on types alone do not compile otherwise.
class Must<string that, string text> {
  string condition = that;
  string finding = text;
}
class Way<Instruction instruction, string formName, list<string> operands = [], string condition = "", string calls = ""> {
  Instruction to = instruction;
  string form = formName;
  list<string> values = operands; // "operand = expression"
  string when = condition;        // empty: always
  string times = calls;           // how many calls; empty: one
}
// Parameters are "type name" or "type name = default". `Mask` is a number of first lanes or an array of bits, `T` a number of
// the type of a tensor's elements.
class Overload<string name, string parameters, list<Way> choices> {
  string publicName = name;
  string signature = parameters;
  list<Way> ways = choices;
  string summary = "";
  string options = "";   // template parameters behind those of types
  string where = "";     // a condition on types without which there is no such call
  list<Must> musts = [];
  string otherwise = ""; // the finding when no way's condition holds; empty: nothing happens then
}

#endif // TILESMITH_ISA_OVERLOAD
