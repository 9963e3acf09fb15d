// A kernel as the synchroniser sees it: instructions in a tree of regions, and the tokens that order them.
//
// Only what matters for order is here. A body is a list of nodes: instructions with their pipe, compound nodes
// (branches and loops), and the sync nodes that the synchroniser adds. Nodes and tokens live as long as the kernel.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_KERNEL_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_KERNEL_H

#include "Conflicts.h"
#include "tilesmith/Isa/Chip.h"
#include <memory>
#include <vector>

namespace tilesmith::plan {

inline constexpr unsigned numPipes = unsigned(isa::Pipe::ALL);
inline constexpr int64_t numFlags = isa::userFlagIds; // per pair of pipes

struct Node;
struct Token;

struct Body {
  Node *owner = nullptr; // null: the kernel itself
  std::vector<Node *> nodes;

  size_t find(const Node *node) const { return llvm::find(nodes, node) - nodes.begin(); }
};

enum class NodeKind : uint8_t {
  Instruction,
  Branch, // one of its bodies runs, or none
  For,    // its body runs any number of times
  While,  // bodies: before, after
  Set,
  Wait,
  Barrier
};

struct Node {
  NodeKind kind = NodeKind::Instruction;
  mlir::Operation *op = nullptr; // of a sync node: the op it was placed for
  Body *parent = nullptr;
  std::vector<std::unique_ptr<Body>> bodies;
  isa::Pipe pipe = isa::Pipe::ALL; // of an instruction or barrier
  unsigned number = 0;             // of an instruction, in program order
  Token *token = nullptr;          // of a set or wait
  bool allSlots = false;           // primes or drains every flag of the token
  llvm::StringRef reason;          // of a barrier: why a flag does not do

  bool isLoop() const { return kind == NodeKind::For || kind == NodeKind::While; }
};

// One flag (a ring: one per slot) from pipe to pipe. Set and wait sit in one body. A carried token is waited for before
// it is set: it is primed before `scope`, a loop around the body, and drained after it.
struct Token {
  isa::Pipe from, to;
  unsigned number = 0;
  Node *set = nullptr, *wait = nullptr;
  Node *scope = nullptr, *prime = nullptr, *drain = nullptr; // carried tokens only
  Cycle ring;                                                // slots > 0: flag id is id + iteration modulo slots
  Cycle mayRing;                                             // the ring it could have, if one flag does not do
  mlir::Value buffer, slotIndex;                             // of a ring; slotIndex counts the iterations of ring.loop
  int64_t id = -1;
  bool dropped = false;  // replaced by something coarser, or not needed; its nodes are gone
  bool disabled = false; // for the analysis it is not there

  bool isCarried() const { return scope; }
  int64_t flags() const { return ring.slots ? ring.slots : 1; }
};

// `on` must be complete before the instruction that holds this starts, as far as their instances meet.
struct Dependency {
  unsigned on = 0;
  Meeting kind = Meeting::Always;
  Cycle cycle;
  mlir::Value ring, slotIndex; // kind InSlot
};

class Kernel {
public:
  // Reads the function; fails with an error on control flow it does not know.
  static mlir::FailureOr<std::unique_ptr<Kernel>> read(mlir::func::FuncOp func);

  Body body;
  isa::Arch arch = isa::Arch::C220;
  std::vector<Node *> instructions;                  // by number
  std::vector<std::vector<Dependency>> dependencies; // by number, of all pairs that conflict
  std::vector<std::unique_ptr<Token>> tokens;

  // Whether an instruction starts only after the earlier ones of its pipe are complete.
  bool keepsOrder(isa::Pipe pipe) const { return isa::ordersItself(arch, pipe); }

  Node *make(NodeKind kind, mlir::Operation *op);
  // Inserts a new node into the body of `where`.
  Node *insertBefore(Node *where, NodeKind kind, Token *token = nullptr);
  Node *insertBarrier(Node *before, isa::Pipe pipe, llvm::StringRef reason);
  Node *insertAfter(Node *where, NodeKind kind, Token *token = nullptr); // and after sets and drains that follow it
  void erase(Node *node);

  Token *makeToken(isa::Pipe from, isa::Pipe to);
  void prime(Token &token, Node *scope);
  void drop(Token &token);

  // From now on the slots of a ring count as one buffer: fewer flags, less overlap. Forgets all sync nodes and tokens.
  void giveUpSlots(mlir::Value ring);
  unsigned timesGivenUp = 0;

private:
  mlir::LogicalResult readBlock(mlir::Block &block, Body &body);
  void findDependencies();
  void dropSync(Body &body);

  std::vector<std::unique_ptr<Node>> nodes;
};

// Whether a core of either kind has an event from one pipe to another.
bool hasEvent(isa::Arch arch, isa::Pipe from, isa::Pipe to);

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_KERNEL_H
