// A function of elements as a list of steps on values, and the builder Support/Formulas.h writes it with.
//
// A value is all elements of a call. Steps are instructions of the table without addresses; which memory or registers
// hold the values is decided where a formula is issued (Map.cpp). Every value is written once, before it is read.
#ifndef TILESMITH_LIB_MACHINE_LIBRARY_FORMULA_H
#define TILESMITH_LIB_MACHINE_LIBRARY_FORMULA_H

#include "tilesmith/Isa/Isa.h"
#include "tilesmith/Machine/Library.h"
#include <vector>

namespace tilesmith::machine::library {

using isa::CmpMode;
using isa::DType;
using isa::Opcode;
using isa::RoundMode;

// A number of a step: known, or times one the call gives.
struct Scalar {
  double factor = 0;
  int parameter = -1;

  double of(const float *parameters) const { return parameter < 0 ? factor : factor * double(parameters[parameter]); }
};

struct Step {
  Opcode op;
  int result;
  int sources[3] = {-1, -1, -1}; // values; of a select the mask comes first
  Scalar scalar = {};
  int mode = 0; // of rounding or comparing
  DType dtype;  // of the result; of a comparison and a mask: what is compared
  DType from;   // of a conversion
};

struct Formula {
  struct Value {
    DType dtype;
    bool isMask = false; // packed bits
  };
  DType computes = DType::F32;
  int numSources = 0;
  std::vector<Value> values; // the sources come first
  std::vector<int> results;  // at most two
  std::vector<Step> steps;
  isa::DTypeSet to = 0; // the types of the results; 0: that of the sources
};

class FormulaBuilder {
public:
  struct Value {
    int id = -1;
  };

  explicit FormulaBuilder(int sources, DType dtype = DType::F32) {
    formula.computes = dtype;
    formula.numSources = sources;
    formula.values.resize(size_t(sources), {dtype});
  }
  Value source(int i) const { return {i}; }
  Formula finish(std::initializer_list<Value> results) {
    for (Value value : results)
      formula.results.push_back(value.id);
    return std::move(formula);
  }

  Value add(Value x, Value y) { return binary(Opcode::Add, x, y); }
  Value sub(Value x, Value y) { return binary(Opcode::Sub, x, y); }
  Value mul(Value x, Value y) { return binary(Opcode::Mul, x, y); }
  Value div(Value x, Value y) { return binary(Opcode::Div, x, y); }
  Value min(Value x, Value y) { return binary(Opcode::Min, x, y); }
  Value max(Value x, Value y) { return binary(Opcode::Max, x, y); }
  Value bitAnd(Value x, Value y) { return binary(Opcode::And, x, y); }
  Value bitOr(Value x, Value y) { return binary(Opcode::Or, x, y); }
  Value bitNot(Value x) { return unary(Opcode::Not, x); }
  Value shiftRight(Value x, int bits) { return scalar(Opcode::ShiftRight, x, Scalar{double(bits)}); }
  Value shiftLeft(Value x, int bits) { return scalar(Opcode::ShiftLeft, x, Scalar{double(bits)}); }
  Value add(Value x, Scalar y) { return scalar(Opcode::Adds, x, y); }
  Value mul(Value x, Scalar y) { return scalar(Opcode::Muls, x, y); }
  Value min(Value x, Scalar y) { return scalar(Opcode::Mins, x, y); }
  Value max(Value x, Scalar y) { return scalar(Opcode::Maxs, x, y); }
  Value add(Value x, double y) { return add(x, Scalar{y}); }
  Value mul(Value x, double y) { return mul(x, Scalar{y}); }
  Value min(Value x, double y) { return min(x, Scalar{y}); }
  Value max(Value x, double y) { return max(x, Scalar{y}); }
  Value div(double x, Value y) { return x == 1 ? unary(Opcode::Reciprocal, y) : div(fill(Scalar{x}), y); }
  Value abs(Value x) { return unary(Opcode::Abs, x); }
  Value exp(Value x) { return unary(Opcode::Exp, x); }
  Value log(Value x) { return unary(Opcode::Ln, x); }
  Value sqrt(Value x) { return unary(Opcode::Sqrt, x); }
  Value relu(Value x) { return unary(Opcode::Relu, x); }
  Value round(Value x, RoundMode mode) {
    return add({Opcode::Cast, -1, {x.id, -1, -1}, {}, int(mode), dtypeOf(x), dtypeOf(x)});
  }
  Value floor(Value x) { return round(x, RoundMode::Floor); }
  Value fill(Scalar number) { return add({Opcode::Duplicate, -1, {-1, -1, -1}, number, 0, formula.computes, {}}); }

  template <typename Y> Value lt(Value x, Y y) { return compare(CmpMode::LT, x, y); }
  template <typename Y> Value gt(Value x, Y y) { return compare(CmpMode::GT, x, y); }
  template <typename Y> Value ge(Value x, Y y) { return compare(CmpMode::GE, x, y); }
  template <typename Y> Value eq(Value x, Y y) { return compare(CmpMode::EQ, x, y); }
  template <typename Y> Value ne(Value x, Y y) { return compare(CmpMode::NE, x, y); }
  Value compare(CmpMode mode, Value x, Value y) {
    return mask({Opcode::Compare, -1, {x.id, y.id, -1}, {}, int(mode), dtypeOf(x), {}});
  }
  Value compare(CmpMode mode, Value x, double y) {
    return mask({Opcode::CompareScalar, -1, {x.id, -1, -1}, Scalar{y}, int(mode), dtypeOf(x), {}});
  }
  Value both(Value x, Value y) { return mask({Opcode::And, -1, {x.id, y.id, -1}, {}, 0, DType::U16, {}}); }
  Value either(Value x, Value y) { return mask({Opcode::Or, -1, {x.id, y.id, -1}, {}, 0, DType::U16, {}}); }
  Value no(Value x) { return mask({Opcode::Not, -1, {x.id, -1, -1}, {}, 0, DType::U16, {}}); }
  Value select(Value bits, Value x, Value y) {
    return add({Opcode::Select, -1, {bits.id, x.id, y.id}, {}, 0, dtypeOf(x), {}});
  }
  Value select(Value bits, Value x, double y) {
    return add({Opcode::SelectScalar, -1, {bits.id, x.id, -1}, Scalar{y}, 0, dtypeOf(x), {}});
  }
  Value select(Value bits, double x, Value y) { return select(bits, fill(Scalar{x}), y); }
  Value select(Value bits, double x, double y) { return select(bits, fill(Scalar{x}), y); }

  Formula formula;

private:
  DType dtypeOf(Value x) const { return formula.values[size_t(x.id)].dtype; }
  Value add(Step step) {
    step.result = int(formula.values.size());
    formula.values.push_back({step.dtype});
    formula.steps.push_back(step);
    return {step.result};
  }
  Value mask(Step step) {
    Value value = add(step);
    formula.values.back().isMask = true;
    return value;
  }
  Value unary(Opcode op, Value x) { return add({op, -1, {x.id, -1, -1}, {}, 0, dtypeOf(x), {}}); }
  Value binary(Opcode op, Value x, Value y) { return add({op, -1, {x.id, y.id, -1}, {}, 0, dtypeOf(x), {}}); }
  Value scalar(Opcode op, Value x, Scalar y) { return add({op, -1, {x.id, -1, -1}, y, 0, dtypeOf(x), {}}); }
};

// The element types a function takes.
isa::DTypeSet typesOf(TsLibraryMap function);
const char *nameOf(TsLibraryMap function);
// Written once; `dtype` is that of the sources.
const Formula &formulaOf(TsLibraryMap function, DType dtype);

} // namespace tilesmith::machine::library

#endif // TILESMITH_LIB_MACHINE_LIBRARY_FORMULA_H
