// Functions above instructions (asc.adv): the library's entries of the Machine, which Ascend C's headers call, too.
#include "tilesmith/Machine/Library.h"
#include "Core.h"
#include "Records.h"
#include "Written.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

namespace tilesmith::frontend::asc {

namespace {

bool isGiven(Core &core, const Argument &argument) { return argument && !core.values.isNone(argument.value); }
bool isLocal(Core &core, const Argument &argument) {
  return argument && core.values.read(argument.value).is(localTensor);
}

// The bits of a number as a float32.
Number floatBits(Core &core, const Argument &argument) {
  mlir::Value scalar = core.toScalar(argument.value, DType::F32, argument.range);
  return scalar ? core.numbers.bits(scalar, DType::F32, argument.range) : Number();
}

// How functions of one shape are called, and which argument goes where.
enum class Shape {
  Unary,
  UnaryPrecision,
  Truth,
  Binary,
  TruthOfTwo,
  Ternary,
  Scaled,
  ScaledBinary,
  TwoResults,
  Quantise
};
struct Function {
  llvm::StringLiteral name, cpp;
  int64_t number;
  Shape shape;
};
constexpr Function functions[] = {
#define TILESMITH_LIBRARY_MAP(NAME, PYTHON, SHAPE, ...) {PYTHON, #NAME, TS_MAP_##NAME, Shape::SHAPE},
#include "tilesmith/Machine/Library.def"
};

// A temporary buffer, which may have any element type; where none is given, 0 and 0. False after an error.
bool workOf(Core &core, const Argument &argument, Number &address, Number &bytes) {
  address = bytes = 0;
  if (!isGiven(core, argument))
    return true;
  Value tensor = core.expectTensor(argument, "temp_buffer");
  if (!tensor)
    return false;
  address = core.address(tensor);
  bytes = core.numbers.mul(core.size(tensor), bytesOf(partsOf(tensor).dtype), argument.range);
  return true;
}

struct Operands {
  Value dst, dst2, src[3];
  Number scalars[2] = {0, 0};
  Argument count, work;
};

// library_map with these operands.
Value map(Core &core, int64_t function, Operands &operands, const Range &range) {
  Numbers &n = core.numbers;
  auto addressOf = [&](const Value &tensor) { return tensor ? core.address(tensor) : Number(0); };
  Number work, bytes;
  if (!workOf(core, operands.work, work, bytes))
    return {};
  Number count = isGiven(core, operands.count) ? n.of(operands.count.value, "count", operands.count.range)
                                               : core.size(operands.src[0]);
  if (!count || !operands.scalars[0] || !operands.scalars[1])
    return {};
  core.tell("library_map",
            {function, int64_t(partsOf(operands.src[0]).dtype), int64_t(partsOf(operands.dst).dtype),
             core.address(operands.dst), addressOf(operands.dst2), core.address(operands.src[0]),
             addressOf(operands.src[1]), addressOf(operands.src[2]), operands.scalars[0], operands.scalars[1], work,
             bytes, count},
            range);
  return core.none();
}

// exp(dst, src, count, ...), axpy(dst, src, scalar, count): the instruction of this name, on `count` elements or all of
// dst. Buffers for intermediate results are not needed.
std::optional<Value> callAsInstruction(Core &core, llvm::StringRef instruction, CallSite &site) {
  bool hasScalar = instruction == "axpy";
  std::optional<Named> args =
      hasScalar ? match(site, {"dst", "src", "scalar", "count", "temp_buffer", "is_reuse_source"}, 3)
                : match(site, {"dst", "src", "count", "taylor_expand_level", "temp_buffer", "is_reuse_source"}, 2);
  if (!args || !isLocal(core, (*args)[0]))
    return std::nullopt;
  Argument count = (*args)[hasScalar ? 3 : 2];
  if (!isGiven(core, count))
    count = {core.numbers.toPython(core.size(core.values.read((*args)[0].value)), DType::I64, site.range), site.range};
  CallSite call{site.range, {(*args)[0], (*args)[1]}, {}};
  if (hasScalar)
    call.positional.push_back((*args)[2]);
  call.positional.push_back(count);
  return callForms(core, instruction, call);
}

// The call in a kernel that is written: results, sources and scalars, the temporary buffer behind the sources, the
// count.
Value writeMap(Core &core, const Function &function, llvm::ArrayRef<Argument> operands, const Argument &count,
               const Argument &work, const Range &range) {
  bool isPower = function.cpp.starts_with("Power");
  bool isQuantised = function.shape == Shape::Quantise;
  Text text(core, range);
  text << "AscendC::" << (isPower ? llvm::StringRef("Power") : llvm::StringRef(function.cpp)) << "(";
  auto writeWork = [&] {
    Value tensor = core.values.read(work.value);
    text << ", ";
    text.variable(tensor) << (partsOf(tensor).dtype == DType::U8 ? "" : ".ReinterpretCast<uint8_t>()");
  };
  DType element = DType::F32;
  for (const Argument &operand : operands)
    if (isLocal(core, operand))
      element = partsOf(core.values.read(operand.value)).dtype;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (isQuantised && i == 2 && isGiven(core, work))
      writeWork();
    text << (i ? ", " : "");
    if (isLocal(core, operand))
      text.variable(operand.value);
    else
      text.scalar(operand.value, isQuantised ? DType::F32 : element);
  }
  if (!isQuantised && isGiven(core, work))
    writeWork();
  if (isGiven(core, count)) {
    Number number = core.expectNumber(count, "count");
    if (!number)
      return {};
    text << ", ";
    text.number(number, "uint32_t");
  }
  text << ")";
  if (text.failed)
    return {};
  text.statement();
  return core.none();
}

// The call of a function of single elements; nothing where its arguments are not those of its shape.
std::optional<Value> callMap(Core &core, const Function &function, CallSite &site) {
  llvm::SmallVector<llvm::StringRef> names;
  unsigned tensors = 2;
  switch (function.shape) {
  case Shape::Unary:
  case Shape::UnaryPrecision:
  case Shape::Truth:
    names = {"dst", "src"};
    break;
  case Shape::Binary:
  case Shape::TruthOfTwo:
    names = {"dst", "src0", "src1"};
    break;
  case Shape::Ternary:
    names = {"dst", "src0", "src1", "src2"};
    break;
  case Shape::TwoResults:
    names = {"dst0", "dst1", "src"};
    break;
  case Shape::Scaled:
    names = {"dst", "src", "scalar"};
    if (function.number == TS_MAP_Clamp)
      names = {"dst", "src", "min", "max"};
    if (function.number == TS_MAP_PowerByScalar)
      names = {"dst", "src0", "src1"};
    if (function.number == TS_MAP_PowerOfScalar)
      names = {"dst", "src0", "src1"};
    break;
  case Shape::Quantise:
    names = {"dst", "src", "scale", "offset"};
    break;
  case Shape::ScaledBinary:
    names = {"dst", "src0", "src1", "scalar"};
    break;
  }
  unsigned required = names.size();
  llvm::StringRef reuse = function.shape == Shape::Quantise ? "reuse_source" : "is_reuse_source";
  llvm::append_range(names, llvm::ArrayRef<llvm::StringRef>{"count", "temp_buffer", reuse, "config"});
  std::optional<Named> args = match(site, names, required);
  if (!args)
    return std::nullopt;
  bool hasScalars =
      function.shape == Shape::Scaled || function.shape == Shape::ScaledBinary || function.shape == Shape::Quantise;
  bool hasTwo = function.number == TS_MAP_Clamp || function.shape == Shape::Quantise;
  tensors = required - (hasScalars ? hasTwo ? 2 : 1 : 0);
  // Of powers, which operand is the scalar tells the function.
  unsigned scalarAt = function.number == TS_MAP_PowerOfScalar ? 1 : tensors;
  Operands operands;
  llvm::SmallVector<Value> given;
  for (unsigned i = 0, scalars = 0; i < required; ++i) {
    if (hasScalars && i >= scalarAt && scalars < required - tensors) {
      if (isLocal(core, (*args)[i]))
        return std::nullopt;
      if (!(operands.scalars[scalars++] = floatBits(core, (*args)[i])))
        return Value();
    } else if (isLocal(core, (*args)[i])) {
      given.push_back(core.values.read((*args)[i].value));
    } else {
      return std::nullopt;
    }
  }
  if (core.writes())
    return writeMap(core, function, llvm::ArrayRef(args->values).take_front(required), (*args)[required],
                    (*args)[required + 1], site.range);
  unsigned results = function.shape == Shape::TwoResults ? 2 : 1;
  operands.dst = given[0];
  if (results == 2)
    operands.dst2 = given[1];
  for (unsigned i = results; i < given.size(); ++i)
    operands.src[i - results] = given[i];
  operands.count = (*args)[required];
  operands.work = (*args)[required + 1];
  return map(core, function.number, operands, site.range);
}

// library_rows; tensors that are not there are null.
struct RowOperands {
  TsLibraryRows function;
  Value dst[3], src[3];
  Number scalar = 0, rows = {}, columns = {}, length = {};
  Argument work = {};
};
Value rows(Core &core, const RowOperands &operands, const Range &range) {
  Number work, bytes;
  if (!operands.rows || !operands.columns || !operands.length || !operands.scalar ||
      !workOf(core, operands.work, work, bytes))
    return {};
  auto addressOf = [&](const Value &tensor) { return tensor ? core.address(tensor) : Number(0); };
  const Value &ofRows = operands.dst[1] ? operands.dst[1] : operands.dst[0];
  core.tell("library_rows",
            {int64_t(operands.function), int64_t(partsOf(operands.src[0]).dtype), int64_t(partsOf(ofRows).dtype),
             addressOf(operands.dst[0]), addressOf(operands.dst[1]), addressOf(operands.dst[2]),
             addressOf(operands.src[0]), addressOf(operands.src[1]), addressOf(operands.src[2]), 0, 0, operands.scalar,
             0, work, bytes, operands.rows, operands.columns, operands.length, 0},
            range);
  return core.none();
}

std::optional<Value> callSoftmax(Core &core, CallSite &site) {
  std::optional<Named> args = match(
      site, {"dst", "sum", "max", "src", "tiling", "temp_buffer", "reuse_source", "basic_block", "data_format_nz"}, 5);
  if (!args)
    return std::nullopt;
  RowOperands operands{TS_ROWS_SoftMax, {}, {}};
  for (unsigned i = 0; i < 4; ++i) {
    if (!isLocal(core, (*args)[i]))
      return std::nullopt;
    (i < 3 ? operands.dst[i] : operands.src[0]) = core.values.read((*args)[i].value);
  }
  std::optional<int64_t> fractals = core.expectKnown((*args)[8], "data_format_nz");
  if (!fractals)
    return Value();
  if (*fractals)
    return core.unsupported("asc.adv.softmax of data in fractals", site.range) ? core.none() : Value();
  operands.rows = core.fieldOf((*args)[4], "src_m");
  operands.columns = operands.length = operands.rows ? core.fieldOf((*args)[4], "src_k") : Number();
  operands.work = (*args)[5];
  return rows(core, operands, site.range);
}

std::optional<Value> callRmsNorm(Core &core, CallSite &site) {
  std::optional<Named> args =
      match(site, {"dst", "src", "gamma", "epsilon", "tiling", "temp_buffer", "basic_block"}, 5);
  if (!args || !isLocal(core, (*args)[0]) || !isLocal(core, (*args)[1]) || !isLocal(core, (*args)[2]))
    return std::nullopt;
  auto tensor = [&](unsigned i) { return core.values.read((*args)[i].value); };
  RowOperands operands{TS_ROWS_RmsNorm, {tensor(0)}, {tensor(1), tensor(2)}};
  operands.scalar = floatBits(core, (*args)[3]);
  Number b = operands.scalar ? core.fieldOf((*args)[4], "b_length") : Number();
  Number s = b ? core.fieldOf((*args)[4], "s_length") : Number();
  operands.columns = s ? core.fieldOf((*args)[4], "h_length") : Number();
  operands.length = operands.columns ? core.fieldOf((*args)[4], "original_h_length") : Number();
  if (!operands.length)
    return Value();
  operands.rows = core.numbers.mul(b, s, site.range);
  operands.work = (*args)[5];
  return rows(core, operands, site.range);
}

} // namespace

std::optional<Value> callLibrary(Core &core, llvm::StringRef name, CallSite &site) {
  if (name == "exp" || name == "axpy")
    if (std::optional<Value> result = callAsInstruction(core, name, site))
      return result;
  bool isKnown = name == "softmax" || name == "rmsnorm";
  if (isKnown)
    if (std::optional<Value> result = name == "softmax" ? callSoftmax(core, site) : callRmsNorm(core, site))
      return result;
  for (const Function &function : functions)
    if (function.name == name) {
      isKnown = true;
      if (std::optional<Value> result = callMap(core, function, site))
        return result;
    }
  if (isKnown)
    return core.fail(site.range, "RuntimeError",
                     "asc.adv." + name + " takes tensors in UB, and numbers where its signature says so",
                     ("help(asc.adv." + name + ") shows how it is called").str());
  return core.unsupported(("asc.adv." + name).str(), site.range) ? core.none() : Value();
}

} // namespace tilesmith::frontend::asc
