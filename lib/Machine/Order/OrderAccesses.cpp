// Accesses: who touched the bytes before, and whether that is over.
#include "OrderChecker.h"

namespace tilesmith::machine {

static std::string name(unsigned pipe) { return std::string(stringify(Pipe(pipe))); }

void OrderChecker::access(unsigned pipe, const Instr &instr, isa::AtomicOp mode) {
  PipeState &state = pipes[pipe];
  if (isa::ordersItself(platform.arch, Pipe(pipe)))
    state.known[pipe] = state.index;
  Epoch epoch{++state.index, instr.loc};
  if (together.places)
    (*together.places)[size_t(&instr - block.calls.data())] = {uint8_t(pipe), state.index, state.others};
  if (together.onlyPlaces)
    return;
  WriteKind kind = writeKindOf(instr, mode);
  effects.clear();
  effectsOf(instr, platform.arch, effects);
  hazards.clear();
  for (const Effect &effect : effects) {
    if (effect.memory == Memory::GM && effect.access == Access::Read && !mayBeWritten(effect))
      continue;
    if (isDirect(instr) && effect.access == Access::Write) {
      handOver(instr, effect);
      continue;
    }
    for (int64_t i = 0; i < effect.count; ++i) {
      int64_t begin = effect.start + i * effect.stride;
      if (effect.access == Access::Read && instr.info().family == Family::LoadL0)
        readFractals(pipe, epoch, kind, effect.memory, begin, begin + effect.length);
      else if (effect.access == Access::Read)
        read(pipe, epoch, kind, effect.memory, begin, begin + effect.length);
      else
        write(pipe, epoch, kind, effect.memory, begin, begin + effect.length);
    }
  }
  if (added)
    return addOrder(pipe, size_t(&instr - block.calls.data()));
  for (const Hazard &hazard : hazards)
    report(pipe, hazard, instr);
}

void OrderChecker::handOver(const Instr &instr, const Effect &effect) {
  if (together.clocks)
    together.clocks->cores.eachTarget(together.core, instr, [&](size_t target) {
      ByteSet &received = together.clocks->received[{target, effect.memory}];
      for (int64_t i = 0; i < effect.count; ++i)
        received.add(effect.start + i * effect.stride, effect.start + i * effect.stride + effect.length);
    });
}

void OrderChecker::addOrder(unsigned pipe, size_t call) {
  PipeState &state = pipes[pipe];
  std::array<bool, numOrderedPipes> with = {};
  for (const Hazard &hazard : hazards)
    if (hazard.kind != HazardKind::Uninitialised && hazard.memory == Memory::UB)
      with[hazard.other] = true;
  if (pipe == V && with[V]) {
    added->push_back({call, Pipe::V, Pipe::V});
    state.known[V] = state.index - 1;
  }
  for (unsigned other = 0; other < numOrderedPipes; ++other) {
    bool scalar = other == S && isOfVectorCore(pipe);
    if (!with[other] || (!scalar && !(pipe == S && isOfVectorCore(other))))
      continue;
    added->push_back({call, Pipe(other), Pipe(pipe)});
    Clock clock = pipes[other].known;
    clock[other] = pipes[other].index;
    join(state.known, clock);
  }
}

void OrderChecker::readFractals(unsigned pipe, Epoch epoch, WriteKind kind, Memory memory, int64_t begin, int64_t end) {
  constexpr int64_t fractal = isa::fractalBytes;
  for (; begin < end; begin += fractal) {
    int64_t unwritten = 0;
    read(pipe, epoch, kind, memory, begin, std::min(begin + fractal, end), &unwritten);
    if (unwritten >= std::min(fractal, end - begin))
      add(HazardKind::Uninitialised, memory, 0, Epoch{}, begin, std::min(begin + fractal, end));
  }
}

void OrderChecker::read(unsigned pipe, Epoch epoch, WriteKind kind, Memory memory, int64_t begin, int64_t end,
                        int64_t *unwritten) {
  // A scalar read is over when the scalar unit goes on, so nothing issued later can disturb it.
  Epoch recorded = pipe == S ? Epoch{} : epoch;
  maps[unsigned(memory)].read(begin, end, pipe, recorded, [&](const Cell *cell, int64_t low, int64_t high) {
    if (!cell || !cell->write.index) {
      eachUnwritten(memory, low, high, [&](int64_t first, int64_t last) {
        if (unwritten)
          *unwritten += last - first;
        else if (memory != Memory::GM)
          add(HazardKind::Uninitialised, memory, 0, Epoch{}, first, last);
      });
      return;
    }
    if (!ordered(pipe, epoch, cell->writer, cell->write) &&
        !(cell->writer == pipe && followFreely(WriteKind(cell->kind), kind)))
      add(HazardKind::ReadAfterWrite, memory, cell->writer, cell->write, low, high);
  });
}

void OrderChecker::write(unsigned pipe, Epoch epoch, WriteKind kind, Memory memory, int64_t begin, int64_t end) {
  maps[unsigned(memory)].write(
      begin, end, pipe, epoch, uint8_t(kind), [&](const Cell *cell, int64_t low, int64_t high) {
        bool free = cell->writer == pipe && followFreely(WriteKind(cell->kind), kind), disturbs = false;
        for (unsigned other = 0; other < numOrderedPipes; ++other)
          if (!ordered(pipe, epoch, other, cell->reads[other]) && !(other == pipe && free)) {
            add(HazardKind::WriteAfterRead, memory, uint8_t(other), cell->reads[other], low, high);
            disturbs = true;
          }
        // Waiting for the reads would also wait for the write they read: one finding is enough.
        if (!disturbs && !free && !ordered(pipe, epoch, cell->writer, cell->write))
          add(HazardKind::WriteAfterWrite, memory, cell->writer, cell->write, low, high);
      });
}

void OrderChecker::add(HazardKind kind, Memory memory, uint8_t other, Epoch epoch, int64_t begin, int64_t end) {
  for (Hazard &hazard : hazards)
    if (hazard.kind == kind && hazard.memory == memory && hazard.other == other && hazard.epoch.index == epoch.index) {
      hazard.begin = std::min(hazard.begin, begin);
      hazard.end = std::max(hazard.end, end);
      return;
    }
  hazards.push_back({kind, memory, other, epoch, begin, end});
}

void OrderChecker::report(unsigned pipe, const Hazard &hazard, const Instr &at) {
  uint32_t loc = at.loc;
  std::string bytes = names.bytes(hazard.memory, hazard.begin, hazard.end, at.dtype);
  if (hazard.kind == HazardKind::Uninitialised) {
    report(FindingId::uninitialised(hazard.memory), name(pipe) + " reads " + bytes + ", which nothing has written", loc,
           0);
    return;
  }
  bool reads = hazard.kind == HazardKind::ReadAfterWrite, after = hazard.kind == HazardKind::WriteAfterRead;
  FindingKind id = reads ? FindingKind::OrderRaw : after ? FindingKind::OrderWar : FindingKind::OrderWaw;
  std::string missing = hazard.other == pipe ? "no barrier of " + name(pipe) + " between them" : "no flag between them";
  report(id,
         name(pipe) + (reads ? " reads " : " writes ") + bytes + " while " + name(hazard.other) + " may still be " +
             (after ? "reading" : "writing") + " it: " + missing,
         loc, hazard.epoch.loc);
}

} // namespace tilesmith::machine
