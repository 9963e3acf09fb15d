// Colours tokens: two tokens of a pair of pipes share a flag when, wherever one is set, the other is neither raised nor
// still being waited for, as far as the setting pipe knows.
#include "Order.h"
#include "Tokens.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {
namespace {

class Interference : public OrderWalk {
public:
  explicit Interference(Kernel &kernel) : OrderWalk(kernel), pairs(kernel.tokens.size() * kernel.tokens.size()) {}

  bool between(const Token &a, const Token &b) const { return pairs.test(pairOf(a, b)); }

private:
  void atSet(Node &node, State &state) override {
    Token &set = *node.token;
    for (auto &other : kernel.tokens) {
      if (other.get() == &set || other->dropped || other->from != set.from || other->to != set.to)
        continue;
      if (size_t pair = pairOf(set, *other); !pairs.test(pair))
        if (!state.known(set.from).test(facts.waited(*other, /*all=*/true)) || isPending(state, *other))
          pairs.set(pair);
    }
  }

  size_t pairOf(const Token &a, const Token &b) const {
    return size_t(std::min(a.number, b.number)) * kernel.tokens.size() + std::max(a.number, b.number);
  }

  llvm::BitVector pairs; // by both numbers
};

// The next loop around the token's ends inside its scope; null: there is none.
Node *nextScope(const Token &token) {
  Node *next = nullptr;
  for (Node *owner = token.set->parent->owner; owner != token.scope; owner = owner->parent->owner)
    if (owner->isLoop())
      next = owner;
  return next;
}

void move(Kernel &kernel, Node *node, Node *where, bool after) {
  kernel.erase(node);
  std::vector<Node *> &list = where->parent->nodes;
  node->parent = where->parent;
  list.insert(list.begin() + where->parent->find(where) + after, node);
}

// One token for two: set at the later, waited for at the earlier.
bool merge(Kernel &kernel, Token &a, Token &b) {
  Body *body = a.set->parent;
  if (body != b.set->parent || a.isCarried() != b.isCarried() || !(a.ring == b.ring))
    return false;
  Node *set = body->find(a.set) < body->find(b.set) ? b.set : a.set;
  Node *wait = body->find(a.wait) < body->find(b.wait) ? a.wait : b.wait;
  if (a.isCarried() ? body->find(set) < body->find(wait) : body->find(wait) < body->find(set))
    return false;
  if (a.scope != b.scope && a.isCarried())
    kernel.prime(a, a.scope->op->isAncestor(b.scope->op) ? a.scope : b.scope);
  if (set == b.set)
    move(kernel, a.set, b.set, true);
  if (wait == b.wait)
    move(kernel, a.wait, b.wait, false);
  kernel.drop(b);
  return true;
}

// Merges up to `count` disjoint pairs, latest first.
bool mergeSome(Kernel &kernel, ArrayRef<Token *> tokens, size_t count) {
  size_t merged = 0;
  for (size_t i = tokens.size(); i-- > 1 && merged < count;)
    for (size_t j = i; j-- > 0;)
      if (!tokens[i]->dropped && merge(kernel, *tokens[j], *tokens[i])) {
        ++merged;
        i = j; // that one is merged too
        break;
      }
  return merged;
}

// Makes about `count` tokens fewer. Barriers are a last resort; `open` tokens have no flag.
void useFewer(Kernel &kernel, ArrayRef<Token *> tokens, size_t count, size_t open) {
  bool narrowed = false;
  for (Token *token : tokens)
    if (Node *next = token->isCarried() ? nextScope(*token) : nullptr) {
      kernel.prime(*token, next);
      narrowed = true;
    }
  if (narrowed)
    return;
  if (mergeSome(kernel, tokens, count))
    return;
  // Ordering starts from nothing after this, so a kernel with many rings gives up more of them each time, at last also
  // those of other pairs of pipes. Where even merging left far too many tokens, a few rings would not help.
  unsigned times = std::min(kernel.timesGivenUp++, 16u);
  size_t many = std::max(count > 1 ? tokens.size() : 1, size_t(1) << times);
  llvm::SetVector<Value> rings;
  for (Token *token : llvm::reverse(tokens))
    if (token->ring && rings.size() < many)
      rings.insert(token->buffer);
  for (size_t i = kernel.tokens.size(); times > 3 && !rings.empty() && i-- > 0 && rings.size() < many;)
    if (Token &token = *kernel.tokens[i]; token.ring && !token.dropped)
      rings.insert(token.buffer);
  for (Value ring : rings)
    kernel.giveUpSlots(ring);
  if (!rings.empty())
    return;
  // A barrier ends all tokens before it: a few, spread over the kernel, free flags for many.
  size_t barriers = std::min(count, (open + 1) / 2);
  for (size_t i = 0; i < barriers; ++i) {
    Token &token = *tokens[tokens.size() - 1 - i * tokens.size() / barriers];
    kernel.insertBarrier(token.wait, Pipe::ALL, "the pair of pipes has no flag left");
    kernel.drop(token);
  }
}

} // namespace

Assigned assignFlags(Kernel &kernel) {
  Interference interference(kernel);
  interference.run();
  std::array<std::array<SmallVector<Token *, 8>, numPipes>, numPipes> pairs;
  for (auto &token : kernel.tokens)
    if (!token->dropped)
      pairs[unsigned(token->from)][unsigned(token->to)].push_back(token.get());
  for (auto &row : pairs)
    for (SmallVector<Token *, 8> &tokens : row) {
      size_t open = 0, firstOpen = 0; // tokens without a flag
      for (size_t i = 0; i < tokens.size(); ++i) {
        Token &token = *tokens[i];
        auto isFree = [&](int64_t id) {
          return llvm::none_of(ArrayRef(tokens).take_front(i), [&](Token *other) {
            return id < other->id + other->flags() && other->id < id + token.flags() &&
                   interference.between(*other, token);
          });
        };
        token.id = 0;
        while (token.id + token.flags() <= numFlags && !isFree(token.id))
          ++token.id;
        if (token.id + token.flags() <= numFlags)
          continue;
        token.id = numFlags; // in nobody's way
        if (!open++)
          firstOpen = i;
      }
      if (!open)
        continue;
      int64_t missing = -numFlags;
      for (Token *each : tokens)
        missing += each->flags();
      if (missing < 2 * numFlags) {
        useFewer(kernel, ArrayRef(tokens).take_front(firstOpen + 1), 1, open);
        return Assigned::Almost;
      }
      useFewer(kernel, tokens, missing / 4, open);
      return Assigned::FarFrom;
    }
  return Assigned::All;
}

} // namespace tilesmith::plan
