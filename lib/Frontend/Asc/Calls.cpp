// A call of a function of the table: the form its arguments fit, and the instructions that form becomes.
#include "Bound.h"
#include "Records.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tilesmith/Machine/Entries.h"

namespace tilesmith::frontend::asc {

namespace {

// Keywords that Python's functions use for the same parameter here and there.
bool isAlias(const Form::Parameter &parameter, llvm::StringRef keyword) {
  if (parameter.python == keyword)
    return true;
  auto both = [&](std::initializer_list<llvm::StringRef> names) {
    return llvm::is_contained(names, keyword) && llvm::is_contained(names, llvm::StringRef(parameter.python));
  };
  if (findStruct(parameter.type))
    return keyword.ends_with("params");
  return both({"repeat", "repeat_time", "repeat_times"}) || both({"src", "src0"}) ||
         both({"src_offset", "offset", "dst_offset"}) || both({"src", "sort_list"});
}

} // namespace

const Argument *Bound::argumentOf(llvm::StringRef name) const {
  for (auto [parameter, argument] : llvm::zip_equal(form.parameters, arguments))
    if (parameter.name == name)
      return &argument;
  return nullptr;
}

bool Bound::accepts(const Form::Parameter &parameter, const Argument &argument) const {
  const Value value = core.values.read(argument.value);
  if (parameter.type == "LocalTensor")
    return value.is(localTensor);
  if (parameter.type == "GlobalTensor")
    return value.is(globalTensor);
  if (parameter.isMask())
    return core.values.isInteger(value) || value.isSequence() || (value.isHost() && core.host.isSequence(value.host));
  if (parameter.isTyped())
    return core.values.isNumeric(value);
  if (parameter.type == "typename")
    return value.isHost() && core.host.asDType(value.host);
  if (parameter.type.find("FixpipeConfig") != std::string::npos)
    return true;
  if (findStruct(parameter.type))
    return isStruct(core, value, parameter.type);
  return core.values.isInteger(value);
}

// Positional arguments in order, then keywords by their names.
bool Bound::distribute() {
  arguments.assign(form.parameters.size(), {});
  size_t count = form.parameters.size();
  if (site.positional.size() > count + form.setsMask)
    return false;
  for (auto [i, argument] : llvm::enumerate(site.positional))
    (i < count ? arguments[i] : isSetMask) = argument;
  for (const auto &[keyword, argument] : site.keywords) {
    if (keyword == "is_set_mask") {
      if (isSetMask)
        return false;
      isSetMask = argument;
      continue;
    }
    size_t at = count;
    for (size_t i = 0; i < count; ++i)
      if (!arguments[i] && form.parameters[i].python == keyword)
        at = i;
    for (size_t i = 0; i < count && at == count; ++i)
      if (!arguments[i] && isAlias(form.parameters[i], keyword))
        at = i;
    if (at == count)
      return false;
    arguments[at] = argument;
  }
  for (auto [parameter, argument] : llvm::zip_equal(form.parameters, arguments))
    if (argument ? !accepts(parameter, argument) : parameter.defaultValue.empty())
      return false;
  return true;
}

// T, U ... from the tensors that name them.
bool Bound::bindTypes() {
  types.clear();
  agree = true;
  for (auto [parameter, argument] : llvm::zip_equal(form.parameters, arguments)) {
    if (!parameter.isTensor() || !argument)
      continue;
    if (!core.expectTensor(argument, parameter.python))
      return false;
    DType dtype = partsOf(core.values.read(argument.value)).dtype;
    auto known = llvm::find_if(types, [&](const auto &type) { return type.first == parameter.element; });
    if (known == types.end())
      types.push_back({parameter.element, dtype});
    else if (known->second != dtype)
      agree = false;
  }
  for (auto [parameter, argument] : llvm::zip_equal(form.parameters, arguments))
    if (parameter.type == "typename" && argument)
      types.push_back({parameter.name, *core.host.asDType(argument.value.host)});
  return true;
}

bool Bound::fits(bool sameTypes) {
  if (!distribute() || !bindTypes() || (sameTypes && !agree))
    return false;
  if (!form.where)
    return true;
  Number holds = numberOf(*form.where);
  return holds.known && *holds.known;
}

DType Bound::typeOf(llvm::StringRef name) const {
  for (const auto &[type, dtype] : types)
    if (type == name)
      return dtype;
  static constexpr std::pair<llvm::StringLiteral, DType> fixed[] = {
      {"half", DType::F16},       {"float", DType::F32},           {"int32_t", DType::I32},
      {"uint32_t", DType::U32},   {"fp8_e4m3fn_t", DType::F8E4M3}, {"fp8_e5m2_t", DType::F8E5M2},
      {"hifloat8_t", DType::HIF8}};
  for (const auto &[type, dtype] : fixed)
    if (type == name)
      return dtype;
  return DType::Void;
}

const Value *Bound::tensorIn(const llvm::json::Value &expression) const {
  if (std::optional<llvm::StringRef> name = expression.getAsString()) {
    const Argument *argument = argumentOf(*name);
    return argument && *argument && isTensor(argument->value) ? &argument->value : nullptr;
  }
  if (const llvm::json::Object *object = expression.getAsObject())
    if (const llvm::json::Array *of = object->getArray("of")) {
      if (std::optional<llvm::StringRef> member = object->getString("member")) {
        std::optional<llvm::StringRef> name = (*of)[0].getAsString();
        const Argument *argument = name ? argumentOf(*name) : nullptr;
        if (argument && argument->value.is(record))
          for (auto [info, field] :
               llvm::zip_equal(recordOf(argument->value).info->members, recordOf(argument->value).fields))
            if (info.cpp == *member && field.value && isTensor(field.value))
              return &field.value;
      }
      for (const llvm::json::Value &each : *of)
        if (const Value *tensor = tensorIn(each))
          return tensor;
    }
  return nullptr;
}

Result Bound::evaluateName(llvm::StringRef name) {
  if (name == "i")
    return {callIndex, {}};
  if (name == "asSet")
    return {TS_AS_SET, {}};
  if (const Argument *argument = argumentOf(name)) {
    const Form::Parameter &parameter = *form.find(name);
    if (!*argument) {
      int64_t number = 0;
      if (std::optional<int64_t> known = findEnumerator(parameter.defaultValue))
        number = *known;
      else if (parameter.defaultValue == "true")
        number = 1;
      else
        llvm::StringRef(parameter.defaultValue).getAsInteger(0, number);
      return {number, {}};
    }
    Value value = core.values.read(argument->value);
    if (isTensor(value))
      return {core.address(value), {}};
    if (parameter.isMask())
      return {maskFor(*current), {}};
    if (parameter.isTyped())
      return {{}, value};
    Number number = core.numbers.of(value, parameter.python, argument->range);
    if (parameter.type != "pipe_t" || !number)
      return {number, {}};
    std::optional<int64_t> pipe = number.known ? pipeOf(*number.known) : std::nullopt;
    if (!pipe) {
      core.fail(argument->range, "ValueError",
                number.known ? "the chips of the model have no pipe " + llvm::Twine(*number.known)
                             : llvm::Twine("a pipe must be known while compiling"));
      return {};
    }
    return {*pipe, {}};
  }
  if (std::optional<int64_t> number = findEnumerator(name))
    return {*number, {}};
  llvm::report_fatal_error("an expression of the instruction table names '" + name + "', which does not exist");
}

Result Bound::evaluateMember(const llvm::json::Object &object) {
  llvm::StringRef member = *object.getString("member");
  const llvm::json::Value &of = (*object.getArray("of"))[0];
  Value value;
  Range where = range;
  if (std::optional<llvm::StringRef> name = of.getAsString()) {
    const Argument *argument = argumentOf(*name);
    if (!argument)
      llvm::report_fatal_error("an expression of the instruction table names '" + *name + "', which does not exist");
    // The layout of a Fixpipe is its configuration's only member.
    if (member == "format") {
      if (!*argument)
        return {*findEnumerator(form.find(*name)->defaultValue), {}};
      Value layout = Value::ofHost(core.host.getAttr(argument->value.host, "layout"));
      if (!layout)
        return core.failHost(argument->range), Result();
      return {core.numbers.of(layout, "the layout of a FixpipeConfig", argument->range), {}};
    }
    value = argument->value;
    where = argument->range;
  } else {
    value = evaluate(of).typed;
  }
  Value field = value ? memberOf(core, value, member, where) : Value();
  if (!field)
    return {};
  if (isTensor(field))
    return {core.address(field), {}};
  if (field.is(record) || field.isSequence())
    return {{}, field};
  if (core.values.isInteger(field))
    return {core.numbers.of(field, member, where), core.values.isNumeric(field) ? field : Value()};
  return {{}, field};
}

Result Bound::evaluateCall(llvm::StringRef function, const llvm::json::Array &of) {
  Numbers &n = core.numbers;
  auto word = [&](size_t i) { return of[i].getAsString().value_or(""); };
  if (function == "memory" || function == "bytes" || function == "elements") {
    const Value *tensor = tensorIn(of[0]);
    TensorParts &parts = partsOf(*tensor);
    if (function == "memory")
      return {int64_t(parts.isLocal ? memoryOf(parts.position) : isa::Memory::GM), {}};
    Number size = core.size(*tensor);
    return {function == "elements" ? size : n.mul(size, bytesOf(parts.dtype), range), {}};
  }
  if (function == "scales") { // at a sixteenth of the factor's address
    const Value *tensor = tensorIn(of[0]);
    bool isB = memoryOf(partsOf(*tensor).position) == isa::Memory::L0B;
    Number offset = n.binary("&", core.address(*tensor), (int64_t(1) << 56) - 1, range);
    return {n.add(n.binary("/", offset, 16, range), addressIn(isB ? isa::Memory::L0BMX : isa::Memory::L0AMX, 0), range),
            {}};
  }
  if (function == "sizeof")
    return {bytesOf(typeOf(word(0))), {}};
  if (function == "lanes") {
    int64_t widest = bytesOf(typeOf(word(0)));
    if (of.size() > 1)
      widest = std::max(widest, bytesOf(typeOf(word(1))));
    return {widest ? int64_t(isa::repeatBytes) / widest : 0, {}};
  }
  if (function == "same")
    return {typeOf(word(0)) == typeOf(word(1)), {}};
  if (function == "min") {
    Number a = numberOf(of[0]), b = numberOf(of[1]);
    return {n.choose(n.binary("<", a, b, range), a, b, range), {}};
  }
  if (function == "register")
    return {core.ask("get_register", {*findEnumerator(("Register::" + word(0)).str())}, range), {}};
  if (function == "from" || function == "to") {
    const Argument *argument = argumentOf(word(0));
    std::optional<int64_t> event = core.expectKnown(*argument, word(0));
    if (!event)
      return {};
    std::optional<std::pair<int64_t, int64_t>> pipes = pipesOfEvent(*event);
    if (!pipes)
      return core.fail(argument->range, "ValueError", "there is no HardEvent " + llvm::Twine(*event)), Result();
    return {function == "from" ? pipes->first : pipes->second, {}};
  }
  return evaluate(of[0]); // T(x): converted where it is used
}

Result Bound::evaluate(const llvm::json::Value &expression) {
  if (std::optional<int64_t> number = expression.getAsInteger())
    return {*number, {}};
  if (std::optional<llvm::StringRef> name = expression.getAsString())
    return evaluateName(*name);
  const llvm::json::Object &object = *expression.getAsObject();
  const llvm::json::Array &of = *object.getArray("of");
  if (object.getString("member"))
    return evaluateMember(object);
  if (std::optional<llvm::StringRef> function = object.getString("call"))
    return evaluateCall(*function, of);
  llvm::StringRef op = *object.getString("op");
  Numbers &n = core.numbers;
  if (op == "[]") {
    Value items = evaluate(of[0]).typed;
    std::optional<int64_t> index = numberOf(of[1]).known;
    llvm::SmallVector<Value> elements;
    if (!items || !index || !core.values.toSequence(items, elements, range, "the member"))
      return {};
    return {size_t(*index) < elements.size() ? core.numbers.of(elements[*index], "an element", range) : Number(0), {}};
  }
  if (op == "?") {
    Number condition = numberOf(of[0]);
    if (!condition)
      return {};
    if (condition.known)
      return evaluate(of[*condition.known ? 1 : 2]);
    Number a = numberOf(of[1]), b = a ? numberOf(of[2]) : Number();
    return b ? Result{n.choose(condition, a, b, range), {}} : Result();
  }
  Number a = numberOf(of[0]);
  if (!a || of.size() == 1)
    return a ? Result{n.unary(op, a, range), {}} : Result();
  Number b = numberOf(of[1]);
  return b ? Result{n.binary(op, a, b, range), {}} : Result();
}

// The element type a call carries for an operand.
DType Bound::carriedType(const Form::Way &way, int8_t operand) const {
  const Value *tensor = operand < 0 ? nullptr : tensorIn((*way.operands)[size_t(operand)]);
  return tensor ? partsOf(*tensor).dtype : DType::Void;
}

// The mask operand of a call: a number of first lanes, or the register, which becomes the bits that are given.
Number Bound::maskFor(const Form::Way &way) {
  if (isSetMask) {
    std::optional<bool> sets = core.l.expect.boolean(isSetMask, true, "is_set_mask");
    if (!sets)
      return {};
    if (!*sets)
      return TS_MASK_BITS;
  }
  const Argument *mask = nullptr;
  for (auto [parameter, argument] : llvm::zip_equal(form.parameters, arguments))
    if (parameter.isMask())
      mask = &argument;
  return maskOperand(core, *mask,
                     std::max(bytesOf(carriedType(way, way.instruction->dtypeOperand)),
                              bytesOf(carriedType(way, way.instruction->dtype2Operand))),
                     range);
}

std::optional<std::pair<Number, Number>> maskWords(Core &core, const Argument &mask) {
  llvm::SmallVector<Value> words;
  if (!core.values.toSequence(mask.value, words, mask.range, "mask"))
    return std::nullopt;
  if (words.empty() || words.size() > 2) {
    core.fail(mask.range, "ValueError", "a mask of bits has one or two words, not " + llvm::Twine(words.size()));
    return std::nullopt;
  }
  Number low = core.numbers.of(words[0], "a word of the mask", mask.range);
  Number high = low && words.size() > 1 ? core.numbers.of(words[1], "a word of the mask", mask.range) : Number(0);
  return low && high ? std::optional(std::pair(low, high)) : std::nullopt;
}

Number maskOperand(Core &core, const Argument &mask, int64_t bytes, const Range &range) {
  Numbers &n = core.numbers;
  if (core.values.isInteger(mask.value)) {
    Number lanes = n.of(mask.value, "mask", mask.range);
    if (!lanes)
      return {};
    Number most = TS_MASK_MOST;
    lanes = n.choose(n.binary("<", lanes, 0, range), 0, lanes, range);
    lanes = n.choose(n.binary("<", lanes, most, range), lanes, most, range);
    return n.add(lanes, TS_MASK_GIVEN, range);
  }
  std::optional<std::pair<Number, Number>> words = maskWords(core, mask);
  if (!words)
    return {};
  core.tell("mask_lanes", {words->first, bytes && isa::repeatBytes / bytes > 64 ? words->second : Number(0)}, range);
  return TS_MASK_BITS;
}

bool Bound::issue(const Form::Way &way) {
  current = &way;
  const isa::InstructionInfo &info = *way.instruction;
  DType dtype = carriedType(way, info.dtypeOperand);
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<std::pair<llvm::StringRef, int64_t>> choices;
  for (unsigned i = 0; i < info.numOperands; ++i) {
    const isa::OperandInfo &operand = info.operands[i];
    const llvm::json::Value &expression = (*way.operands)[i];
    Result result = evaluate(expression);
    if (!result)
      return false;
    if (operand.kind == isa::OperandKind::Attribute) {
      if (!result.number.known)
        return bool(core.fail(range, "TypeError", llvm::StringRef(operand.name) + " must be known while compiling"));
      choices.push_back({llvm::StringRef(operand.name), *result.number.known});
    } else if (operand.kind == isa::OperandKind::Buffer) {
      if (const Value *tensor = tensorIn(expression)) {
        TensorParts &parts = partsOf(*tensor);
        isa::Memory memory = parts.isLocal ? memoryOf(parts.position) : isa::Memory::GM;
        operands.push_back(core.bufferAt(result.number, memory, parts.dtype, range));
      } else { // an address a register holds
        operands.push_back(core.bufferAt(result.number, isa::Memory::UB, DType::U64, range));
      }
    } else if (operand.kind == isa::OperandKind::Scalar) {
      Value value = result.typed ? result.typed : core.numbers.toPython(result.number, DType::I64, range);
      operands.push_back(core.toScalar(value, dtype, range));
      if (!operands.back())
        return false;
    } else {
      if (result.typed && !result.number) { // the bits of a number of an element type
        std::optional<llvm::StringRef> name = expression.getAsString();
        const Form::Parameter *parameter = name ? form.find(*name) : nullptr;
        DType own = parameter && parameter->isTyped() ? typeOf(parameter->type) : dtype;
        mlir::Value scalar = core.toScalar(result.typed, own, range);
        if (!scalar)
          return false;
        result.number = core.numbers.bits(scalar, own, range);
      }
      operands.push_back(core.numbers.value(result.number, range));
    }
  }
  core.issue(llvm::StringRef(info.mnemonic), operands, choices, range);
  return true;
}

// As often as the way says, with `i` counting.
bool Bound::repeated(const Form::Way &way) {
  current = &way;
  if (!way.times)
    return issue(way);
  Number times = numberOf(*way.times);
  if (!times)
    return false;
  callIndex = 0;
  if (times.known && *times.known == 1)
    return issue(way);
  mlir::OpBuilder &b = core.builder();
  mlir::Location at = core.loc(range);
  mlir::Value zero = core.numbers.value(0, range), one = core.numbers.value(1, range);
  auto loop = mlir::scf::ForOp::create(b, at, zero, core.numbers.value(times, range), one);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  callIndex = Number(mlir::Value(loop.getInductionVar()));
  bool ok = issue(way);
  callIndex = 0;
  return ok;
}

// What is known leaves no branch in the kernel.
bool Bound::either(const Number &condition, llvm::function_ref<bool()> then, llvm::function_ref<bool()> otherwise) {
  if (!condition)
    return false;
  if (condition.known)
    return *condition.known ? then() : otherwise();
  mlir::OpBuilder &b = core.builder();
  mlir::Value test = core.numbers.condition(condition, range);
  auto branch = mlir::scf::IfOp::create(b, core.loc(range), test, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  if (!then())
    return false;
  b.setInsertionPointToStart(branch.elseBlock());
  return otherwise();
}

// The first way whose condition holds.
bool Bound::ways(size_t index) {
  if (index == form.ways.size())
    return form.otherwise.empty() || core.unsupported(form.otherwise, range);
  const Form::Way &way = form.ways[index];
  current = &way;
  if (!way.when)
    return repeated(way);
  return either(numberOf(*way.when), [&] { return repeated(way); }, [&] { return ways(index + 1); });
}

bool Bound::lower() {
  if (!agree) {
    std::string text;
    for (auto [parameter, argument] : llvm::zip_equal(form.parameters, arguments))
      if (parameter.isTensor())
        text += (text.empty() ? "" : ", ") + parameter.python + " is " +
                name(partsOf(core.values.read(argument.value)).dtype).str();
    if (!core.warn("the tensors of " + form.cpp + " have different element types: " + text, range))
      return false;
  }
  std::function<bool(size_t)> musts = [&](size_t index) -> bool {
    if (index == form.musts.size())
      return ways(0);
    const Form::Must &must = form.musts[index];
    Number holds = numberOf(*must.condition);
    return either(
        holds, [&] { return musts(index + 1); },
        [&] { return core.unsupported(must.text, range, /*warns=*/holds.known.has_value()); });
  };
  return musts(0);
}

static Value refuse(Core &core, llvm::StringRef name, const Function &function, const CallSite &site) {
  std::string given, forms;
  for (const Argument &argument : site.positional)
    given += (given.empty() ? "" : ", ") + core.describe(argument.value);
  for (const auto &[key, argument] : site.keywords)
    given += (given.empty() ? "" : ", ") + (key + "=").str() + core.describe(argument.value);
  for (const Form &form : function.forms)
    forms += (forms.empty() ? "it is called as " : ", or ") + name.str() + form.signature();
  return core.fail(site.range, "RuntimeError",
                   "no form of asc." + name + " takes " + (given.empty() ? "no arguments" : "(" + given + ")"), forms);
}

std::optional<Value> callForms(Core &core, llvm::StringRef name, CallSite &site) {
  const Function *function = findFunction(name);
  if (!function)
    return std::nullopt;
  for (bool sameTypes : {true, false})
    for (const Form &form : function->forms) {
      Bound bound(core, form, site);
      bool fits = bound.fits(sameTypes);
      if (core.l.errors.hasFailed())
        return Value();
      if (fits)
        return (core.writes() ? bound.write() : bound.lower()) ? core.none() : Value();
    }
  if (std::optional<Value> missing = callMissing(core, name, site))
    return missing;
  for (const Form &form : function->forms)
    if (Bound(core, form, site).fitsElsewhere())
      return core.unsupported(("asc." + name + " between these memories").str(), site.range) ? core.none() : Value();
  return refuse(core, name, *function, site);
}

} // namespace tilesmith::frontend::asc
