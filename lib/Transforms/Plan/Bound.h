// A number of an instruction as far as the IR tells: an upper bound, its value where it is known, and its linear form.
//
// Sizes and counts are never negative, and neither are the numbers of layouts; an operator that could not keep a bound
// gives it up.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_BOUND_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_BOUND_H

#include "Linear.h"

namespace tilesmith::plan {

struct Bound {
  std::optional<int64_t> exact, most;
  std::optional<Linear> form;

  explicit Bound(int64_t value) : exact(value), most(value), form(Linear{value, {}}) {}
  static Bound of(mlir::Value value, bool withForm) {
    if (std::optional<int64_t> constant = constantOf(value))
      return Bound(*constant);
    return Bound({}, upperBoundOf(value), withForm ? std::optional(linearOf(value)) : std::nullopt);
  }
  // Known to be 0 or 1.
  static Bound truth(std::optional<bool> value = {}) { return value ? Bound(*value) : Bound({}, 1, {}); }

private:
  Bound(std::optional<int64_t> exact, std::optional<int64_t> most, std::optional<Linear> form)
      : exact(exact), most(most), form(std::move(form)) {}

  template <typename Apply>
  static std::optional<int64_t> both(std::optional<int64_t> a, std::optional<int64_t> b, Apply apply) {
    return a && b ? std::optional<int64_t>(apply(*a, *b)) : std::nullopt;
  }
  // A function that grows with both numbers, and has no form unless both are known.
  template <typename Apply> static Bound growing(const Bound &a, const Bound &b, Apply apply) {
    std::optional<int64_t> exact = both(a.exact, b.exact, apply);
    return exact ? Bound(*exact) : Bound({}, both(a.most, b.most, apply), {});
  }
  // A function of a number and a known one.
  template <typename Apply> static Bound by(const Bound &a, const Bound &b, Apply apply) {
    return b.exact ? growing(a, b, apply) : Bound({}, {}, {});
  }
  template <typename Apply> static Bound compare(const Bound &a, const Bound &b, Apply apply) {
    std::optional<int64_t> exact = both(a.exact, b.exact, apply);
    return exact ? Bound(*exact) : truth();
  }

public:
  friend Bound operator+(const Bound &a, const Bound &b) {
    Bound sum = growing(a, b, [](int64_t x, int64_t y) { return x + y; });
    if (a.form && b.form) {
      sum.form = a.form;
      sum.form->add(*b.form);
    }
    return sum;
  }
  friend Bound operator-(const Bound &a, const Bound &b) {
    return by(a, b, [](int64_t x, int64_t y) { return x - y; });
  }
  friend Bound operator*(const Bound &a, const Bound &b) {
    Bound product =
        growing(a, b, [](int64_t x, int64_t y) { return std::max<int64_t>(x, 0) * std::max<int64_t>(y, 0); });
    if (!product.exact && (a.exact ? b.form : b.exact ? a.form : std::nullopt)) {
      product.form.emplace();
      product.form->add(a.exact ? *b.form : *a.form, a.exact ? *a.exact : *b.exact);
    }
    return product;
  }
  friend Bound operator/(const Bound &a, const Bound &b) {
    return by(a, b, [](int64_t x, int64_t y) { return x / y; });
  }
  friend Bound ceil(const Bound &a, const Bound &b) {
    return by(a, b, [](int64_t x, int64_t y) { return (x + y - 1) / y; });
  }
  friend Bound up(const Bound &a, const Bound &b) {
    return by(a, b, [](int64_t x, int64_t y) { return (x + y - 1) / y * y; });
  }
  friend Bound max(const Bound &a, const Bound &b) {
    return growing(a, b, [](int64_t x, int64_t y) { return std::max(x, y); });
  }
  friend Bound min(const Bound &a, const Bound &b) {
    Bound least = growing(a, b, [](int64_t x, int64_t y) { return std::min(x, y); });
    if (!least.most)
      least.most = a.most ? a.most : b.most;
    return least;
  }
  friend Bound choose(const Bound &condition, const Bound &yes, const Bound &no) {
    if (condition.exact)
      return *condition.exact ? yes : no;
    return Bound({}, both(yes.most, no.most, [](int64_t x, int64_t y) { return std::max(x, y); }), {});
  }
  friend Bound operator==(const Bound &a, const Bound &b) {
    return compare(a, b, [](int64_t x, int64_t y) { return x == y; });
  }
  friend Bound operator!=(const Bound &a, const Bound &b) {
    return compare(a, b, [](int64_t x, int64_t y) { return x != y; });
  }
  friend Bound operator<(const Bound &a, const Bound &b) {
    return compare(a, b, [](int64_t x, int64_t y) { return x < y; });
  }
  friend Bound operator>(const Bound &a, const Bound &b) { return b < a; }
  friend Bound operator<=(const Bound &a, const Bound &b) { return !(b < a); }
  friend Bound operator>=(const Bound &a, const Bound &b) { return !(a < b); }
  friend Bound operator!(const Bound &a) { return a.exact ? Bound(!*a.exact) : truth(); }
  friend Bound operator&&(const Bound &a, const Bound &b) {
    if (a.exact == 0 || b.exact == 0)
      return Bound(0);
    return a.exact && b.exact ? Bound(1) : truth();
  }
  friend Bound operator||(const Bound &a, const Bound &b) { return !(!a && !b); }
};

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_BOUND_H
