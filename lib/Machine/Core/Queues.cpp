#include "Queues.h"
#include "CoreImpl.h"
#include "tilesmith/Isa/Chip.h"
#include <optional>

namespace tilesmith::machine {

namespace {

constexpr int64_t numIds = isa::flagIds;
using isa::blockBytes;

std::optional<Position> positionOf(int64_t value) {
  if (value < 0 || value > int64_t(Position::VECCALC))
    return std::nullopt;
  return Position(value);
}

Memory memoryOf(Position position) {
  switch (position) {
  case Position::GM:
    return Memory::GM;
  case Position::A1:
  case Position::B1:
  case Position::C1:
    return Memory::L1;
  case Position::A2:
    return Memory::L0A;
  case Position::B2:
    return Memory::L0B;
  case Position::C2:
    return Memory::BT;
  case Position::CO1:
    return Memory::L0C;
  case Position::CO2:
  case Position::VECIN:
  case Position::VECOUT:
  case Position::VECCALC:
    return Memory::UB;
  }
  return Memory::UB;
}

// The pipe that fills a tensor of this position, and the one that uses it.
Pipe producerOf(Position position) {
  switch (position) {
  case Position::GM:
  case Position::A1:
  case Position::B1:
  case Position::C1:
  case Position::VECIN:
    return Pipe::MTE2;
  case Position::A2:
  case Position::B2:
  case Position::C2:
    return Pipe::MTE1;
  case Position::CO1:
    return Pipe::M;
  case Position::CO2:
    return Pipe::FIX;
  default:
    return Pipe::V;
  }
}

Pipe consumerOf(Position position) {
  switch (position) {
  case Position::A1:
  case Position::B1:
  case Position::C1:
    return Pipe::MTE1;
  case Position::A2:
  case Position::B2:
  case Position::C2:
    return Pipe::M;
  case Position::CO1:
    return Pipe::FIX;
  case Position::CO2:
  case Position::VECOUT:
  case Position::GM:
    return Pipe::MTE3;
  default:
    return Pipe::V;
  }
}

std::string number(int64_t value) { return std::to_string(value); }
std::string name(Memory memory) { return std::string(isa::stringify(memory)); }
std::string name(Pipe pipe) { return std::string(isa::stringify(pipe)); }

bool isPipe(int64_t pipe) { return pipe >= 0 && pipe < int64_t(Pipe::ALL); }

} // namespace

void Queues::reset() {
  queues.clear();
  buffers.clear();
  plain.clear();
  used_ = {};
  for (auto &row : events)
    for (uint8_t &ids : row)
      ids = 0;
}

void Queues::fail(TsCore &core, int64_t loc, FindingKind id, std::string text) {
  core.report(uint32_t(loc), id, std::move(text));
  core.ended = true;
}

void Queues::flag(TsCore &core, int64_t loc, Opcode op, Pipe from, Pipe to, int64_t id) {
  core.issue(op == Opcode::SetFlag ? makeCall<isa::SetFlag>(uint32_t(loc), from, to, id)
                                   : makeCall<isa::WaitFlag>(uint32_t(loc), from, to, id));
}

void Queues::order(TsCore &core, int64_t loc, Pipe pipe) {
  core.issue(makeCall<isa::PipeBarrier>(uint32_t(loc), pipe));
}

void Queues::init(TsCore &core, int64_t loc) { reset(); }

// What FreeTensor raised and no AllocTensor will wait for is lowered, so that no flag leaks into the next kernel.
void Queues::lower(TsCore &core, int64_t loc, Buffer &buffer) {
  if (!buffer.emptyRaised)
    return;
  flag(core, loc, Opcode::WaitFlag, buffer.emptyFrom, buffer.emptyTo, buffer.emptyId);
  buffer.emptyRaised = false;
}

void Queues::destroy(TsCore &core, int64_t loc) {
  for (Buffer &buffer : buffers)
    lower(core, loc, buffer);
  reset();
}

void Queues::destroy(TsCore &core, int64_t loc, Memory memory, int64_t begin, int64_t end) {
  for (Queue &queue : queues) {
    if (queue.buffers.empty() || buffers[queue.buffers[0]].memory != memory ||
        buffers[queue.buffers[0]].start < begin || buffers[queue.buffers[0]].start >= end)
      continue;
    for (size_t i : queue.buffers) {
      Buffer &buffer = buffers[i];
      lower(core, loc, buffer);
      releaseEvent(int64_t(buffer.emptyTo), int64_t(buffer.emptyFrom), buffer.fullId);
      releaseEvent(int64_t(buffer.emptyFrom), int64_t(buffer.emptyTo), buffer.emptyId);
      for (const Buffer::Pass &pass : buffer.others)
        releaseEvent(int64_t(pass.from), int64_t(pass.to), pass.id);
      buffer.bytes = 0; // no address lies in it any more
      buffer.state = State::Taken;
    }
    queue.buffers.clear();
    queue.waiting.clear();
  }
}

int64_t Queues::place(TsCore &core, int64_t loc, Memory memory, int64_t bytes, const char *what) {
  int64_t capacity = core.platform->capacityOf(memory), &taken = used_[unsigned(memory)];
  if (bytes < 0 || bytes > capacity - taken) {
    fail(core, loc, FindingKind::QueueCapacity,
         std::string(what) + " asks for " + number(bytes) + " bytes of " + name(memory) + ", which has " +
             number(capacity - taken) + " of " + number(capacity) + " left");
    return -1;
  }
  int64_t start = taken;
  taken += (bytes + blockBytes - 1) / blockBytes * blockBytes;
  return start;
}

int64_t Queues::makeQueue(TsCore &core, int64_t loc, int64_t from, int64_t to, int64_t count, int64_t bytes,
                          int64_t begin, int64_t end) {
  if (core.ended)
    return 0;
  auto source = positionOf(from), target = positionOf(to);
  if (!source || !target || *source == Position::GM) {
    fail(core, loc, FindingKind::QueuePosition,
         "a queue from position " + number(from) + " to position " + number(to) + " does not exist");
    return 0;
  }
  if (count < 1 || count > 64 || bytes <= 0) {
    fail(core, loc, FindingKind::QueueSize,
         "InitBuffer of a queue with " + number(count) + " buffers of " + number(bytes) +
             " bytes; it takes 1 to 64 buffers of at least one byte");
    return 0;
  }
  Memory memory = memoryOf(*source);
  int64_t rounded = (bytes + blockBytes - 1) / blockBytes * blockBytes;
  int64_t start = begin;
  if (begin < 0) {
    start = place(core, loc, memory, bytes > (int64_t(1) << 40) ? bytes : rounded * count, "InitBuffer");
  } else if (bytes > (int64_t(1) << 40) || rounded * count > end - begin) {
    fail(core, loc, FindingKind::QueueCapacity,
         "InitBuffer asks for " + number(count) + " x " + number(rounded) + " bytes of a pool that has " +
             number(end - begin) + " left");
    return 0;
  }
  if (start < 0)
    return 0;
  Pipe producer = producerOf(*source), consumer = consumerOf(*target);
  Queue queue{*source, *target, {}, {}, 0};
  for (int64_t i = 0; i < count; ++i) {
    Buffer buffer;
    buffer.memory = memory;
    buffer.start = start + i * rounded;
    buffer.bytes = rounded;
    buffer.emptyTo = producer;
    buffer.emptyFrom = consumer;
    if (producer != consumer) {
      buffer.fullId = allocEvent(core, loc, int64_t(producer), int64_t(consumer), true);
      buffer.emptyId = allocEvent(core, loc, int64_t(consumer), int64_t(producer), true);
      if (buffer.fullId < 0 || buffer.emptyId < 0)
        return 0;
    }
    queue.buffers.push_back(buffers.size());
    buffers.push_back(buffer);
  }
  queues.push_back(std::move(queue));
  return int64_t(queues.size());
}

int64_t Queues::makeBuffer(TsCore &core, int64_t loc, int64_t position, int64_t bytes) {
  if (core.ended)
    return 0;
  auto where = positionOf(position);
  if (!where || *where == Position::GM) {
    fail(core, loc, FindingKind::QueuePosition, "a buffer at position " + number(position) + " does not exist");
    return 0;
  }
  int64_t start = place(core, loc, memoryOf(*where), bytes, "InitBuffer");
  if (start < 0)
    return 0;
  plain.push_back({memoryOf(*where), start, start + (bytes + blockBytes - 1) / blockBytes * blockBytes});
  return Address(memoryOf(*where), start).bits;
}

int64_t Queues::allocEvent(TsCore &core, int64_t loc, int64_t from, int64_t to, bool keep) {
  if (core.ended)
    return 0;
  if (!isPipe(from) || !isPipe(to)) {
    fail(core, loc, FindingKind::QueueEvents, "no event goes from pipe " + number(from) + " to pipe " + number(to));
    return -1;
  }
  uint8_t &ids = events[from][to];
  for (int64_t id = 0; id < numIds; ++id)
    if (!(ids >> id & 1)) {
      if (keep)
        ids |= uint8_t(1u << id);
      return id;
    }
  fail(core, loc, FindingKind::QueueEvents,
       "all " + number(numIds) + " events from " + name(Pipe(from)) + " to " + name(Pipe(to)) +
           " are in use: each buffer of a queue takes one, and each AllocEventID");
  return -1;
}

void Queues::releaseEvent(int64_t from, int64_t to, int64_t id) {
  if (isPipe(from) && isPipe(to) && id >= 0 && id < numIds)
    events[from][to] &= uint8_t(~(1u << id));
}

Queues::Queue *Queues::find(TsCore &core, int64_t loc, int64_t queue, const char *what) {
  if (core.ended)
    return nullptr;
  if (queue >= 1 && queue <= int64_t(queues.size()) && !queues[size_t(queue - 1)].buffers.empty())
    return &queues[size_t(queue - 1)];
  fail(core, loc, FindingKind::QueueUninitialised,
       std::string(what) + " on a queue that has no buffers: InitBuffer was not called for it");
  return nullptr;
}

Queues::Buffer *Queues::bufferOf(Queue &queue, int64_t address, State state) {
  Address at(address);
  for (size_t i : queue.buffers) {
    Buffer &buffer = buffers[i];
    if (at.memory() == buffer.memory && at.offset() >= buffer.start && at.offset() < buffer.start + buffer.bytes &&
        buffer.state == state)
      return &buffer;
  }
  return nullptr;
}

int64_t Queues::alloc(TsCore &core, int64_t loc, int64_t handle) {
  Queue *queue = find(core, loc, handle, "AllocTensor");
  if (!queue)
    return 0;
  size_t count = queue->buffers.size();
  for (size_t i = 0; i < count; ++i) {
    size_t at = (queue->next + i) % count;
    Buffer &buffer = buffers[queue->buffers[at]];
    if (buffer.state != State::Idle)
      continue;
    queue->next = (at + 1) % count;
    if (buffer.emptyRaised) {
      flag(core, loc, Opcode::WaitFlag, buffer.emptyFrom, buffer.emptyTo, buffer.emptyId);
      buffer.emptyRaised = false;
    }
    buffer.state = State::Given;
    return Address(buffer.memory, buffer.start).bits;
  }
  fail(core, loc, FindingKind::QueueNoBuffer,
       "AllocTensor finds none of the queue's " + number(int64_t(count)) +
           " buffers free: a FreeTensor is missing before it");
  return 0;
}

// The flag a buffer is passed on with, its own for good.
int64_t Queues::flagOf(TsCore &core, int64_t loc, Buffer &buffer, Pipe producer, Pipe consumer) {
  if (producer == buffer.emptyTo && consumer == buffer.emptyFrom)
    return buffer.fullId;
  for (const Buffer::Pass &pass : buffer.others)
    if (pass.from == producer && pass.to == consumer)
      return pass.id;
  int64_t id = allocEvent(core, loc, int64_t(producer), int64_t(consumer), true);
  if (!core.ended)
    buffer.others.push_back({producer, consumer, id});
  return id;
}

void Queues::push(TsCore &core, int64_t loc, int64_t handle, int64_t address, int64_t from, int64_t to) {
  Queue *queue = find(core, loc, handle, "EnQue");
  if (!queue)
    return;
  Buffer *buffer = bufferOf(*queue, address, State::Given);
  if (!buffer) // a tensor that was dequeued may be enqueued again
    buffer = bufferOf(*queue, address, State::Taken);
  if (!buffer)
    return fail(core, loc, FindingKind::QueueForeign,
                "EnQue of a tensor this queue did not give out by AllocTensor, or that it already holds");
  Position source = positionOf(from).value_or(queue->from), target = positionOf(to).value_or(queue->to);
  Pipe producer = producerOf(source), consumer = consumerOf(target);
  int64_t id = producer == consumer ? -1 : flagOf(core, loc, *buffer, producer, consumer);
  if (core.ended)
    return;
  buffer->passFrom = producer;
  buffer->passTo = consumer;
  buffer->passId = id;
  if (id >= 0)
    flag(core, loc, Opcode::SetFlag, producer, consumer, id);
  buffer->state = State::Filled;
  queue->waiting.push_back(size_t(buffer - buffers.data()));
}

int64_t Queues::pop(TsCore &core, int64_t loc, int64_t handle, int64_t from, int64_t to) {
  Queue *queue = find(core, loc, handle, "DeQue");
  if (!queue)
    return 0;
  if (queue->waiting.empty()) {
    fail(core, loc, FindingKind::QueueEmpty, "DeQue finds the queue empty: an EnQue is missing before it");
    return 0;
  }
  Buffer &buffer = buffers[queue->waiting.front()];
  queue->waiting.pop_front();
  if (buffer.passId < 0)
    order(core, loc, buffer.passTo);
  else
    flag(core, loc, Opcode::WaitFlag, buffer.passFrom, buffer.passTo, buffer.passId);
  buffer.state = State::Taken;
  return Address(buffer.memory, buffer.start).bits;
}

void Queues::free(TsCore &core, int64_t loc, int64_t handle, int64_t address) {
  Queue *queue = find(core, loc, handle, "FreeTensor");
  if (!queue)
    return;
  Buffer *buffer = bufferOf(*queue, address, State::Taken);
  if (!buffer) // given out and never enqueued
    buffer = bufferOf(*queue, address, State::Given);
  if (!buffer)
    return fail(core, loc, FindingKind::QueueForeign,
                "FreeTensor of a tensor this queue did not give out, or that was freed before");
  if (buffer->emptyId >= 0 && !buffer->emptyRaised) {
    flag(core, loc, Opcode::SetFlag, buffer->emptyFrom, buffer->emptyTo, buffer->emptyId);
    buffer->emptyRaised = true;
  }
  buffer->state = State::Idle;
  buffer->freed = loc;
}

int64_t Queues::bytes(int64_t queue) const {
  return queue >= 1 && queue <= int64_t(queues.size()) && !queues[size_t(queue - 1)].buffers.empty()
             ? buffers[queues[size_t(queue - 1)].buffers[0]].bytes
             : 0;
}

int64_t Queues::filled(int64_t queue) const {
  return queue >= 1 && queue <= int64_t(queues.size()) ? int64_t(queues[size_t(queue - 1)].waiting.size()) : 0;
}

int64_t Queues::idle(int64_t queue) const {
  int64_t count = 0;
  if (queue >= 1 && queue <= int64_t(queues.size()))
    for (size_t i : queues[size_t(queue - 1)].buffers)
      count += buffers[i].state == State::Idle;
  return count;
}

int64_t Queues::bytesLeftAt(Memory memory, int64_t begin) const {
  for (const Buffer &buffer : buffers) // those of a pool lie in a plain one
    if (buffer.memory == memory && begin >= buffer.start && begin < buffer.start + buffer.bytes)
      return buffer.start + buffer.bytes - begin;
  for (const Plain &buffer : plain)
    if (buffer.memory == memory && begin >= buffer.start && begin < buffer.end)
      return buffer.end - begin;
  return -1;
}

int64_t Queues::idleBufferAt(Memory memory, int64_t begin, int64_t end) const {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Buffer &buffer = buffers[i];
    if (buffer.state == State::Idle && buffer.memory == memory && begin < buffer.start + buffer.bytes &&
        end > buffer.start)
      return int64_t(i);
  }
  return -1;
}

} // namespace tilesmith::machine
