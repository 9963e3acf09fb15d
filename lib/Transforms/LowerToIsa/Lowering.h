// The state of lower-to-isa: where each tile value lives, and one function for each kind of operation.
//
// Invariants
//  - a tile value has exactly one buffer, written before any use and never again while a use is ahead
//  - tiles are row-major and dense in UB; tiles of i1 are packed bits in the same order
//  - tile operations stay in place until everything is lowered, so that their uses can be asked for
#ifndef TILESMITH_TRANSFORMS_LOWERTOISA_LOWERING_H
#define TILESMITH_TRANSFORMS_LOWERTOISA_LOWERING_H

#include "Emitter.h"
#include "llvm/ADT/SetVector.h"

namespace tilesmith {

// An array in global memory: where it starts, its dims, elements between neighbours of each dim; of the last dim that
// is 1.
struct GlobalTensor {
  mlir::Value base;
  llvm::SmallVector<Int> dims, strides;
  bool isDense = true; // strides follow from the dims
};

// One dimension of an access: the tensor's extent, elements between neighbours, where the tile starts, and which of its
// indices are inside.
struct Axis {
  Int extent, stride, start;
  int64_t tile;
  Int low, high; // low <= index < high is inside the tensor
};

// Which elements of a tile an operation is about, in row-major order: the first `count`, those with their bit set, or
// those that both say; all if neither does.
struct Choice {
  mlir::Value count;
  std::optional<llvm::APInt> bits; // 128 of them

  Choice(mlir::Value count, std::optional<llvm::ArrayRef<int64_t>> words);
  bool isAll() const { return !count && !bits; }
  // Neighbouring elements with their bit set, first to last - 1.
  llvm::SmallVector<std::pair<int64_t, int64_t>> runs(int64_t elements) const;
};

class Lowering : public Emitter {
public:
  Lowering(mlir::func::FuncOp kernel, isa::Arch arch, bool fuse);
  mlir::LogicalResult run();

private:
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  mlir::LogicalResult lower(mlir::Operation *op);

  // Values (Values.cpp).
  mlir::Value bufferOf(mlir::Value tile);
  mlir::Value allocFor(mlir::Value tile, llvm::StringRef what = "");
  // Where to write `result`: the buffer a loop wants it in, else (if reads and writes of one element happen together)
  // the buffer of an operand nobody needs any more, else a new one.
  mlir::Value destination(mlir::Value result, llvm::ArrayRef<mlir::Value> operands, bool inPlace);
  mlir::Value placeOfRenewed(mlir::Value result);
  mlir::Value temporary(mlir::Type elementType, int64_t elements);
  mlir::Operation *outermostLoop();
  void beforeLoops(isa::AllocOp buffer, llvm::function_ref<void()> fill);
  void copyTile(mlir::Value dst, mlir::Value src, tile::TileType type);

  // Control flow (ControlFlow.cpp).
  mlir::LogicalResult lowerFor(mlir::scf::ForOp op);
  mlir::LogicalResult lowerIf(mlir::scf::IfOp op);
  mlir::LogicalResult lowerWhile(mlir::scf::WhileOp op);
  struct Move {
    mlir::Value dst, src;
    tile::TileType type;
  };
  void moveAll(llvm::SmallVector<Move> moves);
  mlir::Value carry(mlir::Value init, mlir::Operation *loop);
  bool endsAt(mlir::Value tile, mlir::Operation *user);

  // Global memory (Moves.cpp).
  mlir::LogicalResult lowerTensor(tile::TensorOp op);
  mlir::LogicalResult lowerLimit(tile::LimitOp op);
  mlir::LogicalResult lowerLoad(tile::LoadOp op);
  mlir::LogicalResult lowerStore(mlir::Operation *op, mlir::Value value, mlir::Value tensor, mlir::ValueRange offsets,
                                 const Choice &choice);
  void storeBox(const GlobalTensor &tensor, llvm::ArrayRef<Axis> axes, mlir::Value src, int64_t pitch);
  mlir::LogicalResult lowerAtomic(tile::AtomicOp op);
  mlir::LogicalResult lowerGet(tile::GetOp op);
  mlir::LogicalResult lowerSet(tile::SetOp op);
  // Which indices of a tile are inside the tensor; known where ranges alone say so.
  Axis clipAxis(Int extent, Int stride, mlir::Value start, int64_t tile);
  llvm::SmallVector<Axis> clip(const GlobalTensor &tensor, mlir::ValueRange offsets, llvm::ArrayRef<int64_t> shape);
  Int extentOf(const Axis &axis);
  Int isOneRun(Int count, Int length, Int rowStride, int64_t pitch);
  Int elementAddress(const GlobalTensor &tensor, mlir::ValueRange offsets, Int &inside);
  using CopyBlocks = llvm::function_ref<void(Int gmBytes, Int ubElements, Int rows, const Axis &cols, Int rowStride)>;
  void forEachPlane(const GlobalTensor &tensor, llvm::ArrayRef<Axis> axes, int64_t pitch, bool whole, CopyBlocks copy);

  // Choices of elements (Choices.cpp).
  mlir::LogicalResult lowerLanes(tile::LanesOp op);
  llvm::SmallVector<llvm::SmallVector<Axis>> boxesOf(llvm::ArrayRef<Axis> axes, const Choice &choice);

  // Printing (Print.cpp) and debugging (Probe.cpp).
  mlir::LogicalResult lowerPrint(tile::PrintOp op);
  mlir::LogicalResult lowerProbe(tile::ProbeOp op);

  // Element-wise instructions through UB (Elementwise.cpp).
  mlir::LogicalResult lowerUnary(tile::UnaryOp op);
  mlir::LogicalResult lowerBinary(tile::BinaryOp op);
  mlir::LogicalResult lowerCompare(tile::CompareOp op);
  mlir::LogicalResult lowerSelect(tile::SelectOp op);
  mlir::LogicalResult lowerCast(tile::CastOp op);
  mlir::LogicalResult lowerSplat(tile::SplatOp op);
  mlir::Value splatTemporary(mlir::Value scalar, int64_t elements);
  int64_t countOf(mlir::Value result, llvm::ArrayRef<mlir::Value> operands);
  // An operand of a repeat-form instruction over rows of a tile: where it starts and how it moves on.
  struct Source {
    mlir::Value buffer;
    enum { Whole, Row, Element, One } walk = Whole; // One: 256 bytes for every repeat; Element: a block per row
  };
  Source sourceOf(mlir::Value operand);
  void emitRows(llvm::StringRef mnemonic, mlir::Value dst, llvm::ArrayRef<Source> sources, int64_t rows, int64_t cols,
                mlir::Value mask = {});
  bool foldsBroadcast(tile::BroadcastOp op);
  mlir::Value wholeRepeats(mlir::Value buffer, int64_t elements);
  void onBits(mlir::Type type, int64_t count, llvm::function_ref<void(int64_t halves)> body,
              llvm::function_ref<void(Int last)> lastByte);
  void emitXor(mlir::Value dst, mlir::Value lhs, mlir::Value rhs, int64_t count);
  void compareIntegers(mlir::Value dst, mlir::Value lhs, mlir::Value rhs, isa::CmpMode mode, int64_t count);

  // What no vector instruction computes, element after element (ScalarUnit.cpp).
  mlir::LogicalResult computeOnScalarUnit(mlir::Operation *op);
  mlir::LogicalResult compareOnScalarUnit(tile::CompareOp op);
  mlir::LogicalResult selectOnScalarUnit(tile::SelectOp op);
  void reduceOnScalarUnit(tile::ReduceKind kind, mlir::Value dst, mlir::Value src, int64_t outer, int64_t reduced,
                          int64_t inner);
  mlir::Value readElement(mlir::Value buffer, Int index);
  mlir::Value scalarBinary(tile::BinaryKind kind, mlir::Value lhs, mlir::Value rhs, bool isUnsigned);
  mlir::Value scalarQuotient(mlir::Value lhs, mlir::Value rhs, bool isUnsigned);
  using StartWord = llvm::function_ref<mlir::Value(Int word)>;
  using StepWord = llvm::function_ref<mlir::Value(Int index, mlir::Value bits, mlir::Value bit)>;
  using FinishWord = llvm::function_ref<void(Int word, mlir::Value bits)>;
  void forEachBit(int64_t count, int64_t width, StartWord start, StepWord step, FinishWord finish);

  // Elements by their positions (Indices.cpp).
  mlir::LogicalResult lowerArange(tile::ArangeOp op);
  mlir::LogicalResult lowerGather(tile::GatherOp op);
  mlir::LogicalResult lowerScatter(tile::ScatterOp op);
  mlir::LogicalResult lowerTranspose(tile::TransposeOp op);
  mlir::LogicalResult lowerCumsum(tile::CumsumOp op);
  mlir::LogicalResult lowerSort(tile::SortOp op);
  mlir::LogicalResult lowerGatherRows(tile::GatherRowsOp op);
  mlir::LogicalResult lowerScatterRows(tile::ScatterRowsOp op);
  mlir::Value offsetsOf(mlir::Value index, int64_t count, int64_t size);
  void forNumberedRows(const GlobalTensor &tensor, mlir::Value rows, mlir::Value column, int64_t columns,
                       llvm::function_ref<void(Int row, mlir::Value at, const Axis &cols)> body);

  // Shapes (Shapes.cpp).
  mlir::LogicalResult lowerExtract(tile::ExtractOp op);
  mlir::LogicalResult lowerBroadcast(tile::BroadcastOp op);
  mlir::LogicalResult lowerCopy(tile::CopyOp op);
  mlir::LogicalResult lowerConcat(tile::ConcatOp op);
  void repeatElements(mlir::Value dst, mlir::Value src, int64_t rows, int64_t cols);
  void repeatRow(mlir::Value dst, mlir::Value src, int64_t rows, int64_t cols);
  mlir::Value broadcastElements(mlir::Value src, int64_t elements, int64_t available = 0);

  // Rows of tiles, where they lie (RowParts.cpp).
  bool seeRows(tile::CopyOp op);
  mlir::Value insertedRows(mlir::Value buffer, tile::InsertOp op);
  void wantInserted(tile::InsertOp op, mlir::BlockArgument argument, mlir::Value carried);
  mlir::LogicalResult lowerInsert(tile::InsertOp op);

  // Reductions (Reduce.cpp).
  mlir::LogicalResult lowerReduce(tile::ReduceOp op);
  void reduceRows(tile::ReduceKind kind, mlir::Value dst, mlir::Value src, int64_t rows, int64_t cols);
  bool reduceShortRows(tile::ReduceKind kind, mlir::Value dst, mlir::Value src, int64_t rows, int64_t cols);
  void reduceRowsByHalving(tile::ReduceKind kind, mlir::Value dst, mlir::Value src, int64_t rows, int64_t cols);
  void reduceOuter(tile::ReduceKind kind, mlir::Value dst, mlir::Value src, int64_t rows, int64_t cols);
  mlir::Value accumulateLanes(tile::ReduceKind kind, mlir::Value src, int64_t rows, int64_t cols, int64_t pitch);
  mlir::Value accumulateInPairs(llvm::StringRef instruction, mlir::Value src, int64_t rows, int64_t cols,
                                int64_t pitchBlocks, int64_t width);
  mlir::Value alignRows(mlir::Value src, int64_t rows, int64_t cols, int64_t &pitch);

  // Channels whose slots are in UB or L1 (Direct.cpp).
  void allocSlots();
  bool isInSlot(tile::LoadOp op);
  void lieInSlot(tile::LoadOp op);
  void storeToL1(const GlobalTensor &tensor, mlir::Value src, tile::TileType type, mlir::ValueRange offsets);
  mlir::LogicalResult storeToUb(mlir::Operation *op, mlir::Value stored, mlir::Value target, mlir::ValueRange offsets);

  // Vector functions (VectorFunctions.cpp).
  struct Group {
    llvm::SmallVector<mlir::Operation *> ops;
    llvm::SmallPtrSet<mlir::Operation *, 16> members;
    int64_t elements = 0;
    int64_t rows = 0, cols = 0; // 0: any shape of `elements`
    bool bits = false;
  };
  static bool isVectorisable(mlir::Operation *op, const Group &group);
  bool joins(mlir::Operation *op, Group &group);
  mlir::LogicalResult close(Group &group);
  static bool isScalarNeeded(tile::ExtractOp op);

  // Matrices (Cube.cpp).
  mlir::LogicalResult lowerCubeLoad(tile::LoadOp op);
  mlir::LogicalResult lowerCubeCopy(tile::CopyOp op);
  mlir::LogicalResult lowerZerosAcc(tile::ZerosAccOp op);
  mlir::LogicalResult lowerMatmul(tile::MatmulOp op);
  mlir::LogicalResult lowerCubeStore(mlir::Operation *op, mlir::Value value, mlir::Value tensor,
                                     mlir::ValueRange offsets);
  mlir::LogicalResult copyResultToL1(tile::CopyOp op);
  void loadInner(mlir::Value dst, mlir::Value from, tile::TileType type, int64_t stride, mlir::Value inner);
  // The part of a matrix that lies inside a tensor of any rank: the last two dimensions, and the elements before them.
  struct MatrixPart {
    Axis rows, cols;
    Int rowStride, first; // elements; `first` belongs to the first row and column inside
    Int presentRows, presentCols;
  };
  mlir::FailureOr<MatrixPart> clipMatrix(mlir::Operation *op, const GlobalTensor &tensor, mlir::ValueRange offsets,
                                         tile::TileType type, int64_t unit);
  void copyMatrix(const MatrixPart &part, mlir::Value base, mlir::Value dst, tile::TileType type);
  void fillL1(mlir::Value buffer, int64_t bytes, mlir::Value scalar = {});
  void settle(mlir::Value accumulator);

  mlir::func::FuncOp kernel;
  bool fuse;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::DenseMap<mlir::Value, mlir::Value> slots;           // of direct channels, by parameter
  llvm::DenseMap<mlir::Value, mlir::Value> wanted;          // tile -> carried buffer it should be computed into
  llvm::DenseMap<mlir::Value, mlir::BlockArgument> renewed; // and the carried tile whose place it takes
  llvm::DenseSet<mlir::Value> owned; // tiles whose buffer was made for them by a vector instruction
  llvm::DenseMap<mlir::Value, mlir::Block *> argumentHome; // carried tiles: the body of their lowered loop
  llvm::DenseMap<mlir::Value, GlobalTensor> tensors;
  struct Repeated {
    Source source;
    int64_t rows, cols;
  };
  llvm::DenseMap<mlir::Value, Repeated> repeated; // broadcasts that instructions do on the way
  // Tiles whose elements go on behind their end, so that whole blocks can be read: how many there are.
  llvm::DenseMap<mlir::Value, int64_t> defined;
  llvm::DenseMap<mlir::Value, Int> fresh;    // accumulators: 1 while nothing was added to them
  llvm::SmallVector<mlir::Attribute> prints; // the kernel's lines of device_print
  llvm::SmallVector<mlir::Operation *> dead;
};

// "[4, 1024] float16", as the user would write it, and the name the user gave the value (or nothing).
std::string describe(tile::TileType type);
std::string describe(mlir::Type elementType);
llvm::StringRef nameOf(mlir::Value value);
// The users of a tile's buffer: through operations that only rename it, and loops that carry it on.
void collectUsers(mlir::Value tile, llvm::SmallVectorImpl<mlir::Operation *> &users);
// Gives every user of a filled or repeated tile that can be part of a vector function its own copy of the operation.
void repeatAtUses(mlir::func::FuncOp kernel);
// Cuts `repeats` into pieces of at most `most`: body(first, count).
void forRepeats(int64_t repeats, int64_t most, llvm::function_ref<void(int64_t, int64_t)> body);
// How a conversion rounds: float to integer truncates, everything lossy rounds to nearest even.
isa::RoundMode roundingOf(mlir::Type from, mlir::Type to);
// An operation whose result is the operand's buffer itself, in registers too.
bool isRename(mlir::Operation *op);
// The first row of a copy that is lowered to its operand's own buffer from there on; null: it is not.
mlir::Value rowViewed(tile::CopyOp op);
// The buffer itself, whatever elements it is seen as and from where on.
mlir::Value storageOf(mlir::Value buffer);
// The sum of products under relu and conversions, which the way out of L0C applies itself; which conversion that is.
mlir::Value accumulatorOf(mlir::Value value, bool &relu);
mlir::FailureOr<isa::QuantMode> quantOf(mlir::Operation *op, mlir::Type type);
// "adding of uint8 tiles has no instruction on C220"
mlir::LogicalResult noInstruction(mlir::Operation *op, llvm::StringRef what, mlir::Type type, isa::Arch arch);

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_LOWERTOISA_LOWERING_H
