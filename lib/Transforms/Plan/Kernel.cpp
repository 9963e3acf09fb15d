#include "Kernel.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

bool hasEvent(Arch arch, Pipe from, Pipe to) {
  return from != to && (isa::hasEvent(arch, CoreKind::AIC, from, to) || isa::hasEvent(arch, CoreKind::AIV, from, to));
}

//===- Reading
//--------------------------------------------------------------------------------------------------------===//

FailureOr<std::unique_ptr<Kernel>> Kernel::read(func::FuncOp func) {
  auto kernel = std::make_unique<Kernel>();
  if (auto name = func->getAttrOfType<StringAttr>(archAttrName))
    kernel->arch =
        symbolize<Arch>(std::string_view(name.getValue().data(), name.getValue().size())).value_or(Arch::C220);
  if (!func.getBody().hasOneBlock())
    return func.emitError("a kernel must be one block of structured control flow");
  if (failed(kernel->readBlock(func.getBody().front(), kernel->body)))
    return failure();
  kernel->findDependencies();
  return kernel;
}

static bool holdsInstructions(Operation &op) {
  return op
      .walk([](Operation *inner) {
        return pipeOf(inner) && !operandAccessesOf(inner).empty() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult Kernel::readBlock(Block &block, Body &into) {
  for (Operation &op : block) {
    if (std::optional<Pipe> pipe = pipeOf(&op)) {
      if (operandAccessesOf(&op).empty())
        continue;
      Node *node = make(NodeKind::Instruction, &op);
      node->pipe = *pipe;
      node->number = instructions.size();
      instructions.push_back(node);
      node->parent = &into;
      into.nodes.push_back(node);
      continue;
    }
    if (op.getNumRegions() == 0 || !holdsInstructions(op))
      continue;
    NodeKind kind = llvm::isa<scf::ForOp>(op)     ? NodeKind::For
                    : llvm::isa<scf::WhileOp>(op) ? NodeKind::While
                                                  : NodeKind::Branch;
    if (kind == NodeKind::Branch && !llvm::isa<scf::IfOp, scf::IndexSwitchOp>(op))
      return op.emitError() << "cannot synchronise instructions inside " << op.getName();
    Node *node = make(kind, &op);
    node->parent = &into;
    into.nodes.push_back(node);
    for (Region &region : op.getRegions()) {
      node->bodies.push_back(std::make_unique<Body>());
      node->bodies.back()->owner = node;
      if (!region.empty() && failed(readBlock(region.front(), *node->bodies.back())))
        return failure();
    }
  }
  return success();
}

//===- Dependencies
//---------------------------------------------------------------------------------------------------===//

// Consecutive multiplications into one accumulator are kept in order by the cube once they are large enough.
static bool cubeKeepsOrder(Operation *x, Operation *y) {
  auto large = [](Operation *op) {
    auto mmad = dyn_cast<MmadOp>(op);
    std::optional<int64_t> m = mmad ? constantOf(mmad.getM()) : std::nullopt,
                           n = mmad ? constantOf(mmad.getN()) : std::nullopt;
    return m && n && mmadFollowsFreely(*m, *n);
  };
  return large(x) && large(y);
}

// The mode in which an instruction stores to GM: the lowering sets it in the block of the store.
static AtomicOp atomicModeOf(Operation *op) {
  if (!llvm::isa<CopyUbToGmOp, FixpipeToGmOp>(op))
    return AtomicOp::None;
  while ((op = op->getPrevNode()))
    if (auto mode = dyn_cast<SetAtomicOp>(op))
      return mode.getOp().getValue();
  return AtomicOp::None;
}

void Kernel::findDependencies() {
  unsigned count = instructions.size();
  dependencies.resize(count);
  std::vector<SmallVector<plan::Access, 4>> accesses;
  std::vector<AtomicOp> modes;
  for (Node *node : instructions) {
    accesses.push_back(accessesOf(node->op));
    modes.push_back(atomicModeOf(node->op));
  }
  auto depend = [&](unsigned x, unsigned y, const Conflict &conflict, const Place &place) {
    std::vector<Dependency> &list = dependencies[x];
    Dependency dependency{y, conflict.kind, conflict.cycle, {}, {}};
    if (conflict.kind == Meeting::InSlot) {
      dependency.ring = place.root;
      dependency.slotIndex = place.slot;
    }
    auto isSame = [&](const Dependency &d) {
      return d.on == y && d.kind == conflict.kind && d.cycle == conflict.cycle && d.ring == dependency.ring;
    };
    if (llvm::none_of(list, isSame))
      list.push_back(dependency);
  };
  for (unsigned x = 0; x < count; ++x)
    for (unsigned y = 0; y <= x; ++y) {
      Pipe pipeX = instructions[x]->pipe, pipeY = instructions[y]->pipe;
      if (pipeX == pipeY && keepsOrder(pipeX))
        continue;
      if (pipeX == Pipe::M && pipeY == Pipe::M && cubeKeepsOrder(instructions[x]->op, instructions[y]->op))
        continue;
      bool commute =
          pipeX == pipeY && modes[x] == modes[y] && modes[x] != AtomicOp::None; // equal atomics of one pipe do
      for (const plan::Access &accessX : accesses[x])
        for (const plan::Access &accessY : accesses[y]) {
          if (commute && accessX.memory == Memory::GM)
            continue;
          Conflict conflict = conflictOf(instructions[x]->op, accessX, instructions[y]->op, accessY);
          if (conflict.kind == Meeting::Never)
            continue;
          depend(x, y, conflict, accessX.place);
          if (x != y)
            depend(y, x, conflict, accessX.place);
        }
    }
}

//===- Editing
//--------------------------------------------------------------------------------------------------------===//

Node *Kernel::make(NodeKind kind, Operation *op) {
  nodes.push_back(std::make_unique<Node>());
  nodes.back()->kind = kind;
  nodes.back()->op = op;
  return nodes.back().get();
}

Node *Kernel::insertBefore(Node *where, NodeKind kind, Token *token) {
  Node *node = make(kind, where->op);
  node->token = token;
  node->parent = where->parent;
  std::vector<Node *> &list = where->parent->nodes;
  list.insert(list.begin() + where->parent->find(where), node);
  return node;
}

Node *Kernel::insertBarrier(Node *before, Pipe pipe, StringRef reason) {
  Node *node = insertBefore(before, NodeKind::Barrier);
  node->pipe = pipe;
  node->reason = reason;
  return node;
}

Node *Kernel::insertAfter(Node *where, NodeKind kind, Token *token) {
  Node *node = make(kind, where->op);
  node->token = token;
  node->parent = where->parent;
  std::vector<Node *> &list = where->parent->nodes;
  size_t at = where->parent->find(where) + 1;
  if (where->kind != NodeKind::Set && where->kind != NodeKind::Wait)
    while (at < list.size() && ((list[at]->kind == NodeKind::Set && !list[at]->allSlots) ||
                                (list[at]->kind == NodeKind::Wait && list[at]->allSlots)))
      ++at;
  list.insert(list.begin() + at, node);
  return node;
}

void Kernel::erase(Node *node) {
  std::vector<Node *> &list = node->parent->nodes;
  list.erase(list.begin() + node->parent->find(node));
  node->parent = nullptr;
}

Token *Kernel::makeToken(Pipe from, Pipe to) {
  tokens.push_back(std::make_unique<Token>());
  Token *token = tokens.back().get();
  token->from = from;
  token->to = to;
  token->number = tokens.size() - 1;
  return token;
}

void Kernel::prime(Token &token, Node *scope) {
  for (Node *node : {token.prime, token.drain})
    if (node)
      erase(node);
  token.scope = scope;
  token.prime = insertBefore(scope, NodeKind::Set, &token);
  token.drain = insertAfter(scope, NodeKind::Wait, &token);
  token.prime->allSlots = token.drain->allSlots = true;
}

void Kernel::drop(Token &token) {
  for (Node *node : {token.set, token.wait, token.prime, token.drain})
    if (node)
      erase(node);
  token.dropped = true;
}

void Kernel::giveUpSlots(Value ring) {
  for (std::vector<Dependency> &list : dependencies)
    for (Dependency &dependency : list)
      if (dependency.ring == ring)
        dependency = {dependency.on, Meeting::Always, {}, {}, {}};
  dropSync(body);
  tokens.clear();
}

void Kernel::dropSync(Body &body) {
  llvm::erase_if(body.nodes, [](Node *node) { return node->kind > NodeKind::While; });
  for (Node *node : body.nodes)
    for (auto &inner : node->bodies)
      dropSync(*inner);
}

} // namespace tilesmith::plan
