//===- GraphEnums.td - Kinds of graph operations ---------------------------------------------------------------------===//
#ifndef TILESMITH_DIALECT_GRAPH_ENUMS
#define TILESMITH_DIALECT_GRAPH_ENUMS

include "mlir/IR/EnumAttr.td"

class Graph_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tilesmith::graph";
}
class G<string sym, int value, string str> : I32EnumAttrCase<sym, value, str>;

// Those after `silu` are composites, which expand-composites writes as chains of the others.
def Graph_UnaryKind : Graph_Enum<"UnaryKind", "element-wise function of one tensor", [
  G<"Abs", 0, "abs">, G<"Neg", 1, "neg">, G<"Exp", 2, "exp">, G<"Exp2", 3, "exp2">, G<"Log", 4, "log">, G<"Log2", 5, "log2">,
  G<"Sqrt", 6, "sqrt">, G<"Rsqrt", 7, "rsqrt">, G<"Relu", 8, "relu">, G<"Erf", 9, "erf">, G<"Sin", 10, "sin">,
  G<"Cos", 11, "cos">, G<"Tan", 12, "tan">, G<"Sinh", 13, "sinh">, G<"Cosh", 14, "cosh">, G<"Tanh", 15, "tanh">,
  G<"Floor", 16, "floor">, G<"Ceil", 17, "ceil">, G<"Not", 18, "not">, G<"Reciprocal", 19, "reciprocal">,
  G<"Log1p", 20, "log1p">, G<"Expm1", 21, "expm1">, G<"Sigmoid", 22, "sigmoid">, G<"Silu", 23, "silu">,
  G<"Log10", 24, "log10">, G<"Erfc", 25, "erfc">, G<"Trunc", 26, "trunc">, G<"Round", 27, "round">]>;

def Graph_BinaryKind : Graph_Enum<"BinaryKind", "element-wise function of two tensors, or a tensor and a scalar", [
  G<"Add", 0, "add">, G<"Sub", 1, "sub">, G<"Mul", 2, "mul">, G<"Div", 3, "div">, G<"Max", 4, "max">, G<"Min", 5, "min">,
  G<"Shl", 6, "shl">, G<"Shr", 7, "shr">, G<"And", 8, "and">, G<"Or", 9, "or">, G<"Xor", 10, "xor">, G<"Rem", 11, "rem">, G<"Mod", 12, "mod">,
  G<"Pow", 13, "pow">]>;

#endif // TILESMITH_DIALECT_GRAPH_ENUMS
