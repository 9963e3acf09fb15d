// Matrix objects: handles of what the Machine keeps (Isa/Services.td), as in Ascend C. Types, configurations and
// tilings are objects of the host, known while compiling.
#include "tilesmith/Machine/Matmul.h"
#include "MatmulObject.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend::asc {

static constexpr llvm::StringLiteral iterationNoun = "the number of a tile";

namespace {

class IterationKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &) const override { return "the tiles of a Matmul"; }
  bool isSame(Lowering &, const Value &a, const Value &b) const override { return a.parts == b.parts; }
  Truth truth(Lowering &l, const Value &value, const Range &range) const override {
    Core &core = Core::of(l);
    auto &parts = static_cast<IterationParts &>(*value.parts);
    if (core.writes())
      return {true, false, false, writeIterate(core, parts, range)};
    Number more = core.ask("matmul_iterate", {matmulOf(parts.matmul).object, parts.partial, parts.sync}, range);
    return {true, false, false, core.numbers.condition(more, range)};
  }
  bool isLoop() const override { return true; }
  Value next(Lowering &l, const Value &value, const Range &range) const override {
    Core &core = Core::of(l);
    auto &parts = static_cast<IterationParts &>(*value.parts);
    Number count = core.cell(parts.count);
    core.setCell(parts.count, core.numbers.add(count, 1, range), range);
    return core.numbers.toPython(count, DType::I32, range);
  }
};

constexpr ObjectKind matmulKind("asc.adv.Matmul", "asc.adv.Matmul.", matmulBuiltins);
constexpr IterationKind iterationKind;

// A member of an object of the host, as a number.
Number memberOf(Core &core, const Argument &argument, llvm::StringRef name) {
  Value member = argument.value.isHost() ? Value::ofHost(core.host.getAttr(argument.value.host, name)) : Value();
  if (!member) {
    core.failHost(argument.range);
    return {};
  }
  return core.numbers.of(member, name, argument.range);
}

} // namespace

bool isGiven(Core &core, const Argument &argument) { return argument && !core.values.isNone(argument.value); }

std::optional<MatrixType> matrixTypeOf(Core &core, const Argument &type) {
  if (!type.value.isHost() || core.host.typeName(type.value.host) != "MatmulType") {
    core.fail(type.range, "TypeError",
              "a matrix of a Matmul is an asc.adv.MatmulType, not " + core.describe(type.value));
    return std::nullopt;
  }
  HostRef dtypeObject = core.host.getAttr(type.value.host, "dtype");
  std::optional<DType> dtype = dtypeObject ? core.host.asDType(dtypeObject) : std::nullopt;
  if (!dtype) {
    core.fail(type.range, "TypeError", "the dtype of a MatmulType is a dtype");
    return std::nullopt;
  }
  MatrixType result;
  result.dtype = *dtype;
  std::pair<llvm::StringLiteral, int64_t *> members[] = {{"position", &result.position},
                                                         {"format", &result.format},
                                                         {"is_trans", &result.isTransposed},
                                                         {"layout", &result.layout}};
  for (auto [name, value] : members) {
    Number number = memberOf(core, type, name);
    if (!number)
      return std::nullopt;
    *value = *number.known; // an object of the host holds nothing else
  }
  return result;
}

bool forConfig(Core &core, Argument config,
               llvm::function_ref<void(int64_t, llvm::StringRef, llvm::StringRef, int64_t)> each) {
  // A configuration with its tiling holds the configuration.
  if (config.value.isHost() && core.host.typeName(config.value.host) == "MatmulApiStaticTiling")
    config.value = Value::ofHost(core.host.getAttr(config.value.host, "cfg"));
#define TILESMITH_MATMUL_CONFIG(TYPE, NAME, PYTHON, VALUE, ...)                                                        \
  {                                                                                                                    \
    Number value = memberOf(core, config, #PYTHON);                                                                    \
    if (!value)                                                                                                        \
      return false;                                                                                                    \
    if (*value.known != int64_t(VALUE))                                                                                \
      each(int64_t(TS_MATMUL_CONFIG_##NAME), #TYPE, #NAME, *value.known);                                              \
  }
#include "tilesmith/Machine/MatmulConfig.def"
  return true;
}

// The object in the Machine, with its types and configuration.
static bool tellMatmul(Core &core, const Value &matmul, const Arguments &args) {
  Number object = matmulOf(matmul).object = core.ask("matmul_new", {}, args.range);
  for (int64_t matrix = 0; matrix < 4; ++matrix) {
    const Argument &given = isGiven(core, args[matrix]) ? args[matrix] : args[TS_MATMUL_C]; // the bias as the result
    std::optional<MatrixType> type = matrixTypeOf(core, given);
    if (!type)
      return false;
    core.tell("matmul_type",
              {object, matrix, type->position, type->format, int64_t(type->dtype), type->isTransposed, type->layout},
              given.range);
  }
  auto tellMember = [&](int64_t number, llvm::StringRef, llvm::StringRef, int64_t value) {
    core.tell("matmul_config", {object, number, value}, args[4].range);
  };
  return !isGiven(core, args[4]) || forConfig(core, args[4], tellMember);
}

// Matmul(a, b, c, bias=None, matmul_config=None, matmul_policy=0)
static Value makeMatmul(Core &core, const Arguments &args) {
  auto parts = std::make_shared<MatmulParts>();
  parts->kind = &matmulKind;
  Value value;
  value.kind = &matmulKind;
  value.parts = parts;
  std::optional<MatrixType> result = matrixTypeOf(core, args[TS_MATMUL_C]);
  if (!result)
    return {};
  parts->result = result->dtype;
  std::optional<int64_t> policy = core.expectKnown(args[5], "matmul_policy");
  if (!policy)
    return {};
  if (*policy && !core.unsupported("a Matmul with a policy of its own", args[5].range))
    return {};
  if (!core.writes())
    return tellMatmul(core, value, args) ? value : Value();
  writeMatmul(core, value, args);
  value.ir = parts->written; // it gets the name the object is assigned to
  return value;
}

static bool tellTiling(Core &core, const Number &handle, const Argument &tiling) {
  int64_t member = 0;
#define TILESMITH_CUBE_TILING(NAME, PYTHON)                                                                            \
  {                                                                                                                    \
    Number value = core.fieldOf(tiling, #PYTHON);                                                                      \
    if (!value)                                                                                                        \
      return false;                                                                                                    \
    core.tell("matmul_tiling", {handle, member++, value}, tiling.range);                                               \
  }
#include "tilesmith/Machine/CubeTiling.def"
  core.tell("matmul_init", {handle}, tiling.range);
  return true;
}

static Value initMatmul(Core &core, const Arguments &args) {
  return tellTiling(core, matmulOf(args[0].value).object, args[1]) ? core.none() : Value();
}

// register_matmul(pipe, workspace, matmul, tiling=None)
static Value registerMatmul(Core &core, const Arguments &args) {
  Value matmul = core.values.read(args[2].value);
  if (!matmul.is(&matmulKind))
    return core.fail(args[2].range, "TypeError",
                     "register_matmul takes an asc.adv.Matmul, not " + core.describe(matmul));
  Number workspace = 0;
  if (isGiven(core, args[1])) {
    Value given = core.values.read(args[1].value);
    if (isTensor(given))
      workspace = core.address(given);
    else if (given.is(kinds::address))
      workspace = core.addressOf(given, args[1].range);
    else
      return core.fail(args[1].range, "TypeError",
                       "the workspace of a Matmul is an array in global memory, not " + core.describe(given));
  }
  core.hasMatmul = true;
  if (isGiven(core, args[3]) && !tellTiling(core, matmulOf(matmul).object, args[3]))
    return {};
  core.tell("matmul_serve", {workspace, 0}, args.range);
  return core.none();
}

template <int64_t matrix> static Value setFactor(Core &core, const Arguments &args) {
  const Argument &given = args[1] ? args[1] : args[3];
  Value tensor = given ? core.values.read(given.value) : core.none();
  if (!isTensor(tensor)) {
    if (matrix != TS_MATMUL_BIAS && core.values.isNumeric(tensor))
      return core.unsupported("a factor of a Matmul that is one number", args.range) ? core.none() : Value();
    return core.fail(args.range, "TypeError", "a factor of a Matmul is a tensor, not " + core.describe(tensor));
  }
  Number turned = matrix == TS_MATMUL_BIAS ? Number(0) : core.expectNumber(args[2], "transpose");
  if (!turned)
    return {};
  core.tell("matmul_factor", {matmulOf(args[0].value).object, matrix, core.address(tensor), turned}, args.range);
  return core.none();
}

static Value disableBias(Core &core, const Arguments &args) {
  core.tell("matmul_factor", {matmulOf(args[0].value).object, int64_t(TS_MATMUL_BIAS), 0, 0}, args.range);
  return core.none();
}

// (m, n, k), (m, n, ka[, kb, kc])
template <int64_t which> static Value setShape(Core &core, const Arguments &args) {
  int64_t otherwise = which == TS_MATMUL_TAIL ? -1 : 0;
  Number sizes[5];
  for (int i = 0; i < 5; ++i) {
    if (i < 3 || which == TS_MATMUL_ORG)
      sizes[i] = core.expectNumber(args[unsigned(i) + 1], "a size", i < 3 ? otherwise : 0);
    else
      sizes[i] = 0;
    if (!sizes[i])
      return {};
  }
  core.tell("matmul_shape", {matmulOf(args[0].value).object, which, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]},
            args.range);
  return core.none();
}

template <int64_t number> static Value setNumber(Core &core, const Arguments &args) {
  Number value;
  if (args[1] && isTensor(core.values.read(args[1].value)))
    value = core.address(core.values.read(args[1].value));
  else if (args[1] && core.values.read(args[1].value).is(kinds::address))
    value = core.addressOf(core.values.read(args[1].value), args[1].range);
  else
    value = core.expectNumber(args[1], "a number");
  if (!value)
    return {};
  core.tell("matmul_set", {matmulOf(args[0].value).object, number, value}, args.range);
  return core.none();
}

static bool setBatches(Core &core, const Arguments &args, unsigned first) {
  for (unsigned i = 0; i < 2; ++i) {
    Number count = core.expectNumber(args[first + i], "the number of matrices", 1);
    if (!count)
      return false;
    core.tell("matmul_set", {matmulOf(args[0].value).object, int64_t(TS_MATMUL_BATCHES_A + i), count}, args.range);
  }
  return true;
}

static Value setBatchNum(Core &core, const Arguments &args) {
  return setBatches(core, args, 1) ? core.none() : Value();
}

// iterate(en_partial_sum=False, sync=True, local_c_matrix=None)
static Value iterate(Core &core, const Arguments &args) {
  if (isGiven(core, args[3]) && !core.unsupported("Matmul.iterate into a tensor of the caller's", args[3].range))
    return {};
  auto parts = std::make_shared<IterationParts>();
  parts->matmul = args[0].value;
  parts->partial = core.expectNumber(args[1], "en_partial_sum");
  parts->sync = parts->partial ? core.expectNumber(args[2], "sync", 1) : Number();
  if (!parts->sync)
    return {};
  parts->count = core.makeCell(0, iterationNoun, args.range);
  Value value;
  value.kind = &iterationKind;
  value.parts = std::move(parts);
  return value;
}

Number optionalNumber(Core &core, const Argument &argument, llvm::StringRef what, int64_t otherwise) {
  return isGiven(core, argument) ? core.expectNumber(argument, what) : Number(otherwise);
}

Value resultTensor(Core &core, const Value &matmul, const Argument &argument) {
  Value tensor = core.expectTensor(argument, "where the result goes");
  if (!tensor)
    return {};
  DType result = matmulOf(matmul).result, dtype = partsOf(tensor).dtype;
  if (dtype != result &&
      !core.unsupported(("a tensor of " + name(dtype) + " for a Matmul's result of " + name(result)).str(),
                        argument.range))
    return {};
  return tensor;
}

static Number resultAt(Core &core, const Arguments &args, const Argument &argument) {
  Value tensor = resultTensor(core, args[0].value, argument);
  return tensor ? core.address(tensor) : Number();
}

// get_tensor_c(tensor, en_atomic=0, en_sequential_write=False, sync=True, optional_tensor=None), or without a tensor
static Value getTensor(Core &core, const Arguments &args) {
  if (!args[1] || !isTensor(core.values.read(args[1].value)))
    return core.unsupported("Matmul.get_tensor_c without a tensor", args.range) ? core.none() : Value();
  Number atomic = optionalNumber(core, args[2], "en_atomic", 0),
         sequential = optionalNumber(core, args[3], "en_sequential_write", 0);
  Number sync = optionalNumber(core, args[4], "sync", 1);
  if (!atomic || !sequential || !sync)
    return {};
  for (const Argument *where : {&args[1], &args[5]}) {
    if (!isGiven(core, *where))
      continue;
    Number address = resultAt(core, args, *where);
    if (!address)
      return {};
    core.tell("matmul_get", {matmulOf(args[0].value).object, address, atomic, sequential, sync}, args.range);
  }
  return core.none();
}

// iterate_all(tensor, en_atomic=0, sync=True, en_sequential_write=None, wait_iterate_all=None, fake_msg=None)
static Value iterateAll(Core &core, const Arguments &args) {
  Number address = resultAt(core, args, args[1]);
  Number atomic = optionalNumber(core, args[2], "en_atomic", 0), sync = optionalNumber(core, args[3], "sync", 1);
  Number sequential = optionalNumber(core, args[4], "en_sequential_write", 0),
         waits = optionalNumber(core, args[5], "wait_iterate_all", 0);
  if (!address || !atomic || !sync || !sequential || !waits)
    return {};
  core.tell("matmul_all", {matmulOf(args[0].value).object, address, atomic, sequential, sync, waits}, args.range);
  return core.none();
}

// iterate_batch(tensor, batch_a, batch_b, en_sequential_write, matrix_stride_a=0, matrix_stride_b=0, matrix_stride_c=0,
// en_partial_sum=False, en_atomic=0, sync=True, wait_iterate_batch=False)
static Value iterateBatch(Core &core, const Arguments &args) {
  Number address = resultAt(core, args, args[1]);
  if (!address || !setBatches(core, args, 2))
    return {};
  for (unsigned i = 0; i < 3; ++i) {
    Number stride = optionalNumber(core, args[5 + i], "a stride", 0);
    if (!stride)
      return {};
    core.tell("matmul_set", {matmulOf(args[0].value).object, int64_t(TS_MATMUL_STRIDE_A + i), stride}, args.range);
  }
  Number atomic = optionalNumber(core, args[9], "en_atomic", 0), sync = optionalNumber(core, args[10], "sync", 1);
  Number waits = optionalNumber(core, args[11], "wait_iterate_batch", 0);
  if (!atomic || !sync || !waits)
    return {};
  core.tell("matmul_batch", {matmulOf(args[0].value).object, address, atomic, sync, waits}, args.range);
  return core.none();
}

template <const llvm::StringLiteral &service> static Value told(Core &core, const Arguments &args) {
  core.tell(service, {matmulOf(args[0].value).object}, args.range);
  return core.none();
}
static constexpr llvm::StringLiteral wait = "matmul_wait", end = "matmul_end";

static Value asyncGet(Core &core, const Arguments &args) {
  Number address = resultAt(core, args, args[1]);
  if (!address)
    return {};
  core.tell("matmul_get", {matmulOf(args[0].value).object, address, 0, 1, 0}, args.range);
  return core.none();
}

// What only callbacks read, and memory that only other chips need.
static Value nothing(Core &core, const Arguments &) { return core.none(); }

static Value notModelled(Core &core, const Arguments &args) {
  llvm::StringRef name = args.name;
  name.consume_front("asc.adv.");
  return core.unsupported(name, args.range) ? core.none() : Value();
}

llvm::ArrayRef<Builtin::Row> matmulBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc.adv.Matmul", on<makeMatmul>, "a, b, c, bias=None, matmul_config=None, matmul_policy=None"},
      {"asc.adv.register_matmul", on<registerMatmul>, "pipe, workspace, matmul, tiling=None"},
      {"asc.adv.Matmul.init", on<initMatmul>, "matmul, tiling"},
      {"asc.adv.Matmul.end", on<told<end>>, "matmul"},
      {"asc.adv.Matmul.set_tensor_a", on<setFactor<TS_MATMUL_A>>, "matmul, tensor=None, transpose=None, scalar=None"},
      {"asc.adv.Matmul.set_tensor_b", on<setFactor<TS_MATMUL_B>>, "matmul, tensor=None, transpose=None, scalar=None"},
      {"asc.adv.Matmul.set_bias", on<setFactor<TS_MATMUL_BIAS>>, "matmul, tensor"},
      {"asc.adv.Matmul.disable_bias", on<disableBias>, "matmul"},
      {"asc.adv.Matmul.set_tail", on<setShape<TS_MATMUL_TAIL>>, "matmul, tail_m=None, tail_n=None, tail_k=None"},
      {"asc.adv.Matmul.set_org_shape", on<setShape<TS_MATMUL_ORG>>,
       "matmul, org_m, org_n, org_ka, org_kb=None, org_kc=None"},
      {"asc.adv.Matmul.set_single_shape", on<setShape<TS_MATMUL_SINGLE>>, "matmul, single_m, single_n, single_k"},
      {"asc.adv.Matmul.iterate", on<iterate>, "matmul, en_partial_sum=None, sync=None, local_c_matrix=None"},
      {"asc.adv.Matmul.get_tensor_c", on<getTensor>,
       "matmul, tensor=None, en_atomic=None, en_sequential_write=None, sync=None, optional_tensor=None"},
      {"asc.adv.Matmul.iterate_all", on<iterateAll>,
       "matmul, tensor, en_atomic=None, sync=None, en_sequential_write=None, wait_iterate_all=None, fake_msg=None"},
      {"asc.adv.Matmul.wait_iterate_all", on<told<wait>>, "matmul"},
      {"asc.adv.Matmul.iterate_batch", on<iterateBatch>,
       "matmul, tensor, batch_a, batch_b, en_sequential_write=None, matrix_stride_a=None, matrix_stride_b=None, "
       "matrix_stride_c=None, en_partial_sum=None, en_atomic=None, sync=None, wait_iterate_batch=None"},
      {"asc.adv.Matmul.wait_iterate_batch", on<told<wait>>, "matmul"},
      {"asc.adv.Matmul.set_batch_num", on<setBatchNum>, "matmul, batch_a, batch_b"},
      {"asc.adv.Matmul.set_workspace", on<setNumber<TS_MATMUL_WORKSPACE>>, "matmul, addr, size=None"},
      {"asc.adv.Matmul.set_local_workspace", on<nothing>, "matmul, *any"},
      {"asc.adv.Matmul.set_hf32", on<setNumber<TS_MATMUL_HF32>>, "matmul, enable_hf32=None, trans_mode=None"},
      {"asc.adv.Matmul.set_quant_scalar", on<setNumber<TS_MATMUL_QUANT_SCALAR>>, "matmul, scalar"},
      {"asc.adv.Matmul.set_quant_vector", on<setNumber<TS_MATMUL_QUANT_VECTOR>>, "matmul, tensor"},
      {"asc.adv.Matmul.async_get_tensor_c", on<asyncGet>, "matmul, tensor"},
      {"asc.adv.Matmul.wait_get_tensor_c", on<told<wait>>, "matmul"},
      {"asc.adv.Matmul.set_self_define_data", on<nothing>, "matmul, data_ptr"},
      {"asc.adv.Matmul.set_user_def_info", on<nothing>, "matmul, tiling_ptr"},
      {"asc.adv.Matmul.set_sparse_index", on<notModelled>, "matmul, *any"},
      {"asc.adv.Matmul.iterate_n_batch", on<notModelled>, "matmul, *any"},
      {"asc.adv.Matmul.get_batch_tensor_c", on<notModelled>, "matmul, *any"},
      {"asc.adv.Matmul.get_offset_c", on<notModelled>, "matmul, *any"},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc
