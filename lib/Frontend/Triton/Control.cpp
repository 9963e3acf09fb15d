// The grid, loops, hints and messages.
#include "Program.h"

namespace tilesmith::frontend::triton {

Value programId(Program &p, const Arguments &args) {
  std::optional<int64_t> axis = p.l.expect.integer(args[0], "axis");
  if (!axis)
    return {};
  if (*axis < 0 || *axis > 2)
    return p.fail(args[0].range, "ValueError", "program_id axis must be 0, 1, or 2 but got " + llvm::Twine(*axis));
  // Programs are numbered along the first axis, then the second.
  Value index =
      Value::ofScalar(tile::BlockIdxOp::create(p.builder(), p.loc(args.range), p.l.ir.type(DType::I32)), DType::I32);
  auto isOne = [&](int i) { return p.grid[i].isHost(); };
  if (isOne(*axis) && !(isOne(0) && isOne(1) && isOne(2)))
    return Value::ofScalar(p.l.ir.i32(0, args.range), DType::I32);
  for (int i = 0; i < *axis; ++i)
    if (!isOne(i))
      index = p.binary(Op::FloorDiv, index, p.grid[i], args.range);
  bool isLast = true;
  for (int i = *axis + 1; i < 3; ++i)
    isLast &= isOne(i);
  return isLast ? index : p.binary(Op::Mod, index, p.grid[*axis], args.range);
}

Value numPrograms(Program &p, const Arguments &args) {
  std::optional<int64_t> axis = p.l.expect.integer(args[0], "axis");
  if (!axis)
    return {};
  if (*axis < 0 || *axis > 2)
    return p.fail(args[0].range, "ValueError", "num_programs axis must be 0, 1, or 2 but got " + llvm::Twine(*axis));
  return p.convert(p.grid[*axis], DType::I32, args.range);
}

static Value loop(Program &p, const Arguments &args, bool isStatic) {
  bool allKnown = llvm::all_of(args.rest, [](const Argument &bound) { return bound.value.isHost(); });
  Value result = makeRange(p.l, args, isStatic);
  // Backwards, where everything is known: unrolled.
  if (result && !isStatic && allKnown && args.rest.size() == 3 && p.host.asInt(args.rest[2].value.host).value_or(1) < 0)
    result.range().isStatic = true;
  return result;
}
Value staticRange(Program &p, const Arguments &args) { return loop(p, args, true); }
Value range(Program &p, const Arguments &args) { return loop(p, args, false); }

Value staticAssert(Program &p, const Arguments &args) {
  Truth truth = p.values.truth(args[0].value, args[0].range);
  if (!truth.valid)
    return {};
  if (!truth.isKnown)
    return p.fail(args[0].range, "TypeError",
                  "static_assert needs a condition known while compiling, not " + p.describe(args[0].value),
                  "tl.device_assert checks when the kernel runs");
  if (truth.known)
    return p.none();
  std::string text = args[1] && args[1].value.isHost() ? p.host.asString(args[1].value.host).value_or("") : "";
  return p.fail(args.range, "AssertionError", text.empty() ? "static assertion failed" : text);
}

Value accept(Program &p, const Arguments &) { return p.none(); }
Value same(Program &, const Arguments &args) { return args[0].value; }

Value devicePrint(Program &p, const Arguments &args) {
  std::string format = args[0].value.isHost() ? p.host.asString(args[0].value.host).value_or("") : "";
  std::string text;
  for (char c : format) // braces of the prefix are text
    text += c == '{' ? "{{" : c == '}' ? "}}" : std::string(1, c);
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<mlir::Attribute> dtypes;
  for (const Argument &argument : args.rest) {
    Value value = argument.value;
    if (!p.isValue(value))
      return p.fail(argument.range, "TypeError",
                    "tl.device_print prints tensors and numbers, not " + p.describe(value));
    if (value.isHost())
      value = p.convert(value, p.values.dtypeOf(value), argument.range);
    if (isTensor(value) && elementOf(value) == DType::I1)
      value = p.convert(value, DType::I32, argument.range);
    if (!value)
      return {};
    text += " {}";
    values.push_back(value.ir);
    dtypes.push_back(p.builder().getStringAttr(name(p.values.dtypeOf(value))));
  }
  tile::PrintOp::create(p.builder(), p.loc(args.range), text, values, p.builder().getArrayAttr(dtypes));
  return p.none();
}

} // namespace tilesmith::frontend::triton
