// Split products: makes matrix products of tiles of any size out of steps that L0A, L0B and L0C take.
//
// Operands lie in L1, where `place` has put them. A product is done in steps along k, each of which copies a piece of
// both operands to L0: pieces fit twice, so that the copies of one step run while the product of another does. Steps
// add to the accumulator in the order of k, so results are those of one product.
//
// An accumulator of which L0C does not hold two is divided into parts, each a tile of its own through loops and to its
// stores: one part leaves L0C while products add to another. So is one whose rows or columns are too many for a piece,
// and on the 950 a large one that a loop inside a loop adds to: the two loops can then become one (`flatten-loops`).
// Where an accumulator meets something that does not take it in parts, it stays whole.
//
// A few steps are written out, and take turns in L0; many become a loop.
#include "Divisor.h"
#include "Matrices.h"
#include "ProductParts.h"
#include "tilesmith/Transforms/Remarks.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace tilesmith {
#define GEN_PASS_DEF_SPLITPRODUCTS
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using isa::Memory;

//===- Accumulators
//---------------------------------------------------------------------------------------------------===//

namespace {
// An accumulator on its way through products and loops: values whose bytes are the same.
struct Web {
  llvm::SetVector<Value> values;
  SmallVector<tile::MatmulOp> products;
  bool isDivisible = true;

  explicit Web(Value root) {
    values.insert(root);
    if (auto product = root.getDefiningOp<tile::MatmulOp>())
      products.push_back(product);
    for (size_t i = 0; i < values.size() && isDivisible; ++i)
      for (OpOperand &use : values[i].getUses())
        isDivisible &= follow(use);
    for (Value value : values)
      if (auto argument = dyn_cast<BlockArgument>(value))
        if (auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp()))
          isDivisible &= values.contains(loop.getTiedLoopInit(argument)->get()) &&
                         values.contains(loop.getTiedLoopYieldedValue(argument)->get());
  }

  // Whether a loop inside a loop adds to it.
  bool isNested() const {
    return llvm::any_of(values, [](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      return argument && argument.getOwner()->getParentOp()->getParentOfType<scf::ForOp>();
    });
  }

private:
  bool follow(OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto product = dyn_cast<tile::MatmulOp>(user)) {
      if (use.get() != product.getAcc())
        return false;
      products.push_back(product);
      values.insert(product.getResult());
      return true;
    }
    if (auto loop = dyn_cast<scf::ForOp>(user)) {
      BlockArgument argument = loop.getTiedLoopRegionIterArg(&use);
      if (!argument)
        return false;
      values.insert(argument);
      values.insert(loop.getTiedLoopResult(&use));
      return true;
    }
    if (auto yield = dyn_cast<scf::YieldOp>(user)) {
      auto loop = dyn_cast<scf::ForOp>(yield->getParentOp());
      if (!loop)
        return false;
      values.insert(loop.getRegionIterArg(use.getOperandNumber()));
      values.insert(loop.getResult(use.getOperandNumber()));
      return true;
    }
    return leavesInParts(user);
  }
};

// How products that share an accumulator are done.
struct Division {
  int64_t rows, columns;         // of a part of the accumulator
  int64_t rowParts, columnParts; // how many there are
  int64_t step;                  // along k

  int64_t parts() const { return rowParts * columnParts; }
};
} // namespace

//===- The pass
//-------------------------------------------------------------------------------------------------------===//

namespace {
struct SplitProductsPass : tilesmith::impl::SplitProductsBase<SplitProductsPass> {
  using SplitProductsBase::SplitProductsBase;

  void runOnOperation() override {
    FailureOr<isa::Arch> known = getArch(getOperation(), arch);
    if (failed(known))
      return signalPassFailure();
    chip = *known;
    SmallVector<Value> roots;
    getOperation().walk([&](Operation *op) {
      auto product = dyn_cast<tile::MatmulOp>(op);
      if (llvm::isa<tile::ZerosAccOp>(op) || (product && !product.getAcc()))
        roots.push_back(op->getResult(0));
    });
    for (Value root : roots)
      split(root);
  }

private:
  // Rows or columns of which a product is no slower than of more.
  static constexpr int64_t leastOfPart = 128;
  // Steps written out; more become a loop.
  static constexpr int64_t mostWrittenOut = 16;

  void split(Value root) {
    Web web(root);
    // A product that ends inside a fractal, or whose operands do not come from L1, is as its author wants it.
    auto isPlain = [](tile::MatmulOp product) {
      return innerUnit(product) && operandOf(product.getLhs()) && operandOf(product.getRhs());
    };
    web.isDivisible &= !web.products.empty() && llvm::all_of(web.products, isPlain);
    if (!web.isDivisible) {
      for (tile::MatmulOp product : web.products)
        if (isPlain(product))
          if (Division division = divide({product}, /*mayDivide=*/false, false); isNeeded(product, division)) {
            OpBuilder b(product);
            finish(product, steps(b, product, division, {product.getAcc()}), division);
          }
      return;
    }
    Division division = divide(web.products, /*mayDivide=*/true, web.isNested());
    if (division.parts() > 1)
      return divideWeb(web, division);
    for (tile::MatmulOp product : web.products)
      if (isNeeded(product, division)) {
        OpBuilder b(product);
        finish(product, steps(b, product, division, {product.getAcc()}), division);
      }
  }

  static int64_t unitOf(tile::MatmulOp product) { return matrixUnit(product.getLhs().getType().getElementType()); }

  // What divides the number of inner elements a product takes part with; 0: that may end inside a fractal.
  static int64_t innerUnit(tile::MatmulOp product) {
    int64_t unit = product.getInner() ? divisorOf(product.getInner()) : depthOf(product);
    return product.getInner() && unit % unitOf(product) ? 0 : unit;
  }

  static bool isNeeded(tile::MatmulOp product, const Division &division) {
    return division.parts() > 1 || division.step < depthOf(product);
  }

  void finish(tile::MatmulOp product, ArrayRef<Value> results, const Division &division) {
    tell(product, division);
    product.getResult().replaceAllUsesWith(results.front());
    eraseProduct(product);
  }

  void tell(tile::MatmulOp product, const Division &division) {
    remark::passed(product.getLoc(), remarkOf(getArgument(), "product"))
        << remark::metric("step", division.step)
        << remark::metric("steps", int64_t(llvm::divideCeil(depthOf(product), division.step)))
        << remark::metric("parts", division.parts());
  }

  Division divide(ArrayRef<tile::MatmulOp> products, bool mayDivide, bool isNested) const {
    tile::MatmulOp first = products.front();
    ArrayRef<int64_t> shape = first.getType().getShape();
    int64_t size = 1, depth = 0, live = 0; // `live`: steps that divide it are done or left out as a whole
    for (tile::MatmulOp product : products) {
      if (product.getInner())
        live = std::gcd(live, innerUnit(product));
      size = std::max(size, sizeOf(product.getLhs().getType()));
      depth = std::max(depth, depthOf(product));
    }
    int64_t unit = unitOf(first);
    Division division{shape[0], shape[1], 1, 1, depth};
    auto halve = [&](int64_t &part) { part = llvm::alignTo(llvm::divideCeil(part, 2), unit); };
    int64_t bytes = toFractals(shape[0]) * toFractals(shape[1]) * sizeOf(first.getType());
    if (mayDivide && bytes <= l0c) { // what does not fit is said of the whole
      bool isLarge = std::max(shape[0], shape[1]) >= 2 * leastOfPart;
      bool leavesWhileAdding = 2 * bytes <= l0c && !(chip == isa::Arch::C310 && isNested && isLarge);
      int64_t &longer = shape[1] >= 2 * leastOfPart || (shape[1] > unit && shape[0] < 2 * leastOfPart)
                            ? division.columns
                            : division.rows;
      if (!leavesWhileAdding && longer > unit)
        halve(longer);
      while (division.rows > unit && division.rows * unit * size > l0a / 2)
        halve(division.rows);
      while (division.columns > unit && division.columns * unit * size > l0b / 2)
        halve(division.columns);
    }
    division.rowParts = llvm::divideCeil(shape[0], division.rows);
    division.columnParts = llvm::divideCeil(shape[1], division.columns);
    int64_t longest = std::min(l0a / 2 / (int64_t(llvm::alignTo(division.rows, unit)) * size),
                               l0b / 2 / (int64_t(llvm::alignTo(division.columns, unit)) * size));
    longest = std::max(longest / unit * unit, unit);
    if (longest < depth) // steps of about the same size
      division.step = llvm::alignTo(llvm::divideCeil(depth, llvm::divideCeil(depth, longest)), unit);
    if (live)
      for (division.step = std::min(live, longest); live % division.step;)
        division.step -= unit;
    return division;
  }

  // Part after part leaves most time for the way out of a part. It copies the left operand once for each column of
  // parts, for which the 910B has no time: there L1 is read slowly.
  bool goesPartByPart() const { return chip == isa::Arch::C310; }

  static bool isWrittenOut(tile::MatmulOp product, const Division &division) {
    return int64_t(llvm::divideCeil(depthOf(product), division.step)) * division.parts() <= mostWrittenOut;
  }

  // One product in steps, for all parts of its accumulator or only for some; `accs` are null where there is none yet.
  SmallVector<Value> steps(OpBuilder &b, tile::MatmulOp product, const Division &division, ArrayRef<Value> accs,
                           ArrayRef<int64_t> only = {}) {
    Operand left = *operandOf(product.getLhs()), right = *operandOf(product.getRhs());
    Location loc = product.getLoc();
    tile::TileType type = product.getType();
    int64_t rows = type.getShape()[0], columns = type.getShape()[1], depth = depthOf(product);
    SmallVector<Value> current(accs);
    auto number = [&](OpBuilder &at, int64_t value) -> Value {
      return arith::ConstantOp::create(at, loc, at.getI32IntegerAttr(value));
    };
    auto sizes = [&](int64_t part) {
      int64_t row = part / division.columnParts * division.rows,
              column = part % division.columnParts * division.columns;
      return std::array{row, std::min(division.rows, rows - row), column, std::min(division.columns, columns - column)};
    };
    auto add = [&](OpBuilder &at, int64_t part, Value a, Value bPiece, Value inner) {
      auto [row, height, column, width] = sizes(part);
      auto of = type.withShape({height, width});
      current[part] = tile::MatmulOp::create(at, loc, of, a, bPiece, current[part], inner).getResult();
    };
    // A step that takes no part leaves all inner elements out. Those that a loop comes to take part.
    auto innerOf = [&](OpBuilder &at, Value k, int64_t inner) -> Value {
      if (!product.getInner() || !matchPattern(k, m_Constant()))
        return {};
      Value takesPart = arith::CmpIOp::create(at, loc, arith::CmpIPredicate::sgt, product.getInner(), k);
      return arith::SelectOp::create(at, loc, takesPart, number(at, inner), number(at, 0));
    };
    // Pieces that parts share are copied once; parts of a row follow each other.
    auto step = [&](OpBuilder &at, Value k, int64_t inner, ArrayRef<int64_t> parts) {
      Value a, partly = innerOf(at, k, inner);
      int64_t rowOfA = -1;
      for (int64_t part : parts) {
        auto [row, height, column, width] = sizes(part);
        if (row != rowOfA)
          a = left.piece(at, loc, number(at, row), height, k, inner);
        rowOfA = row;
        add(at, part, a, right.piece(at, loc, k, inner, number(at, column), width), partly);
      }
    };
    SmallVector<int64_t> every = llvm::to_vector(llvm::seq<int64_t>(0, division.parts()));
    ArrayRef<int64_t> all = only.empty() ? ArrayRef(every) : only;
    auto inner = [&](int64_t k) { return std::min(division.step, depth - k); };
    if (isWrittenOut(product, division)) {
      if (goesPartByPart())
        for (int64_t part : all)
          for (int64_t k = 0; k < depth; k += division.step)
            step(b, number(b, k), inner(k), {part});
      else
        for (int64_t k = 0; k < depth; k += division.step)
          step(b, number(b, k), inner(k), all);
      return current;
    }
    int64_t whole = depth / division.step * division.step;
    for (int64_t part : all)
      if (!current[part]) {
        auto [row, height, column, width] = sizes(part);
        current[part] = tile::ZerosAccOp::create(b, loc, type.withShape({height, width}));
      }
    Value end = product.getInner() ? product.getInner() : number(b, whole);
    auto loop = scf::ForOp::create(b, loc, number(b, 0), end, number(b, division.step), current);
    OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
    current = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
    step(inside, loop.getInductionVar(), division.step, all);
    scf::YieldOp::create(inside, loc, current);
    current = llvm::to_vector_of<Value>(loop.getResults());
    if (whole < depth)
      step(b, number(b, whole), depth - whole, all);
    return current;
  }

  // Replaces every value of the web by its parts.
  void divideWeb(const Web &web, const Division &division) {
    auto type = cast<tile::TileType>(web.values.front().getType());
    int64_t rows = type.getShape()[0], columns = type.getShape()[1];
    SmallVector<PartPlace> places; // row, column, height, width
    for (int64_t row = 0; row < rows; row += division.rows)
      for (int64_t column = 0; column < columns; column += division.columns)
        places.push_back(
            {row, column, std::min(division.rows, rows - row), std::min(division.columns, columns - column)});
    llvm::DenseMap<Value, SmallVector<Value>> parts;
    SmallVector<Operation *> order; // definitions before uses
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto inWeb = [&](Value value) { return web.values.contains(value); };
      if (llvm::any_of(op->getOperands(), inWeb) || llvm::any_of(op->getResults(), inWeb))
        order.push_back(op);
    });
    SmallVector<Operation *> dead;
    SmallVector<tile::MatmulOp> chain;
    for (Operation *op : order) {
      OpBuilder b(op);
      if (auto zeros = dyn_cast<tile::ZerosAccOp>(op)) {
        for (auto [row, column, height, width] : places)
          parts[zeros.getResult()].push_back(
              tile::ZerosAccOp::create(b, op->getLoc(), type.withShape({height, width})));
        dead.push_back(op);
      } else if (auto product = dyn_cast<tile::MatmulOp>(op)) {
        tell(product, division);
        dead.push_back(op);
        // Products that follow each other, as those by pieces of an operand, are done together.
        chain.push_back(product);
        if (auto next = nextProduct(product); next && web.values.contains(next.getResult()))
          continue;
        Value acc = chain.front().getAcc();
        SmallVector<Value> current = acc ? parts[acc] : SmallVector<Value>(places.size());
        bool byPart =
            goesPartByPart() && llvm::all_of(chain, [&](tile::MatmulOp each) { return isWrittenOut(each, division); });
        if (byPart)
          for (int64_t part = 0; part < division.parts(); ++part)
            for (tile::MatmulOp each : chain)
              current = steps(b, each, division, current, part);
        else
          for (tile::MatmulOp each : chain)
            current = steps(b, each, division, current);
        parts[product.getResult()] = current;
        chain.clear();
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        dead.push_back(divideLoop(loop, web, parts));
      } else if (auto yield = dyn_cast<scf::YieldOp>(op)) {
        SmallVector<Value> kept, divided;
        for (Value value : yield.getOperands())
          if (web.values.contains(value))
            llvm::append_range(divided, parts[value]);
          else
            kept.push_back(value);
        llvm::append_range(kept, divided);
        yield->setOperands(kept);
      } else {
        for (auto [index, value] : llvm::enumerate(op->getOperands()))
          if (web.values.contains(value)) {
            for (auto [part, place] : llvm::zip(parts[value], places))
              leave(op, part, place);
            break;
          }
        dead.push_back(op);
      }
    }
    for (Operation *op : llvm::reverse(dead)) {
      if (auto product = dyn_cast<tile::MatmulOp>(op))
        product.getResult().dropAllUses(), eraseProduct(product);
      else if (llvm::isa<tile::ZerosAccOp, scf::ForOp>(op))
        op->dropAllUses(), op->erase();
      else
        eraseWithUsers(op);
    }
  }

  // The loop with the parts of the web behind what else it carries; returns the old one, which has no body any more.
  static Operation *divideLoop(scf::ForOp loop, const Web &web, llvm::DenseMap<Value, SmallVector<Value>> &parts) {
    SmallVector<Value> inits;
    SmallVector<unsigned> kept, divided;
    for (auto [index, init] : llvm::enumerate(loop.getInitArgs()))
      if (web.values.contains(init))
        divided.push_back(index);
      else {
        kept.push_back(index);
        inits.push_back(init);
      }
    for (unsigned index : divided)
      llvm::append_range(inits, parts[loop.getInitArgs()[index]]);
    OpBuilder b(loop);
    auto with = scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), inits);
    with->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    Block *body = with.getBody();
    body->getOperations().splice(body->end(), loop.getBody()->getOperations());
    auto replace = [](Value old, Value by) {
      if (auto argument = dyn_cast<BlockArgument>(by))
        argument.setLoc(old.getLoc());
      old.replaceAllUsesWith(by);
    };
    replace(loop.getInductionVar(), with.getInductionVar());
    unsigned next = 0;
    for (unsigned index : kept) {
      replace(loop.getRegionIterArg(index), with.getRegionIterArg(next));
      replace(loop.getResult(index), with.getResult(next++));
    }
    for (unsigned index : divided)
      for (size_t i = 0, count = parts[loop.getInitArgs()[index]].size(); i < count; ++i, ++next) {
        with.getRegionIterArg(next).setLoc(loop.getRegionIterArg(index).getLoc());
        parts[loop.getRegionIterArg(index)].push_back(with.getRegionIterArg(next));
        parts[loop.getResult(index)].push_back(with.getResult(next));
      }
    return loop;
  }

  static void eraseWithUsers(Operation *op) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      eraseWithUsers(user);
    op->erase();
  }

  // What `op` does with the whole, done with a part, and so on until the part is stored.
  static void leave(Operation *op, Value part, const PartPlace &place) {
    Value value = leavePart(op, part, place, op);
    if (value)
      for (Operation *user : llvm::make_early_inc_range(op->getResult(0).getUsers()))
        leave(user, value, place);
  }

  isa::Arch chip = isa::Arch::C220;
};
} // namespace
