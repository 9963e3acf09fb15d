#include "Expressions.h"
#include "Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilesmith::ascendc {

// Expressions longer than this are variables.
static constexpr size_t longestInline = 60;

static unsigned widthOf(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

// A lowering gives the place of a tile to the 64-bit addresses and counts it computes for it, and to the tests of
// these; they are not the tile.
bool Expressions::isNamed(Value value) {
  Type type = value.getType();
  return mlir::isa<NameLoc>(value.getLoc()) && !type.isInteger(64) && !type.isInteger(1) && !type.isIndex();
}

std::string Expressions::name(Value value, StringRef otherwise) {
  if (isNamed(value))
    return names.unique(mlir::cast<NameLoc>(value.getLoc()).getName());
  // A widened scalar is known by the name it had.
  if (auto widened = value.getDefiningOp<arith::ExtSIOp>())
    if (isBound(widened.getIn()))
      return names.unique((variable(widened.getIn()) + "_64").str());
  return names.unique(otherwise);
}

// Text of an operator's operand: anything but a name, a literal or a call is put in parentheses.
static std::string parenthesised(std::string text) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    depth += c == '(';
    depth -= c == ')';
    if (!depth && (c == ' ' || (i == 0 && (c == '-' || c == '!' || c == '~'))))
      return "(" + text + ")";
  }
  return text;
}

std::string Expressions::operand(Value value) { return parenthesised(text(value)); }

std::string Expressions::text(Value value) {
  if (auto found = variables.find(value); found != variables.end())
    return found->second;
  TypedAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && mlir::isa<IntegerAttr, FloatAttr>(constant)) {
    std::string text = literal(constant);
    if (StringRef(text).contains("FloatOf"))
      helpers.call("FloatOf", 0, {});
    return text;
  }
  Operation *op = value.getDefiningOp();
  if (!op) {
    failed = true;
    return "?";
  }
  FailureOr<std::string> result = compute(op);
  return succeeded(result) ? *result : "?";
}

bool Expressions::isInlined(Operation *op) {
  if (auto found = inlined.find(op); found != inlined.end())
    return found->second;
  bool &answer = inlined[op];
  answer = false;
  if (!mlir::isa<arith::ArithDialect>(op->getDialect()) || op->getNumResults() != 1)
    return false;
  if (mlir::isa<arith::ConstantOp>(op))
    return inlined[op] = true;
  Value result = op->getResult(0);
  bool isInteger = mlir::isa<IntegerType, IndexType>(result.getType()) && !result.getType().isInteger(1);
  if (isInteger && ranges.of(result).isOne()) // written as a literal everywhere
    return inlined[op] = true;
  if (!result.hasOneUse() || isNamed(result))
    return false;
  Operation *user = *result.user_begin();
  if (user->getBlock() != op->getBlock())
    return false;
  // The bound and step of a loop are evaluated with every trip.
  if (auto loop = dyn_cast<scf::ForOp>(user); loop && loop.getLowerBound() != result)
    return false;
  FailureOr<std::string> expression = compute(op);
  return inlined[op] = succeeded(expression) && expression->size() <= longestInline;
}

std::string Expressions::unsignedOperand(Value value) {
  if (ranges.of(value).low >= 0)
    return text(value);
  return "static_cast<" + unsignedType(value.getType()) + ">(" + text(value) + ")";
}

// Plain where nothing can wrap, else by a helper.
std::string Expressions::binary(Operation *op, StringRef symbol, StringRef helper) {
  Type type = op->getResult(0).getType();
  Value a = op->getOperand(0), b = op->getOperand(1);
  std::optional<Range> exact = ranges.unwrapped(op);
  bool plain = exact && exact->within(rangeOfType(type));
  if (plain && widthOf(type) >= 32)
    return operand(a) + " " + symbol.str() + " " + operand(b);
  return helpers.call(helper, widthOf(type), {text(a), text(b)});
}

std::string Expressions::divide(Operation *op, StringRef symbol, StringRef helper, bool isSigned) {
  Type type = op->getResult(0).getType();
  Value a = op->getOperand(0), b = op->getOperand(1);
  Range dividend = ranges.of(a), divisor = ranges.of(b), all = rangeOfType(type);
  bool nonZero = divisor.low > 0 || divisor.high < 0;
  bool plain = isSigned ? nonZero && (divisor.low > -1 || divisor.high < -1 || dividend.low > all.low)
                        : divisor.low > 0 && dividend.low >= 0;
  if (plain && widthOf(type) >= 32)
    return operand(a) + " " + symbol.str() + " " + operand(b);
  return helpers.call(helper, widthOf(type), {text(a), text(b)});
}

std::string Expressions::shift(Operation *op) {
  unsigned width = widthOf(op->getResult(0).getType());
  Value a = op->getOperand(0), n = op->getOperand(1);
  Range amount = ranges.of(n);
  bool inside = amount.low >= 0 && amount.high < width && width >= 32;
  if (mlir::isa<arith::ShLIOp>(op)) {
    std::optional<Range> exact = ranges.unwrapped(op);
    if (inside && exact && exact->low >= 0 && exact->within(rangeOfType(op->getResult(0).getType())))
      return operand(a) + " << " + operand(n);
    return helpers.call("ShiftLeft", width, {text(a), unsignedOperand(n)});
  }
  bool logical = mlir::isa<arith::ShRUIOp>(op);
  if (inside && (!logical || ranges.of(a).low >= 0))
    return operand(a) + " >> " + operand(n);
  return helpers.call(logical ? "ShiftRightUnsigned" : "ShiftRight", width, {text(a), unsignedOperand(n)});
}

std::string Expressions::wide(Value value, bool asOperand) {
  if (value.getType().isF32())
    return asOperand ? operand(value) : text(value);
  return widenFloat(text(value), value.getType());
}

// Narrow floats are computed in float and rounded once, which is exact for one operation.
std::string Expressions::floats(Operation *op, StringRef symbol) {
  std::string text = wide(op->getOperand(0)) + " " + symbol.str() + " " + wide(op->getOperand(1));
  return narrowFloat(text, op->getResult(0).getType());
}

std::string Expressions::compare(Operation *op) {
  if (auto cmp = dyn_cast<arith::CmpIOp>(op)) {
    static constexpr StringRef symbols[] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};
    auto predicate = cmp.getPredicate();
    Value a = cmp.getLhs(), b = cmp.getRhs();
    std::string symbol = (" " + symbols[unsigned(predicate)] + " ").str();
    bool asUnsigned = predicate >= arith::CmpIPredicate::ult;
    if (asUnsigned && (ranges.of(a).low < 0 || ranges.of(b).low < 0)) {
      std::string type = "static_cast<" + unsignedType(a.getType()) + ">(";
      return type + text(a) + ")" + symbol + type + text(b) + ")";
    }
    return operand(a) + symbol + operand(b);
  }
  auto cmp = mlir::cast<arith::CmpFOp>(op);
  std::string a = wide(cmp.getLhs()), b = wide(cmp.getRhs());
  auto with = [&](StringRef symbol) { return a + " " + symbol.str() + " " + b; };
  using P = arith::CmpFPredicate;
  switch (cmp.getPredicate()) {
  case P::AlwaysFalse:
    return "false";
  case P::AlwaysTrue:
    return "true";
  case P::OEQ:
    return with("==");
  case P::OGT:
    return with(">");
  case P::OGE:
    return with(">=");
  case P::OLT:
    return with("<");
  case P::OLE:
    return with("<=");
  case P::UNE:
    return with("!=");
  case P::ONE:
    return with("<") + " || " + with(">");
  case P::UEQ:
    return "!(" + with("<") + " || " + with(">") + ")";
  case P::UGT:
    return "!(" + with("<=") + ")";
  case P::UGE:
    return "!(" + with("<") + ")";
  case P::ULT:
    return "!(" + with(">=") + ")";
  case P::ULE:
    return "!(" + with(">") + ")";
  case P::ORD:
    return a + " == " + a + " && " + b + " == " + b;
  case P::UNO:
    return a + " != " + a + " || " + b + " != " + b;
  }
  return "";
}

std::string Expressions::convert(Operation *op) {
  Value source = op->getOperand(0);
  Type from = source.getType(), to = op->getResult(0).getType();
  auto castTo = [&](StringRef type, const std::string &value) {
    return ("static_cast<" + type + ">(" + value + ")").str();
  };
  if (mlir::isa<arith::ExtSIOp>(op) && from.isInteger(1))
    return castTo(cppType(to), operand(source) + " ? -1 : 0");
  if (mlir::isa<arith::TruncIOp>(op) && to.isInteger(1))
    return "(" + operand(source) + " & 1) != 0";
  if (mlir::isa<arith::ExtUIOp, arith::IndexCastUIOp>(op) && !from.isInteger(1) && ranges.of(source).low < 0)
    return castTo(cppType(to), castTo(unsignedType(from), text(source)));
  if (mlir::isa<arith::ExtFOp>(op))
    return wide(source, /*asOperand=*/false);
  if (mlir::isa<arith::TruncFOp>(op))
    return narrowFloat(wide(source, /*asOperand=*/false), to);
  if (mlir::isa<arith::SIToFPOp>(op))
    return narrowFloat(castTo("float", from.isInteger(1) ? operand(source) + " ? -1 : 0" : text(source)), to);
  if (mlir::isa<arith::UIToFPOp>(op))
    return narrowFloat(castTo("float", unsignedOperand(source)), to);
  if (mlir::isa<arith::FPToSIOp>(op))
    return helpers.call("ToInt", widthOf(to), {wide(source, false)});
  if (mlir::isa<arith::FPToUIOp>(op))
    return helpers.call("ToUnsigned", widthOf(to), {wide(source, false)});
  return castTo(cppType(to), text(source));
}

FailureOr<std::string> Expressions::compute(Operation *op) {
  auto unsupported = [&]() -> FailureOr<std::string> {
    if (!std::exchange(failed, true))
      op->emitOpError() << "cannot be written as Ascend C";
    return failure();
  };
  if (op->getNumResults() != 1)
    return unsupported();
  Type type = op->getResult(0).getType();
  if (mlir::isa<VectorType, TensorType>(type) || cppType(type).empty())
    return unsupported();
  // What has one value only is that value.
  if (mlir::isa<IntegerType, IndexType>(type) && !type.isInteger(1) && mlir::isa<arith::ArithDialect>(op->getDialect()))
    if (Range range = ranges.of(op->getResult(0)); range.isOne())
      return literal(int64_t(range.low), widthOf(type));

  auto call = [&](StringRef helper) {
    return helpers.call(helper, widthOf(type), {text(op->getOperand(0)), text(op->getOperand(1))});
  };
  auto logical = [&](StringRef symbol, StringRef ofBool) {
    std::string a = operand(op->getOperand(0)), b = operand(op->getOperand(1));
    std::string text = a + " " + (type.isInteger(1) ? ofBool : symbol).str() + " " + b;
    return widthOf(type) < 32 && !type.isInteger(1) ? ("static_cast<" + cppType(type) + ">(" + text + ")").str() : text;
  };
  return llvm::TypeSwitch<Operation *, FailureOr<std::string>>(op)
      .Case<arith::AddIOp>([&](auto) { return binary(op, "+", "WrapAdd"); })
      .Case<arith::SubIOp>([&](auto) { return binary(op, "-", "WrapSub"); })
      .Case<arith::MulIOp>([&](auto) { return binary(op, "*", "WrapMul"); })
      .Case<arith::DivSIOp>([&](auto) { return divide(op, "/", "Div", true); })
      .Case<arith::RemSIOp>([&](auto) { return divide(op, "%", "Rem", true); })
      .Case<arith::DivUIOp>([&](auto) { return divide(op, "/", "DivUnsigned", false); })
      .Case<arith::RemUIOp>([&](auto) { return divide(op, "%", "RemUnsigned", false); })
      .Case<arith::FloorDivSIOp>([&](auto) { return call("FloorDiv"); })
      .Case<arith::CeilDivSIOp>([&](auto) { return call("CeilDiv"); })
      .Case<arith::CeilDivUIOp>([&](auto) { return call("CeilDivUnsigned"); })
      .Case<arith::MinSIOp>([&](auto) { return call("Min"); })
      .Case<arith::MaxSIOp>([&](auto) { return call("Max"); })
      .Case<arith::MinUIOp>([&](auto) { return call("MinUnsigned"); })
      .Case<arith::MaxUIOp>([&](auto) { return call("MaxUnsigned"); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>([&](auto) { return shift(op); })
      .Case<arith::AndIOp>([&](auto) { return logical("&", "&&"); })
      .Case<arith::OrIOp>([&](auto) { return logical("|", "||"); })
      .Case<arith::XOrIOp>([&](auto) {
        if (type.isInteger(1) && matchPattern(op->getOperand(1), m_One()))
          return "!" + operand(op->getOperand(0));
        return logical("^", "!=");
      })
      .Case<arith::CmpIOp, arith::CmpFOp>([&](auto) { return compare(op); })
      .Case<arith::SelectOp>([&](auto) {
        std::string text =
            operand(op->getOperand(0)) + " ? " + operand(op->getOperand(1)) + " : " + operand(op->getOperand(2));
        bool literals = matchPattern(op->getOperand(1), m_Constant()) && matchPattern(op->getOperand(2), m_Constant());
        // Two literals would make an int of any other integer.
        return literals && widthOf(type) != 32 ? ("static_cast<" + cppType(type) + ">(" + text + ")").str() : text;
      })
      .Case<arith::AddFOp>([&](auto) { return floats(op, "+"); })
      .Case<arith::SubFOp>([&](auto) { return floats(op, "-"); })
      .Case<arith::MulFOp>([&](auto) { return floats(op, "*"); })
      .Case<arith::DivFOp>([&](auto) { return floats(op, "/"); })
      .Case<arith::RemFOp>([&](auto) {
        return narrowFloat(
            helpers.call("RemFloat", 0, {wide(op->getOperand(0), false), wide(op->getOperand(1), false)}), type);
      })
      .Case<arith::NegFOp>([&](auto) { return narrowFloat("-" + wide(op->getOperand(0)), type); })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtFOp,
            arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp>(
          [&](auto) { return convert(op); })
      .Case<arith::BitcastOp>([&](auto) {
        // The same bits with another sign.
        return mlir::isa<IntegerType>(type) && mlir::isa<IntegerType>(op->getOperand(0).getType())
                   ? FailureOr<std::string>(convert(op))
                   : unsupported();
      })
      .Default([&](Operation *) { return unsupported(); });
}

} // namespace tilesmith::ascendc
