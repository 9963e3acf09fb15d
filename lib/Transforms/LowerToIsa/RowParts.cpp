// Rows of a tile, read and written where they lie.
//
// Some neighbouring rows of a tile are neighbouring bytes. A copy of such rows that nothing outlives is the tile's own
// buffer from there on, and needs no instruction. A tile that a loop changes group by group stays where it is: what
// takes the place of a group is computed there, if nobody needs the old rows any more.
#include "../Divisor.h"
#include "Lowering.h"

using namespace mlir;

namespace tilesmith {

static tile::TileType typeOf(Value tile) { return cast<tile::TileType>(tile.getType()); }

// Bytes between neighbouring rows, by the first axis with more than one element.
static int64_t rowBytesOf(tile::TileType type) {
  const int64_t *rows = llvm::find_if(type.getShape(), [](int64_t dim) { return dim != 1; });
  int64_t elements = rows == type.getShape().end() ? 1 : type.getNumElements() / *rows;
  return elements * Emitter::sizeOf(type.getElementType());
}

// Whether rows from `first` on start and end where vector instructions may.
static bool isAligned(tile::TileType whole, tile::TileType part, Value first) {
  int64_t bytes = rowBytesOf(whole), partBytes = part.getNumElements() * Emitter::sizeOf(part.getElementType());
  return !whole.getElementType().isInteger(1) && divisorOf(first) * bytes % blockBytes == 0 &&
         partBytes % blockBytes == 0;
}

// Whether what a tile is read as (collectUsers) ends in its block.
static bool staysInBlock(Value tile) {
  SmallVector<Operation *> users;
  collectUsers(tile, users);
  return llvm::all_of(users, [&](Operation *user) {
    return user->getBlock() == tile.getParentBlock() && !user->hasTrait<OpTrait::IsTerminator>() &&
           !user->getNumRegions();
  });
}

Value rowViewed(tile::CopyOp op) {
  tile::TileType whole = op.getOperand().getType(), part = op.getType();
  if (whole.getMemory() != isa::Memory::UB || part.getMemory() != isa::Memory::UB)
    return {};
  const int64_t *rows = llvm::find_if(whole.getShape(), [](int64_t dim) { return dim != 1; });
  if (rows == whole.getShape().end())
    return {};
  size_t axis = rows - whole.getShape().begin();
  for (auto [i, start] : llvm::enumerate(op.getOffsets()))
    if (i != axis && (!matchPattern(start, m_Zero()) || whole.getShape()[i] != part.getShape()[i]))
      return {};
  Value first = op.getOffsets()[axis];
  IntegerAttr known;
  if (matchPattern(first, m_Constant(&known)) &&
      (known.getInt() < 0 || known.getInt() + part.getShape()[axis] > *rows)) // an error, which lowering says
    return {};
  return isAligned(whole, part, first) && staysInBlock(op.getResult()) ? first : Value();
}

bool Lowering::seeRows(tile::CopyOp op) {
  Value first = rowViewed(op);
  if (!first)
    return false;
  Int bytes = mul(widen(first), known(rowBytesOf(op.getOperand().getType())));
  buffers[op.getResult()] = offset(bufferOf(op.getOperand()), bytes);
  return true;
}

Value Lowering::insertedRows(Value buffer, tile::InsertOp op) {
  return offset(buffer, mul(widen(op.getRow()), known(rowBytesOf(op.getType()))));
}

// What goes into rows of the carried tile `argument` is computed there, if nothing reads the old rows after that.
void Lowering::wantInserted(tile::InsertOp op, BlockArgument argument, Value carried) {
  Value part = op.getPart();
  Operation *producer = part.getDefiningOp(), *row = op.getRow().getDefiningOp();
  if (op.getTile() != argument || !producer || producer->getBlock() != op->getBlock() || producer->getNumRegions() ||
      !isAligned(op.getType(), typeOf(part), op.getRow()) || !staysInBlock(part))
    return;
  if (row && row->getBlock() == op->getBlock() && !row->isBeforeInBlock(producer))
    return;
  SmallVector<Operation *> users;
  collectUsers(argument, users);
  for (Operation *user : users) {
    Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
    if (here != op && here != producer && !(here && here->isBeforeInBlock(producer)))
      return;
  }
  OpBuilder::InsertionGuard guard(b);
  if (row && row->getBlock() == op->getBlock())
    b.setInsertionPointAfter(row);
  else
    b.setInsertionPointToStart(op->getBlock());
  if (wanted.try_emplace(part, insertedRows(carried, op)).second)
    renewed[part] = argument;
}

LogicalResult Lowering::lowerInsert(tile::InsertOp op) {
  Value part = bufferOf(op.getPart()), own = wanted.lookup(op.getPart());
  Value dst = destination(op.getResult(), {op.getTile()}, true);
  copyTile(dst, bufferOf(op.getTile()), op.getType());
  if (own && part == own && storageOf(own) == storageOf(dst))
    return success(); // computed there
  tile::TileType type = typeOf(op.getPart());
  if (isAligned(op.getType(), type, op.getRow()))
    copyElements(insertedRows(dst, op), part, type.getNumElements());
  else
    repack(insertedRows(dst, op), type.getNumElements(), part, type.getNumElements(), 1, type.getNumElements());
  return success();
}

} // namespace tilesmith
