// Loops and branches: tiles leave the SSA form of scf.
//
// A tile carried by a loop lives in one buffer outside it. The buffer is filled before the loop (or is the initial
// value's own, when nobody else needs that), and at the end of each trip the new values move in, all at once: a value
// that is still needed is saved before it is overwritten, so two tiles may swap. A new value that is computed after the
// last use of the old one is written straight into the carried buffer and needs no move.
#include "Lowering.h"

using namespace mlir;

namespace tilesmith {

static bool isTile(Value value) { return llvm::isa<tile::TileType>(value.getType()); }
static bool isTileType(Type type) { return llvm::isa<tile::TileType>(type); }

// Nobody but `user` needs the tile, and `user` runs once for each time it is made: its buffer is free to be
// overwritten.
bool Lowering::endsAt(Value tile, Operation *user) {
  Block *home = llvm::isa<BlockArgument>(tile) ? argumentHome.lookup(tile) : tile.getParentBlock();
  return home == user->getBlock() && tile.hasOneUse() && *tile.user_begin() == user;
}

Value Lowering::carry(Value init, Operation *loop) {
  auto type = cast<tile::TileType>(init.getType());
  Value target = wanted.lookup(init);
  bool isOwn = owned.contains(init) || argumentHome.contains(init) || (target && target == bufferOf(init));
  if (type.getMemory() != isa::Memory::UB || (isOwn && endsAt(init, loop)))
    return bufferOf(init);
  Value carried = allocFor(init);
  copyTile(carried, bufferOf(init), type);
  return carried;
}

// Moves happen as if at once. One whose target nobody still reads goes first; in a cycle one source is saved.
void Lowering::moveAll(SmallVector<Move> moves) {
  llvm::erase_if(moves, [](const Move &move) { return storageOf(move.dst) == storageOf(move.src); });
  while (!moves.empty()) {
    auto isRead = [&](Value buffer) {
      return llvm::any_of(moves, [&](const Move &move) { return storageOf(move.src) == storageOf(buffer); });
    };
    auto *ready = llvm::find_if(moves, [&](const Move &move) { return !isRead(move.dst); });
    if (ready == moves.end()) {
      Move &first = moves.front();
      Value saved = temporary(first.type.getElementType(), first.type.getNumElements());
      copyTile(saved, first.src, first.type);
      Value old = storageOf(first.src);
      for (Move &move : moves)
        if (storageOf(move.src) == old)
          move.src = view(saved, move.type.getElementType());
      continue;
    }
    copyTile(ready->dst, ready->src, ready->type);
    moves.erase(ready);
  }
}

// Whether the carried tile `argument` of the loop around `body` is dead once `next` is being computed.
static bool isDeadBefore(BlockArgument argument, Value next, Block *body) {
  Operation *producer = next.getDefiningOp();
  if (!producer || producer->getBlock() != body || producer->getNumRegions())
    return false;
  SmallVector<Operation *> users;
  collectUsers(argument, users);
  return llvm::all_of(users, [&](Operation *user) {
    Operation *inBody = body->findAncestorOpInBlock(*user);
    return inBody == producer || inBody->isBeforeInBlock(producer);
  });
}

// The new argument of a rebuilt loop takes the place and the name of the old one.
static void replaceArgument(BlockArgument old, BlockArgument replacement) {
  replacement.setLoc(old.getLoc());
  old.replaceAllUsesWith(replacement);
}

LogicalResult Lowering::lowerFor(scf::ForOp op) {
  if (llvm::none_of(op.getInitArgs(), isTile))
    return lowerBlock(*op.getBody());

  // Scalars stay carried values; each accumulator brings one that says whether it is still fresh.
  SmallVector<Value> inits, carried;
  SmallVector<BlockArgument> tiles;
  for (auto [init, argument] : llvm::zip(op.getInitArgs(), op.getRegionIterArgs())) {
    if (!isTile(init)) {
      inits.push_back(init);
      continue;
    }
    tiles.push_back(argument);
    carried.push_back(carry(init, op));
  }
  size_t scalars = inits.size();
  SmallVector<BlockArgument> accumulators;
  for (auto [init, argument] : llvm::zip(op.getInitArgs(), op.getRegionIterArgs())) {
    if (!fresh.contains(init))
      continue;
    fresh[argument] = known(0);
    if (is(fresh.lookup(init), 0))
      continue;
    accumulators.push_back(argument);
    inits.push_back(value(fresh.lookup(init)));
  }

  auto loop = scf::ForOp::create(b, loc, op.getLowerBound(), op.getUpperBound(), op.getStep(), inits);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  dead.push_back(op);
  Block *body = loop.getBody();
  if (inits.empty())
    body->getTerminator()->erase();
  body->getOperations().splice(body->end(), op.getBody()->getOperations());
  replaceArgument(op.getBody()->getArgument(0), loop.getBody()->getArgument(0));
  size_t next = 0;
  for (BlockArgument argument : op.getRegionIterArgs())
    if (!isTile(argument))
      replaceArgument(argument, loop.getRegionIterArg(next++));
  for (auto [index, argument] : llvm::enumerate(accumulators))
    fresh[argument] = loop.getRegionIterArg(scalars + index);

  auto yield = cast<scf::YieldOp>(body->getTerminator());
  auto yielded = [&](BlockArgument argument) { return yield.getOperand(argument.getArgNumber() - 1); };
  for (auto [argument, buffer] : llvm::zip(tiles, carried)) {
    buffers[argument] = buffer;
    argumentHome[argument] = body;
    Value next = yielded(argument);
    if (isDeadBefore(argument, next, body)) {
      if (wanted.try_emplace(next, buffer).second)
        renewed[next] = argument;
      if (auto insert = next.getDefiningOp<tile::InsertOp>())
        wantInserted(insert, argument, buffer);
    }
  }

  // The terminator stays until the body is lowered: it is a use of what it yields.
  if (failed(lowerBlock(*body)))
    return failure();
  loc = yield.getLoc();
  b.setInsertionPoint(yield);
  SmallVector<Move> moves;
  for (auto [argument, buffer] : llvm::zip(tiles, carried)) {
    Value source = bufferOf(yielded(argument));
    auto type = cast<tile::TileType>(argument.getType());
    if (type.getMemory() != isa::Memory::UB && source != buffer)
      return op.emitError() << "a tile in " << isa::stringify(type.getMemory())
                            << " carried by a loop must be updated in place; another value is assigned to it";
    moves.push_back({buffer, source, type});
  }
  moveAll(moves);
  SmallVector<Value> results;
  for (Value operand : yield.getOperands())
    if (!isTile(operand))
      results.push_back(operand);
  for (BlockArgument argument : accumulators)
    results.push_back(value(fresh.lookup(yielded(argument))));
  scf::YieldOp::create(b, loc, results);
  dead.push_back(yield);
  // The old terminator may not stand behind the new one; it waits at the end of its old block.
  yield->moveBefore(op.getBody(), op.getBody()->end());

  next = 0;
  for (auto [result, init, argument] : llvm::zip(op.getResults(), op.getInitArgs(), op.getRegionIterArgs())) {
    if (!isTile(result)) {
      result.replaceAllUsesWith(loop.getResult(next++));
      continue;
    }
    buffers[result] = bufferOf(argument);
    if (bufferOf(init) != bufferOf(argument) || owned.contains(init))
      owned.insert(result);
    else if (Value target = wanted.lookup(init); target && target == bufferOf(argument))
      wanted[result] = target; // where a branch wants it, for the next loop as well
    if (fresh.contains(init))
      fresh[result] = known(0);
  }
  // A loop that is known to run leaves what its body leaves.
  std::optional<int64_t> first = getConstantIntValue(op.getLowerBound()),
                         last = getConstantIntValue(op.getUpperBound());
  bool runs = first && last && *first < *last;
  for (auto [index, argument] : llvm::enumerate(accumulators)) {
    Int left = fresh.lookup(yielded(argument));
    fresh[op.getResult(argument.getArgNumber() - 1)] = runs && get(left) ? left : Int(loop.getResult(scalars + index));
  }
  b.setInsertionPointAfter(loop);
  return success();
}

// What the value was before loops of its block changed it in place.
static Value beforeItsLoops(Value value) {
  for (auto loop = value.getDefiningOp<scf::ForOp>(); loop && value.hasOneUse();
       loop = value.getDefiningOp<scf::ForOp>()) {
    Value init = loop.getTiedLoopInit(cast<OpResult>(value))->get();
    if (!init.hasOneUse() || init.getParentBlock() != value.getParentBlock())
      break;
    value = init;
  }
  return value;
}

LogicalResult Lowering::lowerIf(scf::IfOp op) {
  SmallVector<Block *> branches = {op.thenBlock()};
  if (op.elseBlock())
    branches.push_back(op.elseBlock());
  if (llvm::none_of(op.getResultTypes(), isTileType)) {
    for (Block *branch : branches)
      if (failed(lowerBlock(*branch)))
        return failure();
    return success();
  }

  // One buffer for each tile, written by both branches; accumulators are updated where they are.
  SmallVector<Value> targets(op.getNumResults());
  for (OpResult result : op.getResults()) {
    auto type = dyn_cast<tile::TileType>(result.getType());
    if (!type || type.getMemory() != isa::Memory::UB)
      continue;
    Value target = targets[result.getResultNumber()] = buffers[result] = allocFor(result);
    owned.insert(result);
    for (Block *branch : branches) {
      Value value = beforeItsLoops(branch->getTerminator()->getOperand(result.getResultNumber()));
      Operation *producer = value.getDefiningOp();
      if (producer && producer->getBlock() == branch && !producer->getNumRegions() && !wanted.contains(value))
        wanted[value] = target;
    }
  }
  SmallVector<Type> types;
  SmallVector<OpResult> accumulators;
  for (OpResult result : op.getResults())
    if (!isTile(result))
      types.push_back(result.getType());
    else if (!targets[result.getResultNumber()]) {
      accumulators.push_back(result);
      types.push_back(b.getI64Type());
    }
  auto branch = scf::IfOp::create(b, loc, types, op.getCondition(), /*addThenBlock=*/true, /*addElseBlock=*/true);
  dead.push_back(op);
  SmallVector<Block *> lowered = {branch.thenBlock(), branch.elseBlock()};
  for (auto [oldBlock, newBlock] : llvm::zip(branches, lowered)) {
    newBlock->getOperations().splice(newBlock->end(), oldBlock->getOperations());
    auto yield = cast<scf::YieldOp>(newBlock->getTerminator());
    if (failed(lowerBlock(*newBlock)))
      return failure();
    loc = yield.getLoc();
    b.setInsertionPoint(yield);
    SmallVector<Value> results;
    for (OpResult result : op.getResults()) {
      Value source = yield.getOperand(result.getResultNumber());
      if (!isTile(result)) {
        results.push_back(source);
        continue;
      }
      if (Value target = targets[result.getResultNumber()]) {
        copyTile(target, bufferOf(source), cast<tile::TileType>(result.getType()));
        continue;
      }
      Value &buffer = buffers[result];
      if (buffer && buffer != bufferOf(source))
        return op.emitError() << "both branches must yield the same tile in "
                              << isa::stringify(cast<tile::TileType>(result.getType()).getMemory());
      buffer = bufferOf(source);
      results.push_back(value(fresh.contains(source) ? fresh.lookup(source) : known(0)));
    }
    scf::YieldOp::create(b, loc, results);
    dead.push_back(yield);
    yield->moveBefore(oldBlock, oldBlock->end());
  }
  // Results in the order of `types`.
  size_t next = 0;
  for (OpResult result : op.getResults())
    if (!isTile(result))
      result.replaceAllUsesWith(branch.getResult(next++));
    else if (!targets[result.getResultNumber()])
      fresh[result] = branch.getResult(next++);
  b.setInsertionPointAfter(branch);
  return success();
}

LogicalResult Lowering::lowerWhile(scf::WhileOp op) {
  bool anyTile = llvm::any_of(op.getInits(), isTile) || llvm::any_of(op.getResults(), isTile);
  if (!anyTile) {
    if (failed(lowerBlock(*op.getBeforeBody())))
      return failure();
    return lowerBlock(*op.getAfterBody());
  }
  // Tiles carried into the test live in one set of buffers, tiles handed to the body and the results in another.
  SmallVector<Value> inits, carried, handed;
  SmallVector<Type> types;
  for (Value init : op.getInits())
    if (isTile(init))
      carried.push_back(carry(init, op));
    else
      inits.push_back(init);
  for (OpResult result : op.getResults())
    if (isTile(result))
      handed.push_back(buffers[result] = allocFor(result));
    else
      types.push_back(result.getType());

  auto loop = scf::WhileOp::create(b, loc, types, inits);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  dead.push_back(op);
  // Fills a region of the new loop from the old one; its tile arguments live in `arguments`.
  auto lowerRegion = [&](Region &to, Block *from, TypeRange scalars, ArrayRef<Value> arguments) -> LogicalResult {
    Block *block = b.createBlock(&to, to.end(), scalars, SmallVector<Location>(scalars.size(), loc));
    block->getOperations().splice(block->end(), from->getOperations());
    size_t scalar = 0, tile = 0;
    for (BlockArgument argument : from->getArguments())
      if (isTile(argument))
        buffers[argument] = arguments[tile++];
      else
        replaceArgument(argument, block->getArgument(scalar++));
    return lowerBlock(*block);
  };
  // Moves the tiles a terminator names to their buffers; returns its scalars.
  auto finish = [&](Operation *terminator, ValueRange operands, ArrayRef<Value> targets, Block *old) {
    loc = terminator->getLoc();
    b.setInsertionPoint(terminator);
    SmallVector<Move> moves;
    SmallVector<Value> scalars;
    for (Value operand : operands)
      if (isTile(operand))
        moves.push_back({targets[moves.size()], bufferOf(operand), cast<tile::TileType>(operand.getType())});
      else
        scalars.push_back(operand);
    moveAll(moves);
    return scalars;
  };
  if (failed(lowerRegion(loop.getBefore(), op.getBeforeBody(), ValueRange(inits).getTypes(), carried)))
    return failure();
  auto condition = cast<scf::ConditionOp>(loop.getBeforeBody()->getTerminator());
  SmallVector<Value> forwarded = finish(condition, condition.getArgs(), handed, op.getBeforeBody());
  scf::ConditionOp::create(b, loc, condition.getCondition(), forwarded);
  dead.push_back(condition);
  condition->moveBefore(op.getBeforeBody(), op.getBeforeBody()->end());

  if (failed(lowerRegion(loop.getAfter(), op.getAfterBody(), types, handed)))
    return failure();
  auto yield = cast<scf::YieldOp>(loop.getAfterBody()->getTerminator());
  SmallVector<Value> results = finish(yield, yield.getOperands(), carried, op.getAfterBody());
  scf::YieldOp::create(b, loc, results);
  dead.push_back(yield);
  yield->moveBefore(op.getAfterBody(), op.getAfterBody()->end());

  size_t next = 0;
  for (OpResult result : op.getResults())
    if (!isTile(result))
      result.replaceAllUsesWith(loop.getResult(next++));
  b.setInsertionPointAfter(loop);
  return success();
}

} // namespace tilesmith
