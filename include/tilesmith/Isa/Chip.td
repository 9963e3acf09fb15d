//===- Chip.td - Rules of the chip ------------------------------------------------------------------------------------===//
//
// What holds for every part of an architecture, whatever its clock and however many cores it has (those are numbers of a
// platform): the kinds of cores, the events they have, what a pipe orders by itself, sizes and ids. Each rule names its source.
//
// tilesmith-tblgen -gen-chip writes Isa/Chip.h.inc from it, -gen-ascendc-chip the numbers for include/ascendc; docs/isa/chip.md
// shows it. Who places flags and who checks them reason apart, but from these lines.
//
// Casts are those of ADK's table of Cast.
//
// Sources: ADK is the Ascend C developer kit, its documents and headers; INFERRED is our own conclusion.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_ISA_CHIP
#define TILESMITH_ISA_CHIP

include "Enums.td"

// A number of the chip, by its name in C++ (isa::blockBytes; tilesmith::chip::blockBytes in the headers for kernels).
class ChipNumber<int number, string text, string from> {
  int value = number;
  string summary = text;
  string source = from;
}

def blockBytes : ChipNumber<32, "Bytes of a block: what UB and L1 are moved and strided in.", "ADK DataCopy">;
def repeatBytes : ChipNumber<256, "Bytes a vector instruction works on in one repeat, and of a vector register.",
                             "ADK vector instructions">;
def fractalBytes : ChipNumber<512, "Bytes of a fractal of L0A and L0B: 16 rows of one block.", "ADK Mmad">;
def scaleFractalBytes : ChipNumber<32, "Bytes of a fractal of scales: 16 rows of two, each the scale of 32 values along k.", "ADK MmadMx">;
def scaledValues : ChipNumber<32, "Values along k that share a scale.", "ADK MmadMx">;
def fractalRows : ChipNumber<16, "Rows of a fractal, and columns of a fractal of results.", "ADK Mmad">;

def unitFlagBytes : ChipNumber<512, "Bytes of L0C that a product and a write-out hand each other at once, by unitFlag.", "ADK Mmad">;

def mmadFollowFractals : ChipNumber<10, "Fractals of results from which on an mmad may follow another one into the same part of L0C "
                                        "without a barrier. Whole fractals count.",
                                    "ADK Mmad: a barrier when (m / 16) * (n / 16) < 10. The quotients are those of integers: a part "
                                    "of a fractal is not relied on, so that doubt asks for a barrier">;

def flagIds : ChipNumber<8, "Flags of each pair of pipes.", "ADK SetFlag">;
def userFlagIds : ChipNumber<6, "The first of them are free for kernels; 6 is reserved, 7 is used by TPipe.", "ADK SetFlag">;
def crossFlagIds : ChipNumber<16, "Flags between cores.", "ADK CrossCoreSetFlag">;
def userCrossFlagIds : ChipNumber<11, "The first of them are free for kernels; from here on SyncAll uses them.", "ADK CrossCoreSetFlag">;
def syncAllFlagId : ChipNumber<13, "The flag by which SyncAll of all cores counts in the model.", "ADK SyncAll uses 11 to 14">;
def syncAllVectorFlagId : ChipNumber<14, "The flag by which SyncAll of the vector cores counts in the model.", "ADK SyncAll uses 11 to 14">;
def crossFlagLimit : ChipNumber<15, "Sets of a flag between cores that may be pending.", "ADK CrossCoreSetFlag">;
def secondVectorFlagOffset : ChipNumber<16, "In mode 4 the flags of the second vector core of a block start here.", "ADK CrossCoreSetFlag">;
def bufferIds : ChipNumber<32, "Ids of get_buf and rls_buf.", "ADK Mutex">;
def userBufferIds : ChipNumber<28, "The first of them are free for kernels.", "ADK Mutex">;

def vectorCoresPerCube : ChipNumber<2, "Vector cores beside each cube core of a block that has both.", "ADK, INI: 1 to 2 on every part">;
def mostBlocks : ChipNumber<65535, "Blocks of a launch, at most.", "ADK: a kernel is called with 1 to 65535 blocks">;

// Start addresses in a memory. `alignment` is what the chip asks of an operand. `granule` is what a planner hands out: in L0
// whole fractals, so that no instruction's fractal is torn.
class MemoryRule<string of, int align, int whole, string from> {
  string memory = of;
  int alignment = align;
  int granule = whole;
  string source = from;
}
def : MemoryRule<"GM", 1, 32, "ADK">;
def : MemoryRule<"UB", 32, 32, "ADK">;
def : MemoryRule<"L1", 32, 32, "ADK">;
def : MemoryRule<"L0A", 512, 512, "ADK">;
def : MemoryRule<"L0B", 512, 512, "ADK">;
def : MemoryRule<"L0C", 64, 1024, "ADK; a fractal of results is 16 x 16 x 4 bytes">;
def : MemoryRule<"BT", 64, 64, "ADK">;
def : MemoryRule<"FB", 64, 64, "ADK; its page of constraints says 128">;
def : MemoryRule<"L0AMX", 32, 32, "ADK: a fractal of scales has 32 bytes">;
def : MemoryRule<"L0BMX", 32, 32, "ADK: a fractal of scales has 32 bytes">;

// A kind of core: what it has. Events are those of HardEvent, whose names say who sets and who waits.
class CoreRule<string of, list<string> on> {
  string kind = of;
  list<string> archs = on;
  string source = "";
  list<string> pipes = [];
  list<string> memories = [];
  list<string> events = [];
}
def : CoreRule<"AIC", ["C220"]> {
  let source = "ADK kernel_event.h, HardEventAic";
  let pipes = ["S", "M", "MTE1", "MTE2", "MTE3", "FIX"];
  let memories = ["GM", "L1", "L0A", "L0B", "L0C", "BT", "FB"];
  let events = ["MTE2_MTE1", "MTE1_MTE2", "MTE1_M", "M_MTE1", "MTE3_MTE1", "MTE1_MTE3", "MTE2_M", "M_MTE2", "M_FIX", "FIX_M",
                "MTE3_MTE2", "MTE2_MTE3", "S_MTE2", "MTE2_S", "S_MTE3", "MTE3_S", "MTE2_FIX", "FIX_MTE2", "FIX_S", "M_S",
                "FIX_MTE3", "MTE1_FIX", "FIX_MTE1", "FIX_FIX"];
}
def : CoreRule<"AIC", ["C310"]> {
  let source = "ADK kernel_event.h: results leave by FIX alone, there is no MTE3";
  let pipes = ["S", "M", "MTE1", "MTE2", "FIX"];
  let memories = ["GM", "L1", "L0A", "L0B", "L0C", "BT", "FB", "L0AMX", "L0BMX"];
  let events = ["MTE2_MTE1", "MTE1_MTE2", "MTE1_M", "M_MTE1", "MTE2_M", "M_MTE2", "M_FIX", "FIX_M", "S_MTE2", "MTE2_S", "MTE2_FIX",
                "FIX_MTE2", "FIX_S", "M_S", "MTE1_FIX", "FIX_MTE1", "FIX_FIX"];
}
def : CoreRule<"AIV", ["C220", "C310"]> {
  let source = "ADK kernel_event.h, HardEventAiv";
  let pipes = ["S", "V", "MTE2", "MTE3"];
  let memories = ["GM", "UB"];
  let events = ["MTE2_V", "V_MTE2", "MTE3_V", "V_MTE3", "V_V", "MTE3_MTE2", "MTE2_MTE3", "S_V", "V_S", "S_MTE2", "MTE2_S",
                "S_MTE3", "MTE3_S"];
}

// What an architecture orders by itself, and what it has for cores to wait for each other.
class ArchRule<string of> {
  string arch = of;
  string source = "";
  list<string> ordersItself = []; // pipes whose instructions see the effects of earlier ones of the same pipe without a barrier
  list<int> crossModes = [];      // of flags between cores
  bit hasBufferIds = 0;           // get_buf and rls_buf
}
def : ArchRule<"C220"> {
  let source = "ADK: dependent vector instructions need a barrier; CrossCoreSetFlag";
  let ordersItself = ["S"];
  let crossModes = [0, 1, 2];
}
def : ArchRule<"C310"> {
  let source = "ADK: vector functions are ordered by the hardware; CrossCoreSetFlag; Mutex";
  let ordersItself = ["S", "V"];
  let crossModes = [0, 1, 2, 4];
  let hasBufferIds = 1;
}

// What one Cast converts, in UB and on registers; 64-bit types in UB only. Whatever is not here takes several steps.
class CastRule<string of, list<string> on, list<string> targets> {
  string from = of;
  list<string> archs = on;
  list<string> to = targets;
}
defvar both = ["C220", "C310"];
def : CastRule<"F16", both, ["I8", "U8", "I16", "I32", "F32"]>;
def : CastRule<"F16", ["C310"], ["BF16"]>;
def : CastRule<"BF16", both, ["I32", "F32"]>;
def : CastRule<"BF16", ["C310"], ["F16"]>;
def : CastRule<"F32", both, ["I16", "F16", "BF16", "I32", "I64", "F32"]>; // to itself: rounds to a whole number
def : CastRule<"I8", both, ["F16"]>;
def : CastRule<"I8", ["C310"], ["I16", "I32"]>;
def : CastRule<"U8", both, ["F16"]>;
def : CastRule<"U8", ["C310"], ["U16", "U32"]>;
def : CastRule<"I16", both, ["F16", "F32"]>;
def : CastRule<"I16", ["C310"], ["U8", "I32", "U32"]>;
def : CastRule<"U16", ["C310"], ["U8", "U32"]>;
def : CastRule<"I32", both, ["I16", "F32", "I64"]>;
def : CastRule<"I32", ["C310"], ["U8", "U16"]>;
def : CastRule<"U32", ["C310"], ["U8", "I16", "U16"]>;
def : CastRule<"I64", both, ["I32", "F32"]>;

#endif // TILESMITH_ISA_CHIP
