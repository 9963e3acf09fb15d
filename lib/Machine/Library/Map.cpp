// Functions of single elements, as instructions: a chain of them through memory on the 910B, one vector function on the
// 950.
//
// A chain keeps its values in slots of the temporary buffer. A value has its slot until it was read for the last time,
// so the slots a function needs are those of its widest point, and the rule for its buffer is linear: so many bytes for
// every 64 elements. What does not fit is done piece by piece.
#include "Map.h"
#include "Exec/Registers.h"
#include "tilesmith/Machine/Abi.h"
#include <cmath>

namespace tilesmith::machine::library {

namespace {

constexpr int64_t lanes = isa::repeatBytes / 4; // elements of a unit
constexpr int64_t slotBytes = isa::repeatBytes, maskBytes = isa::blockBytes;

struct Call {
  TsLibraryMap function;
  const Formula &formula;
  DType from, to;
  int64_t dst[2], src[3];
  float parameters[2];
  int64_t count;
};

int64_t bytesOf(DType dtype) { return int64_t(isa::sizeOf(dtype)); }

// Where the values of a chain lie.
struct Places {
  static constexpr int none = -1, inSource = -2, inResult = -3;

  std::vector<int> slot; // of each value; or one of the above
  int slots = 0, masks = 0;

  // `loads`: sources are brought into slots. `stores`: results are taken out of slots. Otherwise they are used where
  // they lie; a result only when no source is read after it, or with `mayWriteEarly`.
  Places(const Formula &formula, bool loads, bool stores, bool mayWriteEarly) : slot(formula.values.size(), none) {
    std::vector<size_t> last(formula.values.size(), 0);
    size_t lastSource = 0;
    for (size_t i = 0; i < formula.steps.size(); ++i)
      for (int source : formula.steps[i].sources)
        if (source >= 0) {
          last[size_t(source)] = i;
          if (source < formula.numSources)
            lastSource = i;
        }
    for (int result : formula.results)
      last[size_t(result)] = formula.steps.size();
    std::vector<bool> takenSlots, takenMasks;
    auto take = [](std::vector<bool> &taken) {
      size_t i = 0;
      while (i < taken.size() && taken[i])
        ++i;
      if (i == taken.size())
        taken.push_back(true);
      taken[i] = true;
      return int(i);
    };
    for (int i = 0; i < formula.numSources; ++i)
      slot[size_t(i)] = loads ? take(takenSlots) : inSource;
    for (size_t i = 0; i < formula.steps.size(); ++i) {
      const Step &step = formula.steps[i];
      for (int source : step.sources)
        if (source >= 0 && last[size_t(source)] == i && slot[size_t(source)] >= 0)
          (formula.values[size_t(source)].isMask ? takenMasks : takenSlots)[size_t(slot[size_t(source)])] = false;
      bool isResult = std::find(formula.results.begin(), formula.results.end(), step.result) != formula.results.end();
      if (formula.values[size_t(step.result)].isMask)
        slot[size_t(step.result)] = take(takenMasks);
      else if (isResult && !stores && (mayWriteEarly || lastSource <= i))
        slot[size_t(step.result)] = inResult;
      else
        slot[size_t(step.result)] = take(takenSlots);
    }
    slots = int(takenSlots.size());
    masks = int(takenMasks.size());
  }
  // Bytes for 64 elements.
  int64_t unit() const { return slots * slotBytes + masks * maskBytes; }
};

// Whether a piece of so many elements is padded: comparisons take whole repeats alone, so what is behind the last
// element is computed, too, and must be something.
bool isPadded(const Formula &formula, int64_t count) {
  return count % lanes != 0 && std::any_of(formula.values.begin(), formula.values.end(),
                                           [](const Formula::Value &value) { return value.isMask; });
}
Places placesOf(const Formula &formula, DType from, bool padded, bool mayWriteEarly) {
  bool converts = from != formula.computes;
  Places places(formula, converts || padded, converts || padded || formula.to, mayWriteEarly);
  places.slots += bytesOf(from) == 1; // bytes become f16 on their way
  return places;
}
bool isByte(DType dtype) { return bytesOf(dtype) == 1; }

// One piece of a chain.
class Chain {
public:
  Chain(Issue &issue, const Call &call, const Places &places, const Work &work, int64_t units)
      : issue(issue), call(call), formula(call.formula), places(places), work(work), units(units) {}

  void run(int64_t from, int64_t howMany) {
    first = from;
    count = exact = howMany;
    bool padded = isPadded(formula, count);
    if (padded)
      count = (count + lanes - 1) / lanes * lanes;
    if (call.from != formula.computes || padded)
      for (int i = 0; i < formula.numSources; ++i)
        load(i);
    for (const Step &step : formula.steps)
      run(step);
    for (size_t i = 0; i < formula.results.size(); ++i)
      store(formula.results[i], call.dst[i] + first * bytesOf(call.to));
  }

private:
  int64_t at(int value) const {
    int slot = places.slot[size_t(value)];
    if (slot == Places::inSource)
      return call.src[value] + first * bytesOf(call.from);
    if (slot == Places::inResult)
      return call.dst[value == formula.results[0] ? 0 : 1] + first * bytesOf(call.to);
    int64_t masks = work.address + int64_t(places.slots) * slotBytes * units;
    return formula.values[size_t(value)].isMask ? masks + slot * maskBytes * units
                                                : work.address + slot * slotBytes * units;
  }
  Bytes bytes(int value) const {
    if (formula.values[size_t(value)].isMask)
      return Bytes::at(at(value), (count + lanes - 1) / lanes * (lanes / 8));
    return Bytes::at(at(value), count * bytesOf(formula.values[size_t(value)].dtype));
  }
  void cast(int64_t dst, DType to, int64_t src, DType from, RoundMode mode) {
    issue.call<isa::Cast>(to, from, Bytes::at(dst, exact * bytesOf(to)), {Bytes::at(src, exact * bytesOf(from))},
                          Address(dst), Address(src), mode, exact);
  }
  void move(int64_t dst, int64_t src, DType dtype) { // bit for bit, but for the payload of a NaN
    issue.call<isa::Muls>(dtype, {}, Bytes::at(dst, exact * bytesOf(dtype)), {Bytes::at(src, exact * bytesOf(dtype))},
                          Address(dst), Address(src), bitsOf(1, dtype), exact);
  }
  void load(int source) {
    int64_t src = call.src[source] + first * bytesOf(call.from), dst = at(source);
    if (count != exact) {
      int64_t last = dst + (count - lanes) * bytesOf(formula.computes);
      issue.call<isa::Duplicate>(formula.computes, {}, Bytes::at(last, lanes * bytesOf(formula.computes)), {},
                                 Address(last), bitsOf(1, formula.computes), lanes);
    }
    if (isByte(call.from)) {
      int64_t halves = work.address + int64_t(places.slots - 1) * slotBytes * units;
      cast(halves, DType::F16, src, call.from, RoundMode::None);
      cast(dst, formula.computes, halves, DType::F16, RoundMode::None);
    } else if (call.from != formula.computes) {
      cast(dst, formula.computes, src, call.from, RoundMode::None);
    } else {
      move(dst, src, call.from);
    }
  }
  void store(int value, int64_t dst) {
    if (places.slot[size_t(value)] == Places::inResult)
      return;
    int64_t src = at(value);
    if (isByte(call.to)) { // by way of f16, in place
      cast(src, DType::F16, src, DType::F32, RoundMode::Rint);
      cast(dst, call.to, src, DType::F16, RoundMode::Rint);
    } else if (call.to != formula.computes) {
      cast(dst, call.to, src, formula.computes, RoundMode::Rint);
    } else {
      move(dst, src, call.to);
    }
  }

  void compare(const Step &step) {
    Address dst(at(step.result)), a(at(step.sources[0]));
    Bytes write = bytes(step.result), read = bytes(step.sources[0]);
    auto mode = CmpMode(step.mode);
    if (step.op == Opcode::CompareScalar)
      issue.call<isa::CompareScalar>(step.dtype, {}, write, {read}, dst, a,
                                     bitsOf(step.scalar.of(call.parameters), step.dtype), mode, count);
    else
      issue.call<isa::Compare>(step.dtype, {}, write, {read, bytes(step.sources[1])}, dst, a,
                               Address(at(step.sources[1])), mode, count);
  }

  void run(const Step &step) {
    DType dtype = step.dtype;
    Address dst(at(step.result));
    Bytes write = bytes(step.result);
    auto sourceAt = [&](int i) { return Address(at(step.sources[i])); };
    auto read = [&](int i) { return bytes(step.sources[i]); };
    int64_t scalar = bitsOf(step.scalar.of(call.parameters), dtype);
    switch (step.op) {
    case Opcode::Compare:
    case Opcode::CompareScalar:
      return compare(step);
    case Opcode::Select:
      return issue.call<isa::Select>(dtype, {}, write, {read(0), read(1), read(2)}, dst, sourceAt(0), sourceAt(1),
                                     sourceAt(2), count);
    case Opcode::SelectScalar:
      return issue.call<isa::SelectScalar>(dtype, {}, write, {read(0), read(1)}, dst, sourceAt(0), sourceAt(1), scalar,
                                           count);
    case Opcode::Duplicate:
      return issue.call<isa::Duplicate>(dtype, {}, write, {}, dst, scalar, count);
    case Opcode::Cast:
      return issue.call<isa::Cast>(dtype, step.from, write, {read(0)}, dst, sourceAt(0), RoundMode(step.mode), count);
    default:
      break;
    }
    // One or two sources, or one and a scalar; masks are words of 16 bits.
    bool isMask = formula.values[size_t(step.result)].isMask;
    Instr instr;
    instr.op = step.op;
    instr.args[instr.numArgs++] = dst.bits;
    instr.args[instr.numArgs++] = sourceAt(0).bits;
    Bytes second = read(0);
    if (isa::getInstruction(step.op).family == Family::VectorScalar)
      instr.args[instr.numArgs++] = scalar;
    else if (step.sources[1] >= 0) {
      instr.args[instr.numArgs++] = sourceAt(1).bits;
      second = read(1);
    }
    instr.args[instr.numArgs++] = isMask ? (count + lanes - 1) / lanes * (lanes / 16) : count;
    issue(instr, dtype, write, {read(0), second});
  }

  Issue &issue;
  const Call &call;
  const Formula &formula;
  const Places &places;
  const Work &work;
  int64_t units, first = 0;
  int64_t exact = 0, count = 0; // elements of the piece, and those that are computed
};

void runChain(TsCore &core, int64_t loc, const Call &call, int64_t workAddress, int64_t workBytes) {
  bool meets = false;
  for (size_t i = 0; i < call.formula.results.size(); ++i)
    for (int j = 0; j < call.formula.numSources; ++j)
      meets |= Bytes::at(call.dst[i], call.count * bytesOf(call.to))
                   .meets(Bytes::at(call.src[j], call.count * bytesOf(call.from)));
  int64_t all = (call.count + lanes - 1) / lanes;
  auto widest = [&](bool padded) { return placesOf(call.formula, call.from, padded, !meets); };
  Places whole = widest(false), last = widest(isPadded(call.formula, call.count));
  int64_t unit = std::max(whole.unit(), last.unit());
  Work work;
  if (unit > 0) {
    std::optional<Work> found = Request(core, loc, nameOf(call.function)).work(workAddress, workBytes, unit);
    if (!found)
      return;
    work = *found;
  }
  int64_t units = unit > 0 ? std::min(all, work.bytes / unit) : all;
  Issue issue(core, loc);
  for (int64_t first = 0; first < call.count; first += units * lanes) {
    int64_t count = std::min(units * lanes, call.count - first);
    Chain(issue, call, isPadded(call.formula, count) ? last : whole, work, units).run(first, count);
  }
}

// The same in registers. Runs inside of a vector function, perhaps twice.
struct Registers {
  struct Value {
    alignas(64) uint8_t bytes[isa::repeatBytes];
    int64_t ready = 0;
  };

  TsCore *core;
  TsVfContext *context;
  const Call &call;
  const Formula &formula;
  std::vector<Value> values;
  int64_t first = 0, count = 0;

  int64_t told(int64_t kind, bool narrow, int64_t ready) {
    return context->records ? tsm_vf_step(core, kind, narrow, ready) : 0;
  }
  int64_t counted(isa::CostClass cost, DType dtype, int64_t ready) {
    return told(int64_t(cost), bytesOf(dtype) < 4, ready);
  }
  void load(int i) {
    Value &value = values[size_t(i)];
    int64_t size = bytesOf(call.from), offset = Address(call.src[i]).offset() + first * size;
    value.ready = told(TS_VF_LOAD, false, 0);
    if (!tsm_vf_touch(core, offset, count * size, isa::blockBytes, 0, context->written))
      return;
    if (!core->dry) // which has no memory
      std::memcpy(value.bytes, context->ub + offset, size_t(count * size));
    if (isByte(call.from))
      convert(value, DType::F16, call.from, RoundMode::None);
    if (call.from != formula.computes)
      convert(value, formula.computes, isByte(call.from) ? DType::F16 : call.from, RoundMode::None);
  }
  void convert(Value &value, DType to, DType from, RoundMode mode) {
    Value source = value;
    value.ready = counted(isa::CostClass::Convert, bytesOf(to) < bytesOf(from) ? to : from, source.ready);
    tsm_reg_compute(int64_t(Opcode::Cast), int64_t(to), int64_t(from), int64_t(mode), value.bytes, source.bytes,
                    nullptr, 0, count);
  }
  void store(int result, int64_t dst) {
    Value value = values[size_t(result)];
    if (isByte(call.to)) {
      convert(value, DType::F16, DType::F32, RoundMode::Rint);
      convert(value, call.to, DType::F16, RoundMode::Rint);
    } else if (call.to != formula.computes) {
      convert(value, call.to, formula.computes, RoundMode::Rint);
    }
    int64_t size = bytesOf(call.to), offset = Address(dst).offset() + first * size;
    told(TS_VF_STORE, false, value.ready);
    if (tsm_vf_touch(core, offset, count * size, isa::blockBytes, 1, 0) && context->writes && !core->dry)
      std::memcpy(context->ub + offset, value.bytes, size_t(count * size));
  }

  bool bit(const Value &mask, int64_t i) const { return mask.bytes[i / 8] >> (i % 8) & 1; }
  void select(const Step &step, Value &result) {
    int64_t size = bytesOf(step.dtype), scalar = bitsOf(step.scalar.of(call.parameters), step.dtype);
    const Value &mask = values[size_t(step.sources[0])], &yes = values[size_t(step.sources[1])];
    const Value *no = step.op == Opcode::Select ? &values[size_t(step.sources[2])] : nullptr;
    for (int64_t i = 0; i < count; ++i) {
      const void *from = bit(mask, i) ? yes.bytes + i * size
                         : no         ? static_cast<const void *>(no->bytes + i * size)
                                      : &scalar;
      std::memcpy(result.bytes + i * size, from, size_t(size));
    }
  }
  void fill(const Step &step, Value &result) {
    int64_t size = bytesOf(step.dtype), scalar = bitsOf(step.scalar.of(call.parameters), step.dtype);
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(result.bytes + i * size, &scalar, size_t(size));
  }

  void run(const Step &step) {
    Value &result = values[size_t(step.result)];
    int64_t ready = 0;
    for (int source : step.sources)
      if (source >= 0)
        ready = std::max(ready, values[size_t(source)].ready);
    if (step.op == Opcode::Duplicate) { // before the loop
      result.ready = 0;
      return fill(step, result);
    }
    if (formula.values[size_t(step.result)].isMask &&
        isa::getInstruction(step.op).cost != isa::CostClass::CompareSelect) {
      const uint8_t *a = values[size_t(step.sources[0])].bytes,
                    *b = step.sources[1] >= 0 ? values[size_t(step.sources[1])].bytes : a;
      for (size_t i = 0; i < sizeof result.bytes; ++i)
        result.bytes[i] = step.op == Opcode::And ? a[i] & b[i] : step.op == Opcode::Or ? a[i] | b[i] : uint8_t(~a[i]);
      result.ready = ready;
      return;
    }
    result.ready = counted(isa::getInstruction(step.op).cost, step.dtype, ready);
    if (step.op == Opcode::Select || step.op == Opcode::SelectScalar)
      return select(step, result);
    const uint8_t *b = step.sources[1] >= 0 ? values[size_t(step.sources[1])].bytes : nullptr;
    tsm_reg_compute(int64_t(step.op), int64_t(step.dtype), int64_t(step.op == Opcode::Cast ? step.from : step.dtype),
                    step.mode, result.bytes, values[size_t(step.sources[0])].bytes, b,
                    bitsOf(step.scalar.of(call.parameters), step.dtype), count);
  }

  void run() {
    int64_t width = isa::repeatBytes / bytesOf(formula.computes);
    for (first = 0; first < call.count; first += width) {
      count = std::min(width, call.count - first);
      if (first + width >= call.count)
        told(TS_VF_LOOP, false, 0);
      for (int i = 0; i < formula.numSources; ++i)
        load(i);
      for (const Step &step : formula.steps)
        run(step);
      for (size_t i = 0; i < formula.results.size(); ++i)
        store(formula.results[i], call.dst[i]);
    }
  }
};

int64_t pair(float low, float high) {
  return int64_t(uint64_t(__builtin_bit_cast(uint32_t, high)) << 32 | __builtin_bit_cast(uint32_t, low));
}

void runRegisters(uint8_t *, const int64_t *words) {
  auto *core = reinterpret_cast<TsCore *>(intptr_t(words[0]));
  auto function = TsLibraryMap(words[1] & 0xffff);
  auto from = DType(words[1] >> 16 & 0xff), to = DType(words[1] >> 24 & 0xff);
  Call call{function,
            formulaOf(function, from),
            from,
            to,
            {words[2], words[3]},
            {words[4], words[5], words[6]},
            {__builtin_bit_cast(float, uint32_t(words[7])), __builtin_bit_cast(float, uint32_t(words[7] >> 32))},
            words[8]};
  TsVfContext *context = tsm_vf_context(core);
  if (!context)
    return;
  Registers registers{core, context, call, call.formula, std::vector<Registers::Value>(call.formula.values.size())};
  registers.run();
}

void runVectorFunction(TsCore &core, int64_t loc, const Call &call) {
  int64_t args[] = {int64_t(reinterpret_cast<intptr_t>(&core)),
                    int64_t(call.function) | int64_t(call.from) << 16 | int64_t(call.to) << 24,
                    call.dst[0],
                    call.dst[1],
                    call.src[0],
                    call.src[1],
                    call.src[2],
                    pair(call.parameters[0], call.parameters[1]),
                    call.count};
  tsm_vf_call(&core, loc, runRegisters, args, std::size(args));
}

} // namespace

void issueMap(TsCore &core, int64_t loc, const MapCall &given) {
  if (core.ended)
    return;
  Request request(core, loc,
                  given.function >= 0 && given.function < TS_MAP_COUNT
                      ? nameOf(TsLibraryMap(given.function))
                      : "a function of the library that does not exist");
  if (given.function < 0 || given.function >= TS_MAP_COUNT) {
    request.refuse("was called");
    return;
  }
  auto function = TsLibraryMap(given.function);
  auto from = DType(given.dtype), to = DType(given.dtype2);
  if (!request.takes(from, typesOf(function)))
    return;
  const Formula &formula = formulaOf(function, from);
  if (!request.takes(to, formula.to ? formula.to : isa::dtypeBit(from)))
    return;
  constexpr int64_t most = int64_t(1) << 32;
  if (given.count < 0 || given.count > most) {
    request.refuse("was called for " + std::to_string(given.count) + " elements");
    return;
  }
  Call call{
      function,
      formula,
      from,
      to,
      {given.dst[0], given.dst[1]},
      {given.src[0], given.src[1], given.src[2]},
      {__builtin_bit_cast(float, uint32_t(given.scalar[0])), __builtin_bit_cast(float, uint32_t(given.scalar[1]))},
      given.count};
  for (size_t i = 0; i < formula.results.size() + size_t(formula.numSources); ++i) {
    bool isResult = i < formula.results.size();
    Address at(isResult ? call.dst[i] : call.src[i - formula.results.size()]);
    if (at.memory() != Memory::UB) {
      request.refuse("works on tensors in UB, not in " + std::string(isa::stringify(at.memory())));
      return;
    }
  }
  if (given.count == 0)
    return;
  if (core.platform->arch == Arch::C310)
    runVectorFunction(core, loc, call);
  else
    runChain(core, loc, call, given.work, given.workBytes);
}

WorkRule ruleOf(TsLibraryMap function, DType dtype) {
  const Formula &formula = formulaOf(function, dtype);
  return {placesOf(formula, dtype, /*padded=*/isPadded(formula, 1), /*mayWriteEarly=*/false).unit(), lanes};
}

} // namespace tilesmith::machine::library

extern "C" void tsm_library_map(TsCore *core, int64_t loc, int64_t function, int64_t dtype, int64_t dtype2, int64_t dst,
                                int64_t dst2, int64_t src0, int64_t src1, int64_t src2, int64_t scalar0,
                                int64_t scalar1, int64_t work, int64_t workBytes, int64_t count) {
  tilesmith::machine::library::issueMap(
      *core, loc,
      {function, dtype, dtype2, {dst, dst2}, {src0, src1, src2}, {scalar0, scalar1}, work, workBytes, count});
}
