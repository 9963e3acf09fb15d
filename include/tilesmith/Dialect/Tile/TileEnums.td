//===- TileEnums.td - Kinds of tile operations -----------------------------------------------------------------------===//
#ifndef TILESMITH_DIALECT_TILE_ENUMS
#define TILESMITH_DIALECT_TILE_ENUMS

include "mlir/IR/EnumAttr.td"

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tilesmith::tile";
}
class K<string sym, int value, string str> : I32EnumAttrCase<sym, value, str>;

def Tile_UnaryKind : Tile_Enum<"UnaryKind", "element-wise function of one tile", [
  K<"Abs", 0, "abs">, K<"Neg", 1, "neg">, K<"Exp", 2, "exp">, K<"Exp2", 3, "exp2">, K<"Log", 4, "log">, K<"Log2", 5, "log2">,
  K<"Sqrt", 6, "sqrt">, K<"Rsqrt", 7, "rsqrt">, K<"Relu", 8, "relu">, K<"Erf", 9, "erf">, K<"Sin", 10, "sin">, K<"Cos", 11, "cos">,
  K<"Tan", 12, "tan">, K<"Sinh", 13, "sinh">, K<"Cosh", 14, "cosh">, K<"Tanh", 15, "tanh">, K<"Floor", 16, "floor">,
  K<"Ceil", 17, "ceil">, K<"Not", 18, "not">, K<"Reciprocal", 19, "reciprocal">, K<"Log1p", 20, "log1p">, K<"Expm1", 21, "expm1">,
  K<"Sigmoid", 22, "sigmoid">, K<"Silu", 23, "silu">, K<"Softplus", 24, "softplus">, K<"Gelu", 25, "gelu">]>;

def Tile_BinaryKind : Tile_Enum<"BinaryKind", "element-wise function of two tiles, or a tile and a scalar", [
  K<"Add", 0, "add">, K<"Sub", 1, "sub">, K<"Mul", 2, "mul">, K<"Div", 3, "div">, K<"Max", 4, "max">, K<"Min", 5, "min">,
  K<"Shl", 6, "shl">, K<"Shr", 7, "shr">, K<"And", 8, "and">, K<"Or", 9, "or">, K<"Xor", 10, "xor">, K<"Rem", 11, "rem">,
  K<"Mod", 12, "mod">, K<"Pow", 13, "pow">]>;

def Tile_CompareKind : Tile_Enum<"CompareKind", "comparison", [
  K<"LT", 0, "lt">, K<"GT", 1, "gt">, K<"EQ", 2, "eq">, K<"LE", 3, "le">, K<"GE", 4, "ge">, K<"NE", 5, "ne">]>;

def Tile_ReduceKind : Tile_Enum<"ReduceKind", "reduction", [
  K<"Sum", 0, "sum">, K<"Max", 1, "max">, K<"Min", 2, "min">, K<"Prod", 3, "prod">]>;

def Tile_ArgKind : Tile_Enum<"ArgKind", "which element of a row is looked for", [K<"Max", 0, "max">, K<"Min", 1, "min">]>;

def Tile_AtomicKind : Tile_Enum<"AtomicKind", "what an atomic store does", [
  K<"Add", 1, "add">, K<"Max", 2, "max">, K<"Min", 3, "min">]>;

#endif // TILESMITH_DIALECT_TILE_ENUMS
