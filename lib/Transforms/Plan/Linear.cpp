#include "Linear.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Dialect/Isa/Ranges.h"

using namespace mlir;

namespace tilesmith::plan {

void Linear::add(const Term &term) {
  auto *at = llvm::find_if(terms, [&](const Term &mine) { return mine.sameValues(term); });
  if (at == terms.end()) {
    if (term.coefficient)
      terms.push_back(term);
    return;
  }
  at->coefficient += term.coefficient;
  if (at->coefficient == 0)
    terms.erase(at);
}

void Linear::add(const Linear &other, int64_t factor) {
  constant += other.constant * factor;
  for (Term term : other.terms) {
    term.coefficient *= factor;
    add(term);
  }
}

int64_t Linear::coefficientOf(Value value) const {
  for (const Term &term : terms)
    if (term.value == value && !term.factor)
      return term.coefficient;
  return 0;
}

bool Linear::sameTerms(const Linear &other) const {
  auto isThere = [&](const Term &term) {
    return llvm::any_of(other.terms, [&](const Term &theirs) {
      return theirs.sameValues(term) && theirs.coefficient == term.coefficient;
    });
  };
  return terms.size() == other.terms.size() && llvm::all_of(terms, isThere);
}

std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (matchPattern(stripCasts(value), m_ConstantInt(&constant)) && constant.getSignificantBits() <= 64)
    return constant.getSExtValue();
  return std::nullopt;
}

Value stripCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!llvm::isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

// left * value, if no term becomes a product of three.
static std::optional<Linear> product(const Linear &left, const Linear &right) {
  if (right.terms.size() != 1 || right.constant || right.terms[0].coefficient != 1 || right.terms[0].factor)
    return std::nullopt;
  Value value = right.terms[0].value;
  Linear form;
  form.add(Term{value, {}, left.constant});
  for (const Term &term : left.terms) {
    if (term.factor)
      return std::nullopt;
    form.add(Term{term.value, value, term.coefficient});
  }
  return form;
}

static Linear linearOf(Value value, unsigned depth) {
  value = stripCasts(value);
  Linear form;
  if (std::optional<int64_t> constant = constantOf(value)) {
    form.constant = *constant;
    return form;
  }
  Operation *op = value.getDefiningOp();
  if (op && depth < 32) {
    if (llvm::isa<arith::AddIOp, arith::SubIOp>(op)) {
      form = linearOf(op->getOperand(0), depth + 1);
      form.add(linearOf(op->getOperand(1), depth + 1), llvm::isa<arith::SubIOp>(op) ? -1 : 1);
      return form;
    }
    if (llvm::isa<arith::MulIOp>(op)) {
      Linear left = linearOf(op->getOperand(0), depth + 1), right = linearOf(op->getOperand(1), depth + 1);
      if (!right.terms.empty())
        std::swap(left, right);
      if (right.terms.empty()) {
        if (right.constant != 0)
          form.add(left, right.constant);
        return form;
      }
      if (std::optional<Linear> whole = product(left, right))
        return *whole;
      if (std::optional<Linear> whole = product(right, left))
        return *whole;
    }
    if (llvm::isa<arith::ShLIOp>(op))
      if (std::optional<int64_t> amount = constantOf(op->getOperand(1)); amount && *amount >= 0 && *amount < 40) {
        form.add(linearOf(op->getOperand(0), depth + 1), int64_t(1) << *amount);
        return form;
      }
  }
  form.add(Term{value, {}, 1});
  return form;
}

Linear linearOf(Value value) { return linearOf(value, 0); }

std::optional<int64_t> upperBoundOf(Value value) { return isa::Ranges(isa::Arithmetic::OfSizes).highest(value); }

} // namespace tilesmith::plan
