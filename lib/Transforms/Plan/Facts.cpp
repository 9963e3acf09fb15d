#include "Facts.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

//===- Facts
//----------------------------------------------------------------------------------------------------------===//

// One for each slot, or one about this iteration and one about earlier ones.
static unsigned factsOf(const Cycle &cycle) { return cycle.slots ? unsigned(cycle.slots) : 2; }

static void include(SmallVectorImpl<FactWord> &words, unsigned fact) {
  uint64_t bit = uint64_t(1) << (fact % 64);
  for (FactWord &word : words)
    if (word.word == fact / 64) {
      word.bits |= bit;
      return;
    }
  words.push_back({fact / 64, bit});
}

Facts::Facts(const Kernel &kernel) : numInstructions(kernel.instructions.size()) {
  // Room for the tokens of the kernel and for those a walk adds on its way. Without it the walk starts again.
  unsigned room = std::max(48u, numInstructions / 2);
  size = numInstructions + room;
  for (auto &token : kernel.tokens)
    size += token->dropped ? 0 : 1 + token->flags();
  // Sets are copied all the time: they hold no bit more than there are facts.
  llvm::SmallSet<std::tuple<unsigned, const void *, const void *, int64_t>, 32> cycles;
  for (auto &list : kernel.dependencies)
    for (const Dependency &dependency : list)
      if (const Cycle &cycle = dependency.cycle;
          cycle && cycles.insert({dependency.on, cycle.loop, cycle.outer, cycle.slots}).second)
        size += factsOf(cycle);
  for (FactSet &set : ofPipe)
    set = FactSet(size, false);
  inherited = FactSet(size, true);
  for (Node *node : kernel.instructions)
    addSource(node->pipe, false);
  for (auto &list : kernel.dependencies)
    for (const Dependency &dependency : list)
      if (dependency.cycle)
        addRange(dependency.on, kernel.instructions[dependency.on]->pipe, false, dependency.cycle);
  for (auto &token : kernel.tokens)
    if (token->dropped)
      sources.emplace_back(); // nobody asks for it, but sources count all tokens
    else
      add(*token);
  neededBy.resize(numInstructions);
  for (unsigned instruction = 0; instruction < numInstructions; ++instruction)
    for (const Dependency &dependency : kernel.dependencies[instruction])
      for (unsigned fact : needed(dependency))
        include(neededBy[instruction], fact);
}

void Facts::own(unsigned fact, Pipe pipe, bool isWait) {
  ofPipe[unsigned(pipe)].view().set(fact);
  if (pipe == Pipe::S && !isWait)
    inherited.view().reset(fact);
}

unsigned Facts::addSource(Pipe pipe, bool isWait) {
  Source &source = sources.emplace_back();
  source.all = next;
  include(source.current, next);
  include(source.every, next);
  own(next++, pipe, isWait);
  return sources.size() - 1;
}

void Facts::addRange(unsigned number, Pipe pipe, bool isWait, const Cycle &cycle) {
  Source &source = sources[number];
  for (unsigned range : source.ranges)
    if (ranges[range].cycle == cycle)
      return;
  unsigned first = next, count = factsOf(cycle), index = ranges.size();
  source.ranges.push_back(index);
  ranges.push_back({cycle, number, first, count});
  include(source.current, first);
  for (unsigned i = 0; i < count; ++i) {
    include(source.every, next);
    own(next++, pipe, isWait);
  }
  Loop &loop = loops[cycle.loop];
  loop.ranges.push_back(index);
  if (cycle.slots) {
    auto *turn = llvm::find_if(loop.turns, [&](const Turn &each) { return each.slots == cycle.slots; });
    if (turn == loop.turns.end()) {
      loop.turns.push_back({cycle.slots, FactSet(size, false), FactSet(size, false)});
      turn = &loop.turns.back();
    }
    turn->first.view().set(first);
    for (unsigned i = 1; i < count; ++i)
      turn->rest.view().set(first + i);
  }
  if (cycle.outer && cycle.outer != cycle.loop)
    loops[cycle.outer].ranges.push_back(index);
}

void Facts::add(const Token &token) {
  unsigned source = addSource(token.to, true);
  if (token.ring)
    addRange(source, token.to, true, token.ring);
}

SmallVector<unsigned, 2> Facts::needed(const Dependency &dependency) const {
  const Source &source = sources[dependency.on];
  for (unsigned index : source.ranges) {
    const Range &range = ranges[index];
    if (!dependency.cycle || !(range.cycle == dependency.cycle))
      continue;
    if (range.cycle.slots)
      return {range.first};
    return {range.first, range.first + 1};
  }
  return {source.all};
}

unsigned Facts::waited(const Token &token, bool all) const {
  const Source &source = sources[sourceOf(token)];
  return all || source.ranges.empty() ? source.all : ranges[source.ranges.front()].first;
}

//===- States
//---------------------------------------------------------------------------------------------------------===//

State::State(const Facts &facts) : width((facts.size + 63) / 64), pipes(numPipes) {
  words.assign(pipes * width, ~uint64_t(0));
}

void State::knowAll() { std::fill_n(words.begin(), pipes * width, ~uint64_t(0)); }

size_t State::find(unsigned token) const {
  return llvm::lower_bound(flags, token, [](const Flag &flag, unsigned number) { return flag.token < number; }) -
         flags.begin();
}

size_t State::firstClock(size_t place) const {
  size_t first = pipes;
  for (size_t i = 0; i < place; ++i)
    first += flags[i].clocks;
  return first;
}

size_t State::raise(const Token &token) {
  size_t place = find(token.number);
  if (!isAt(place, token.number)) {
    words.insert(words.begin() + firstClock(place) * width, token.flags() * width, ~uint64_t(0));
    flags.insert(flags.begin() + place, Flag{token.number, unsigned(token.flags()), false});
  }
  return place;
}

void State::insert(size_t place, const Flag &flag, const uint64_t *clocks) {
  words.insert(words.begin() + firstClock(place) * width, clocks, clocks + flag.clocks * width);
  flags.insert(flags.begin() + place, flag);
}

void State::forget(const Token &token) {
  size_t place = find(token.number), first = firstClock(place);
  words.erase(words.begin() + first * width, words.begin() + (first + flags[place].clocks) * width);
  flags.erase(flags.begin() + place);
}

bool State::isPending(const Token &token) const {
  size_t place = find(token.number);
  return isAt(place, token.number) && flags[place].pending;
}

static bool meetWords(uint64_t *mine, const uint64_t *theirs, size_t count) {
  uint64_t lost = 0;
  for (size_t i = 0; i < count; ++i) {
    lost |= mine[i] & ~theirs[i];
    mine[i] &= theirs[i];
  }
  return lost != 0;
}

bool State::meet(const State &other) {
  bool changed = false;
  size_t theirs = pipes;
  for (const Flag &flag : other.flags) {
    size_t place = find(flag.token), count = flag.clocks * width;
    if (!isAt(place, flag.token)) {
      insert(place, flag, other.words.data() + theirs * width);
      changed = true;
    } else {
      changed |= flag.pending && !flags[place].pending;
      flags[place].pending |= flag.pending;
      changed |= meetWords(words.data() + firstClock(place) * width, other.words.data() + theirs * width, count);
    }
    theirs += flag.clocks;
  }
  return meetWords(words.data(), other.words.data(), pipes * width) || changed;
}

void State::spoil(ArrayRef<FactWord> facts) {
  for (uint64_t *set = words.begin(); set != words.end(); set += width)
    FactView(set, width).spoil(facts);
}

void State::forEachSet(llvm::function_ref<void(FactView)> change) {
  for (uint64_t *set = words.begin(); set != words.end(); set += width)
    change({set, width});
}

State State::park(llvm::function_ref<bool(unsigned token)> stays) {
  State parked;
  parked.width = width;
  parked.words.reserve(words.size() - pipes * width);
  parked.flags.reserve(flags.size());
  if (llvm::none_of(flags, [&](const Flag &flag) { return stays(flag.token); })) {
    parked.words.assign(words.begin() + pipes * width, words.end());
    words.truncate(pipes * width);
    std::swap(parked.flags, flags);
    return parked;
  }
  uint64_t *from = words.begin() + pipes * width, *to = from;
  Flag *kept = flags.begin();
  for (const Flag &flag : flags) {
    uint64_t *end = from + flag.clocks * width;
    if (stays(flag.token)) {
      to = std::copy(from, end, to);
      *kept++ = flag;
    } else {
      parked.words.append(from, end);
      parked.flags.push_back(flag);
    }
    from = end;
  }
  words.truncate(to - words.begin());
  flags.truncate(kept - flags.begin());
  return parked;
}

void State::unpark(State parked, FactView spoilt) {
  parked.forEachSet([&](FactView set) { set.remove(spoilt); });
  // Merged from the back, in place.
  size_t i = flags.size(), j = parked.flags.size();
  size_t mine = words.size(), theirs = parked.words.size();
  words.resize_for_overwrite(mine + theirs);
  flags.resize_for_overwrite(i + j);
  while (j > 0) {
    if (i == 0) { // the rest, which is often all
      std::copy_n(parked.words.data(), theirs, words.data() + mine);
      std::copy_n(parked.flags.data(), j, flags.data());
      return;
    }
    bool isMine = flags[i - 1].token > parked.flags[j - 1].token;
    Flag flag = isMine ? flags[i - 1] : parked.flags[j - 1];
    size_t count = flag.clocks * width, to = mine + theirs;
    const uint64_t *end = isMine ? words.data() + mine : parked.words.data() + theirs;
    std::copy_backward(end - count, end, words.data() + to);
    flags[i + j - 1] = flag;
    (isMine ? i : j) -= 1;
    (isMine ? mine : theirs) -= count;
  }
}

void State::rotateClocks(llvm::function_ref<bool(unsigned token)> ofRing) {
  uint64_t *begin = words.data() + pipes * width;
  for (const Flag &flag : flags) {
    uint64_t *end = begin + flag.clocks * width;
    if (ofRing(flag.token))
      std::rotate(begin, end - width, end);
    begin = end;
  }
}

} // namespace tilesmith::plan
