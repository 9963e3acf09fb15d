// One flag for loads that belong together: the tiles of both operands of a product.
//
// A flag is set when all earlier moves of its pipe are complete, so a flag between two loads keeps the second from
// beginning early. Products need both tiles anyway. Two tokens become one, set behind the later load and waited for
// where the first tile is needed, if both are set before either is waited for: what the kernel orders stays in program
// order, so nothing can wait for itself.
#include "Tokens.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

static bool multiplies(const Node &node) {
  return (node.kind == NodeKind::Instruction && node.pipe == Pipe::M) ||
         llvm::any_of(node.bodies, [](const std::unique_ptr<Body> &body) {
           return llvm::any_of(body->nodes, [](const Node *inner) { return multiplies(*inner); });
         });
}

static bool group(Kernel &kernel, Token &early, Token &late) {
  Body *body = early.set->parent;
  if (late.set->parent != body || early.isCarried() || late.isCarried() || !(early.ring == late.ring) ||
      early.slotIndex != late.slotIndex)
    return false;
  size_t setLate = body->find(late.set), waitEarly = body->find(early.wait), waitLate = body->find(late.wait);
  if (setLate <= body->find(early.set) || setLate > std::min(waitEarly, waitLate))
    return false;
  // Between the sets there is nothing but what the second load waits for.
  for (size_t i = body->find(early.set) + 1; i < setLate; ++i)
    if (Node &node = *body->nodes[i]; node.kind == NodeKind::Set && node.token->from == early.from && &node != late.set)
      return false;
  for (size_t i = std::min(waitEarly, waitLate); i < std::max(waitEarly, waitLate); ++i)
    if (multiplies(*body->nodes[i]))
      return false;
  auto move = [&](Node *node, Node *where, bool after) {
    kernel.erase(node);
    node->parent = body;
    body->nodes.insert(body->nodes.begin() + body->find(where) + after, node);
  };
  move(early.set, late.set, true);
  if (waitLate < waitEarly)
    move(early.wait, late.wait, false);
  kernel.drop(late);
  return true;
}

void groupTokens(Kernel &kernel) {
  for (auto &early : kernel.tokens)
    for (auto &late : kernel.tokens)
      if (early != late && !early->dropped && !late->dropped && early->from == Pipe::MTE2 && early->to == Pipe::MTE1 &&
          late->from == early->from && late->to == early->to)
        group(kernel, *early, *late);
}

} // namespace tilesmith::plan
