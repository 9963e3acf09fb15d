//===- DTypes.td - Element types --------------------------------------------------------------------------------------===//
//
// One row per type; names and sizes everywhere (the Machine, the IR, the front end, Python, the printer, arguments) come from it.
// Values are part of the C ABI: append, never renumber. Which instructions take a type stands in their records.
//
//===------------------------------------------------------------------------------------------------------------------===//

class ElementType<string spelled, int number, string sort, int wide, string python, string ascend, string uses,
                  list<string> aliases> : Case<spelled, number> {
  string kind = sort;                 // Float, Int, Uint, Void
  int width = wide;                   // in bits
  string pythonName = python;         // asc.<name>
  list<string> pythonAliases = aliases;
  string ascendName = ascend;         // empty: Ascend C has no such type
  // What a kernel does with it today: nothing but name it (Named), compute with scalars (Scalars), hold tiles and arrays (Tiles).
  string use = uses;
  string mlirType = "";               // of a float: the class in namespace mlir; empty: MLIR has none
  int exponent = 0;                   // bits of a float; 0: their number differs from value to value
  int mantissa = 0;
}
class Real<string spelled, int number, int width, int exponentBits, int mantissaBits, string python, string ascend, string mlir,
           string uses = "Tiles", list<string> aliases = []>
    : ElementType<spelled, number, "Float", width, python, ascend, uses, aliases> {
  let mlirType = mlir;
  let exponent = exponentBits;
  let mantissa = mantissaBits;
}
class Signed<string spelled, int number, int width, string python, string ascend, string uses = "Tiles", list<string> aliases = []>
    : ElementType<spelled, number, "Int", width, python, ascend, uses, aliases>;
class Unsigned<string spelled, int number, int width, string python, string ascend>
    : ElementType<spelled, number, "Uint", width, python, ascend, "Tiles", []>;

def DType : Enumeration<"Element types.", [
  Real<"F16", 0, 16, 5, 10, "float16", "half", "Float16Type", "Tiles", ["half"]>,
  Real<"BF16", 1, 16, 8, 7, "bfloat16", "bfloat16_t", "BFloat16Type">,
  Real<"F32", 2, 32, 8, 23, "float32", "float", "Float32Type", "Tiles", ["float_"]>,
  Signed<"I8", 3, 8, "int8", "int8_t", "Tiles", ["bool_"]>,
  Signed<"I16", 4, 16, "int16", "int16_t">,
  Signed<"I32", 5, 32, "int32", "int32_t", "Tiles", ["int_"]>,
  Signed<"I64", 6, 64, "int64", "int64_t">,
  Unsigned<"U8", 7, 8, "uint8", "uint8_t">,
  Unsigned<"U16", 8, 16, "uint16", "uint16_t">,
  Unsigned<"U32", 9, 32, "uint32", "uint32_t">,
  Unsigned<"U64", 10, 64, "uint64", "uint64_t">,
  Signed<"I1", 11, 1, "int1", "bool", "Tiles", ["bit"]>, // the result of a comparison
  Real<"F64", 12, 64, 11, 52, "float64", "", "Float64Type", "Scalars", ["double"]>,
  ElementType<"Void", 13, "Void", 0, "void", "void", "Scalars", []>,
  Real<"F8E4M3", 14, 8, 4, 3, "float8_e4m3fn", "fp8_e4m3fn_t", "Float8E4M3FNType", "Named">,
  Real<"F8E5M2", 15, 8, 5, 2, "float8_e5m2", "fp8_e5m2_t", "Float8E5M2Type", "Named">,
  Real<"HIF8", 16, 8, 0, 0, "hifloat8", "hifloat8_t", "", "Named">,
  Real<"F4E2M1", 17, 4, 2, 1, "float4_e2m1", "fp4x2_e2m1_t", "Float4E2M1FNType", "Named">,
  Real<"F4E1M2", 18, 4, 1, 2, "float4_e1m2", "fp4x2_e1m2_t", "", "Named">,
  Signed<"I4", 19, 4, "int4", "int4b_t", "Named">,
  Real<"F8E8M0", 20, 8, 8, 0, "float8_e8m0fnu", "fp8_e8m0_t", "Float8E8M0FNUType", "Named">]>; // a power of two: the scale of a block
