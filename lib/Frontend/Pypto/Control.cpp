// Loops, numbers of the scalar code, and what is in force for the operations that follow.
#include "Operator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend::pypto {

namespace arith = mlir::arith;

// Loops ------------------------------------------------------------------------------------------------------------

static Value rangeOf(Operator &o, const Arguments &args, const Argument &parallel) {
  if (args.rest.empty() || args.rest.size() > 3)
    return o.fail(args.range, "TypeError",
                  "loop() takes 1 to 3 positional arguments but " + llvm::Twine(args.rest.size()) + " were given");
  Value range = makeRange(o.l, args, false);
  std::optional<bool> promised = range ? o.l.expect.boolean(parallel, false, "parallel") : std::nullopt;
  if (!promised)
    return {};
  if (*promised)
    range.range().attributes.push_back(o.builder().getNamedAttr(tile::parallelAttrName, o.builder().getUnitAttr()));
  return range;
}

static Value loop(Operator &o, const Arguments &args) { return rangeOf(o, args, args[4]); }

// Whatever factors the author lists, the body must be right for one step at a time; this is what it is compiled for.
static Value loopUnroll(Operator &o, const Arguments &args) {
  Value range = rangeOf(o, args, args[4]);
  if (range)
    range.range().beside.push_back(o.number(1));
  return range;
}

static mlir::scf::ForOp loopOf(Operator &o, const Arguments &args) {
  auto index = args[0].value.isScalar() ? llvm::dyn_cast<mlir::BlockArgument>(args[0].value.ir) : mlir::BlockArgument();
  auto loop = index ? llvm::dyn_cast<mlir::scf::ForOp>(index.getOwner()->getParentOp()) : mlir::scf::ForOp();
  if (!loop || loop.getInductionVar() != index) {
    o.fail(args[0].range, "ValueError", args.name + ": " + o.describe(args[0].value) + " is not loop index");
    return {};
  }
  return loop;
}

static Value isLoopBegin(Operator &o, const Arguments &args) {
  mlir::scf::ForOp loop = loopOf(o, args);
  if (!loop)
    return {};
  return Value::ofScalar(arith::CmpIOp::create(o.builder(), o.loc(args.range), arith::CmpIPredicate::eq,
                                               args[0].value.ir, loop.getLowerBound()),
                         DType::I1);
}

static Value isLoopEnd(Operator &o, const Arguments &args) {
  mlir::scf::ForOp loop = loopOf(o, args);
  if (!loop)
    return {};
  mlir::Location at = o.loc(args.range);
  mlir::Value next = arith::AddIOp::create(o.builder(), at, args[0].value.ir, loop.getStep());
  return Value::ofScalar(arith::CmpIOp::create(o.builder(), at, arith::CmpIPredicate::sge, next, loop.getUpperBound()),
                         DType::I1);
}

// Numbers ----------------------------------------------------------------------------------------------------------

static Value extremum(Operator &o, const Value &a, const Value &b, bool isMax, const Range &range) {
  for (const Value &value : {a, b})
    if (!o.values.isInteger(value))
      return o.fail(range, "TypeError",
                    "the smaller and larger of two numbers: integers are expected, not " + o.describe(value),
                    isArray(value) ? "of tensors: pypto.minimum, pypto.maximum" : "");
  return isMax ? o.atLeast(a, b, range) : o.atMost(a, b, range);
}

template <bool isMax> static Value ofTwo(Operator &o, const Arguments &args) {
  return extremum(o, args[0].value, args[1].value, isMax, args.range);
}
// A method: the number itself is inside of the callee.
template <bool isMax> static Value ofMethod(Operator &o, const Arguments &args) {
  return extremum(o, args[0].value.items()[0], args[1].value, isMax, args.range);
}

static Value ceildiv(Operator &o, const Arguments &args) {
  for (unsigned i : {0, 1})
    if (!o.values.isInteger(args[i].value))
      return o.fail(args[i].range, "TypeError", "pypto.ceildiv needs integers, not " + o.describe(args[i].value));
  Value less = o.minus(args[1].value, o.number(1), args.range);
  Value sum = less ? o.plus(args[0].value, less, args.range) : Value();
  return sum ? o.l.operators.binary(ast::Operator::FloorDiv, sum, args[1].value, args.range) : Value();
}

static Value condition(Operator &, const Arguments &args) { return args[0].value; }

// Methods of a number that only the launch tells; the number itself is inside of the callee.
static Value itself(Operator &, const Arguments &args) { return args[0].value.items()[0]; }
static Value isKnownNumber(Operator &o, const Arguments &) { return Value::ofHost(o.host.makeBool(false)); }
template <bool isSymbol> static Value isOfForm(Operator &o, const Arguments &args) {
  return Value::ofHost(o.host.makeBool(llvm::isa<mlir::BlockArgument>(args[0].value.items()[0].ir) == isSymbol));
}
static Value concrete(Operator &o, const Arguments &args) {
  return o.fail(args.range, "ValueError", "a number that only the launch tells has no concrete value");
}

static Value symbolicScalar(Operator &o, const Arguments &args) {
  if (o.values.isInteger(args[0].value))
    return args[0].value;
  return o.fail(args[0].range, "TypeError", "a symbolic scalar is an integer, not " + o.describe(args[0].value));
}

static Value ternary(Operator &o, const Arguments &args) {
  Truth chosen = o.values.truth(args[0].value, args[0].range);
  if (!chosen.valid)
    return {};
  if (chosen.isKnown)
    return args[chosen.known ? 1 : 2].value;
  for (unsigned i : {1, 2})
    if (!o.values.isInteger(args[i].value))
      return o.fail(args[i].range, "TypeError", "one of two integers is chosen, not " + o.describe(args[i].value));
  mlir::Value a = o.i32(args[1].value, args.range), b = o.i32(args[2].value, args.range);
  return Value::ofScalar(arith::SelectOp::create(o.builder(), o.loc(args.range), chosen.runtime, a, b), DType::I32);
}

// The index of the loop that a statement began. Upstream has no such loop.
static Value loopAxis(Operator &o, const Arguments &args) {
  Value index = o.l.loops.innermostIndex();
  if (!index)
    return o.fail(args.range, "FeError",
                  "pypto.loop_axis() is the index of a loop that a statement began, and there is none",
                  "write `pypto.loop(n)` before it, or for i in pypto.loop(n):");
  if (!o.host.warn("pypto.loop_axis does not exist upstream: write for i in pypto.loop(n):", o.frame().file->name,
                   args.range.line))
    return o.l.errors.failHost(args.range);
  return index;
}

// What is in force -------------------------------------------------------------------------------------------------

static Value setVectorTiles(Operator &o, const Arguments &args) {
  auto sizes = o.l.expect.integers(args.rest, "a tile size");
  if (!sizes)
    return {};
  if (sizes->empty() || sizes->size() > 4)
    return o.fail(args.range, "ValueError",
                  "set_vec_tile_shapes takes 1 to 4 sizes, not " + llvm::Twine(sizes->size()));
  for (int64_t size : *sizes)
    if (size <= 0)
      return o.fail(args.range, "ValueError", "a tile size must be positive, not " + llvm::Twine(size));
  o.vectorShape.assign(sizes->begin(), sizes->end());
  return o.none();
}

static Value listOf(Operator &o, llvm::ArrayRef<int64_t> sizes) {
  llvm::SmallVector<Value> items;
  for (int64_t size : sizes)
    items.push_back(o.number(size));
  return Value::ofSequence(items, true, o.l.ir.region());
}

static Value getVectorTiles(Operator &o, const Arguments &) { return listOf(o, o.vectorShape); }

static Value setCubeTiles(Operator &o, const Arguments &args) {
  static constexpr llvm::StringLiteral axes[] = {"m", "k", "n"};
  for (auto [i, axis] : llvm::enumerate(axes)) {
    llvm::SmallVector<Value> items;
    if (!o.values.toSequence(args[i].value, items, args[i].range, axis))
      return {};
    auto sizes = o.expectShape(items, args[i].range, axis);
    if (!sizes)
      return {};
    if (sizes->size() == 1)
      sizes->push_back(sizes->front());
    if (sizes->front() <= 0 || sizes->back() < sizes->front() || sizes->back() % sizes->front())
      return o.fail(args[i].range, "ValueError",
                    axis + " must be [L0, L1] with 0 < L0 <= L1 and L1 a multiple of L0, not " + formatShape(*sizes));
    o.cubeShape[i] = *sizes;
  }
  std::optional<bool> split = o.l.expect.boolean(args[3], false, "enable_split_k");
  if (!split)
    return {};
  o.splitK = *split;
  return o.none();
}

static Value getCubeTiles(Operator &o, const Arguments &) {
  return Value::ofSequence({listOf(o, o.cubeShape[0]), listOf(o, o.cubeShape[1]), listOf(o, o.cubeShape[2]),
                            Value::ofHost(o.host.makeBool(o.splitK))},
                           false);
}

// Python's own loop runs while compiling.
static Value unrolled(Operator &o, const Arguments &args) {
  for (const Argument &bound : args.rest)
    if (bound.value.isScalar())
      return o.fail(bound.range, "TypeError", "range needs ints known while compiling, not " + o.describe(bound.value),
                    "a loop of the program: for i in pypto.loop(n)");
  return makeRange(o.l, args, true);
}

// Accepted: nothing here depends on it.
static Value accept(Operator &o, const Arguments &) { return o.none(); }

llvm::ArrayRef<Builtin::Row> controlBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"pypto.Tensor", on<localTensor>, "shape=None, dtype=None, name=None, format=None"},
      {"pypto.loop", on<loop>,
       "*bounds, name=None, idx_name=None, unroll_list=None, submit_before_loop=False, parallel=False"},
      {"pypto.loop_unroll", on<loopUnroll>,
       "*bounds, name=None, idx_name=None, unroll_list=None, submit_before_loop=False, parallel=False"},
      {"pypto.is_loop_begin", on<isLoopBegin>, "index"},
      {"pypto.is_loop_end", on<isLoopEnd>, "index"},
      {"pypto.cond", on<condition>, "condition"},
      {"pypto.min", on<ofTwo<false>>, "a, b"},
      {"pypto.max", on<ofTwo<true>>, "a, b"},
      {"pypto.symbolic_min", on<ofMethod<false>>, "self, other"},
      {"pypto.symbolic_max", on<ofMethod<true>>, "self, other"},
      {"pypto.ceildiv", on<ceildiv>, "a, b"},
      {"pypto.symbolic_itself", on<itself>, "self"},
      {"pypto.symbolic_is_symbol", on<isOfForm<true>>, "self"},
      {"pypto.symbolic_is_expression", on<isOfForm<false>>, "self"},
      {"pypto.symbolic_is_known", on<isKnownNumber>, "self"},
      {"pypto.symbolic_concrete", on<concrete>, "self"},
      {"pypto.SymbolicScalar", on<symbolicScalar>, "value, name=None"},
      {"pypto.tenary", on<ternary>, "condition, a, b"},
      {"pypto.loop_axis", on<loopAxis>, ""},
      {"range", on<unrolled>, "*bounds"},
      {"pypto.set_conv_tile_shapes", on<accept>, "*sizes"},
      {"pypto.set_vec_tile_shapes", on<setVectorTiles>, "*sizes"},
      {"pypto.get_vec_tile_shapes", on<getVectorTiles>, ""},
      {"pypto.set_cube_tile_shapes", on<setCubeTiles>, "m, k, n, enable_split_k=False"},
      {"pypto.get_cube_tile_shapes", on<getCubeTiles>, ""},
      {"pypto.set_matrix_size", on<accept>, "sizes"},
      {"pypto.set_semantic_label", on<accept>, "label"},
      {"pypto.pass_verify_print", on<accept>, "*values, cond=1"},
      {"pypto.pass_verify_save", on<accept>, "tensor, fname, cond=1"},
      {"pypto.set_pass_options", on<accept>,
       "*, vec_nbuffer_setting=None, cube_l1_reuse_setting=None, cube_nbuffer_setting=None, sg_set_scope=None, "
       "sg_set_ooo_scope=None, ooo_sched_mode=None, auto_mix_partition=None, sg_set_tunevf_mode=None, "
       "enable_slice=None"},
  };
  return rows;
}

} // namespace tilesmith::frontend::pypto
