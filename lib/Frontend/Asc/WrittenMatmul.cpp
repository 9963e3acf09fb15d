// Matrix objects of a kernel that is written: objects stay objects, and a tiling is a struct with the members it has.
#include "MatmulObject.h"
#include "Written.h"
#include "tilesmith/Machine/Matmul.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::frontend::asc {

// "CubeFormat::ND", and a number of this type where it has no name.
static std::string named(llvm::StringRef type, int64_t value, llvm::ArrayRef<llvm::StringLiteral> names) {
  if (value >= 0 && value < std::ssize(names))
    return (type + "::" + names[size_t(value)]).str();
  return ("static_cast<" + type + ">(" + llvm::Twine(value) + ")").str();
}

static std::string typeText(const MatrixType &type) {
  static constexpr llvm::StringLiteral formats[] = {"ND", "NZ", "ZN", "ZZ", "NN", "ND_ALIGN", "SCALAR", "VECTOR"};
  static constexpr llvm::StringLiteral layouts[] = {"NONE", "NORMAL", "BSNGD", "SBNGD", "BNGS1S2"};
  std::string text = "matmul::MatmulType<" + positionName(type.position) + ", " +
                     named("CubeFormat", type.format, formats) + ", " + cppName(type.dtype).str();
  if (type.isTransposed || type.layout)
    text += type.isTransposed ? ", true" : ", false";
  if (type.layout)
    text += ", " + named("LayoutMode", type.layout, layouts);
  return text + ">";
}

// What a variable is called that nobody in Python has a name for.
static mlir::Value called(Core &core, mlir::Value variable, llvm::StringRef name) {
  mlir::Operation *op = variable.getDefiningOp();
  op->setLoc(mlir::NameLoc::get(core.builder().getStringAttr(name), op->getLoc()));
  return variable;
}

void writeMatmul(Core &core, const Value &matmul, const Arguments &args) {
  std::string type = "matmul::Matmul<";
  bool hasConfig = isGiven(core, args[4]);
  for (unsigned matrix = 0; matrix < 4; ++matrix) {
    bool isBias = matrix == TS_MATMUL_BIAS;
    if (isBias && !isGiven(core, args[matrix]) && !hasConfig)
      continue;
    std::optional<MatrixType> told = matrixTypeOf(core, isGiven(core, args[matrix]) ? args[matrix] : args[2]);
    if (!told)
      return;
    type += (matrix ? ", " : "") + typeText(*told);
  }
  Text object(core, args.range);
  if (hasConfig) {
    Text config(core, args[4].range);
    config << "static constexpr MatmulConfig $r = [] { MatmulConfig config = CFG_NORM;";
    auto assign = [&](int64_t, llvm::StringRef memberType, llvm::StringRef name, int64_t value) {
      config << " config." << name << " = ";
      if (memberType == "bool")
        config << (value ? "true;" : "false;");
      else
        config << "static_cast<" << memberType << ">(" << llvm::Twine(value) << ");";
    };
    if (!forConfig(core, args[4], assign))
      return;
    config << " return config; }()";
    object << type << ", ";
    object.value(called(core, config.declare(""), "config")) << "> $r";
  } else {
    object << type << "> $r";
  }
  matmulOf(matmul).written = object.declare("");
}

// `TCubeTiling tiling = {};` and the members that are not 0.
static mlir::Value writeTiling(Core &core, const Argument &tiling) {
  Text declaration(core, tiling.range);
  declaration << "TCubeTiling $r = {}";
  mlir::Value variable = called(core, declaration.declare(""), "tiling");
#define TILESMITH_CUBE_TILING(NAME, PYTHON)                                                                            \
  {                                                                                                                    \
    Number value = core.fieldOf(tiling, #PYTHON);                                                                      \
    if (!value)                                                                                                        \
      return {};                                                                                                       \
    if (value.known != 0) {                                                                                            \
      Text member(core, tiling.range);                                                                                 \
      member.value(variable) << "." #NAME " = ";                                                                       \
      member.number(value, "int32_t").statement();                                                                     \
    }                                                                                                                  \
  }
#include "tilesmith/Machine/CubeTiling.def"
  return variable;
}

mlir::Value writeIterate(Core &core, const IterationParts &parts, const Range &range) {
  Text text(core, range);
  text.variable(parts.matmul) << ".Iterate";
  if (parts.sync.known == 0)
    text << "<false>";
  text << "(";
  if (parts.partial.known != 0)
    text.number(parts.partial, "bool");
  text << ")";
  return text.result(core.builder().getI1Type());
}

// An array in global memory, as a pointer.
static bool writeArray(Core &core, Text &text, const Argument &argument) {
  Value given = core.values.read(argument.value);
  if (given.is(globalTensor)) {
    text.variable(given) << ".GetPhyAddr()";
    return true;
  }
  if (given.is(kinds::address))
    return writePointer(core, text, given, argument.range);
  return bool(core.fail(argument.range, "TypeError",
                        "the workspace of a Matmul is an array in global memory, not " + core.describe(given)));
}

static Value writeRegister(Core &core, const Arguments &args) {
  Value matmul = core.values.read(args[2].value), pipe = core.values.read(args[0].value);
  if (matmul.kind->className(matmul) != "asc.adv.Matmul" || !pipe.is(object::pipe))
    return core.fail(args[2].range, "TypeError",
                     "register_matmul takes a TPipe, a workspace and an asc.adv.Matmul, not " + core.describe(matmul));
  core.hasMatmul = true;
  mlir::Value tiling;
  if (isGiven(core, args[3]) && !(tiling = writeTiling(core, args[3])))
    return {};
  Text names(core, args.range); // which the vendor's macro expects
  names << "using namespace AscendC";
  names.statement();
  Text text(core, args.range);
  text << "REGIST_MATMUL_OBJ(&";
  text.variable(pipe) << ", ";
  if (!isGiven(core, args[1]))
    text << "GetSysWorkSpacePtr()";
  else if (!writeArray(core, text, args[1]))
    return {};
  text << ", ";
  text.variable(matmul);
  if (tiling) {
    text << ", &";
    text.value(tiling);
  }
  text << ")";
  text.statement();
  return core.none();
}

namespace {

// A number of a call, as a C++ type; `otherwise` where it is not given.
struct Given {
  unsigned at;
  llvm::StringLiteral type;
  int64_t otherwise = 0;
};

} // namespace

// `mm.Name<options>(tensors, numbers)`. Options are true or false and known while compiling; those and numbers at the
// end that are as they would be anyway are left out.
static Value writeCall(Core &core, const Arguments &args, llvm::StringRef name, std::initializer_list<Given> options,
                       std::initializer_list<unsigned> tensors, std::initializer_list<Given> numbers) {
  Text text(core, args.range);
  text.variable(args[0].value) << "." << name;
  std::string list;
  bool isNeeded = false;
  for (const Given &option : options) {
    Number number = optionalNumber(core, args[option.at], "a truth", option.otherwise);
    if (number && !number.known)
      return core.fail(args[option.at].range, "NotImplementedError",
                       "this is known while compiling in a kernel that is written as Ascend C");
    if (!number)
      return {};
    isNeeded |= *number.known != option.otherwise;
    list += (list.empty() ? "" : ", ") + std::string(*number.known ? "true" : "false");
  }
  text << (isNeeded ? "<" + list + ">" : "") << "(";
  bool isFirst = true;
  for (unsigned at : tensors) {
    Value tensor = resultTensor(core, args[0].value, args[at]);
    if (!tensor)
      return {};
    text << (isFirst ? "" : ", ");
    text.variable(tensor);
    isFirst = false;
  }
  llvm::SmallVector<Number> values;
  for (const Given &given : numbers) {
    values.push_back(optionalNumber(core, args[given.at], "a number", given.otherwise));
    if (!values.back())
      return {};
  }
  while (!values.empty() && values.back().known == std::data(numbers)[values.size() - 1].otherwise)
    values.pop_back();
  for (auto [number, given] : llvm::zip(values, numbers)) {
    text << (isFirst ? "" : ", ");
    text.number(number, given.type);
    isFirst = false;
  }
  text << ")";
  text.statement();
  return core.none();
}

static Value writeFactor(Core &core, const Arguments &args, llvm::StringRef name) {
  Value tensor = isGiven(core, args[1]) ? core.values.read(args[1].value) : core.none();
  if (!isTensor(tensor))
    return core.fail(args.range, "NotImplementedError",
                     "a factor of a Matmul that is not a tensor cannot be written as Ascend C");
  bool isBias = name == "SetBias";
  Number turned = isBias ? Number(0) : core.expectNumber(args[2], "transpose");
  if (!turned)
    return {};
  Text text(core, args.range);
  text.variable(args[0].value) << "." << name << "(";
  text.variable(tensor);
  if (turned.known != 0) {
    text << ", ";
    text.number(turned, "bool");
  }
  text << ")";
  text.statement();
  return core.none();
}

// get_tensor_c(tensor, en_atomic, en_sequential_write, sync, optional_tensor)
static Value writeGet(Core &core, const Arguments &args) {
  if (!isGiven(core, args[1]))
    return core.unsupported("Matmul.get_tensor_c without a tensor", args.range) ? core.none() : Value();
  for (unsigned at : {1u, 5u})
    if (isGiven(core, args[at]) &&
        !writeCall(core, args, "GetTensorC", {{4, "bool", 1}}, {at}, {{2, "uint8_t"}, {3, "bool"}}))
      return {};
  return core.none();
}

// An address: a tensor, or an array.
static Value writeAddress(Core &core, const Arguments &args, llvm::StringRef name) {
  Text text(core, args.range);
  text.variable(args[0].value) << "." << name << "(";
  if (isTensor(core.values.read(args[1].value)))
    text.variable(args[1].value);
  else if (!writeArray(core, text, args[1]))
    return {};
  text << ")";
  text.statement();
  return core.none();
}

std::optional<Value> writeOfMatmul(Core &core, const Arguments &args) {
  llvm::StringRef name = args.name;
  if (name == "asc.adv.register_matmul")
    return writeRegister(core, args);
  if (!name.consume_front("asc.adv.Matmul."))
    return std::nullopt;
  auto call = [&](llvm::StringRef cpp, std::initializer_list<Given> numbers = {}) {
    return writeCall(core, args, cpp, {}, {}, numbers);
  };
  if (name == "init") {
    mlir::Value tiling = writeTiling(core, args[1]);
    if (!tiling)
      return Value();
    Text text(core, args.range);
    text.variable(args[0].value) << ".Init(&";
    text.value(tiling) << ")";
    text.statement();
    return core.none();
  }
  if (name == "set_tensor_a" || name == "set_tensor_b" || name == "set_bias")
    return writeFactor(core, args,
                       name == "set_bias"       ? "SetBias"
                       : name == "set_tensor_a" ? "SetTensorA"
                                                : "SetTensorB");
  if (name == "set_tail")
    return call("SetTail", {{1, "int32_t", -1}, {2, "int32_t", -1}, {3, "int32_t", -1}});
  if (name == "set_single_shape")
    return call("SetSingleShape", {{1, "int32_t"}, {2, "int32_t"}, {3, "int32_t"}});
  if (name == "set_org_shape")
    return call("SetOrgShape", {{1, "int32_t"}, {2, "int32_t"}, {3, "int32_t"}, {4, "int32_t"}, {5, "int32_t"}});
  if (name == "get_tensor_c")
    return writeGet(core, args);
  if (name == "iterate_all")
    return writeCall(core, args, "IterateAll", {{3, "bool", 1}}, {1}, {{2, "uint8_t"}, {4, "bool"}, {5, "bool"}});
  if (name == "iterate_batch")
    return writeCall(core, args, "IterateBatch", {{10, "bool", 1}, {11, "bool"}}, {1},
                     {{2, "uint32_t", -1},
                      {3, "uint32_t", -1},
                      {4, "bool", -1},
                      {5, "uint32_t"},
                      {6, "uint32_t"},
                      {7, "uint32_t"},
                      {8, "bool"},
                      {9, "uint8_t"}});
  if (name == "async_get_tensor_c")
    return writeCall(core, args, "AsyncGetTensorC", {}, {1}, {});
  if (name == "set_batch_num")
    return call("SetBatchNum", {{1, "int32_t", -1}, {2, "int32_t", -1}});
  if (name == "set_hf32")
    return call("SetHF32", {{1, "bool"}, {2, "int32_t"}});
  if (name == "set_quant_scalar")
    return call("SetQuantScalar", {{1, "uint64_t", -1}});
  if (name == "set_quant_vector" || name == "set_workspace")
    return writeAddress(core, args, name == "set_workspace" ? "SetWorkspace" : "SetQuantVector");
  llvm::StringRef plain = llvm::StringSwitch<llvm::StringRef>(name)
                              .Case("end", "End")
                              .Case("disable_bias", "DisableBias")
                              .Case("wait_iterate_all", "WaitIterateAll")
                              .Case("wait_iterate_batch", "WaitIterateBatch")
                              .Case("wait_get_tensor_c", "WaitGetTensorC")
                              .Default("");
  return plain.empty() ? std::nullopt : std::optional(call(plain));
}

} // namespace tilesmith::frontend::asc
