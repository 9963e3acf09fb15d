// A number of the scalar code as a sum: a constant and values, each with a factor. Two numbers with the same terms are
// as far apart as their constants, whatever the values are when the kernel runs.
#ifndef TILESMITH_DIALECT_GRAPH_SUM_H
#define TILESMITH_DIALECT_GRAPH_SUM_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <map>

namespace tilesmith::graph {

struct Sum {
  int64_t constant = 0;
  std::map<void *, int64_t> terms; // values by their opaque pointers

  void add(const Sum &other, int64_t factor) {
    constant += factor * other.constant;
    for (auto [term, count] : other.terms)
      if ((terms[term] += factor * count) == 0)
        terms.erase(term);
  }

  static Sum of(mlir::Value value) {
    namespace arith = mlir::arith;
    Sum sum;
    llvm::APInt known;
    if (mlir::matchPattern(value, mlir::m_ConstantInt(&known))) {
      sum.constant = known.getSExtValue();
      return sum;
    }
    mlir::Operation *op = value.getDefiningOp();
    if (auto plus = llvm::dyn_cast_or_null<arith::AddIOp>(op)) {
      sum.add(of(plus.getLhs()), 1);
      sum.add(of(plus.getRhs()), 1);
      return sum;
    }
    if (auto minus = llvm::dyn_cast_or_null<arith::SubIOp>(op)) {
      sum.add(of(minus.getLhs()), 1);
      sum.add(of(minus.getRhs()), -1);
      return sum;
    }
    if (auto times = llvm::dyn_cast_or_null<arith::MulIOp>(op)) {
      Sum left = of(times.getLhs()), right = of(times.getRhs());
      if (left.terms.empty() || right.terms.empty()) {
        bool isLeft = left.terms.empty();
        sum.add(isLeft ? right : left, isLeft ? left.constant : right.constant);
        return sum;
      }
    }
    sum.terms[value.getAsOpaquePointer()] = 1;
    return sum;
  }
};

} // namespace tilesmith::graph

#endif // TILESMITH_DIALECT_GRAPH_SUM_H
