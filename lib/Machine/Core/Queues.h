// TPipe, TQue, TBuf and events of one core.
//
// A queue owns buffers and moves tensors from the pipe that fills them to the pipe that uses them. Every buffer has two
// flags: one its producer raises when the tensor is enqueued, one its consumer raises when it is freed. EnQue, DeQue,
// FreeTensor and AllocTensor issue the set_flag and wait_flag calls of these flags, so the order checker, late mode and
// time see what the chip would see. A flag id belongs to its buffer for good: then nobody can raise it again while its
// wait is pending.
//
// What cannot go on (an empty queue is popped, no buffer is free, memory is full) is a finding and ends the block: on
// the chip the core would hang or write where it must not.
#ifndef TILESMITH_LIB_MACHINE_CORE_QUEUES_H
#define TILESMITH_LIB_MACHINE_CORE_QUEUES_H

#include "tilesmith/Machine/Finding.h"
#include "tilesmith/Machine/Instr.h"
#include <array>
#include <deque>
#include <string>
#include <vector>

struct TsCore;

namespace tilesmith::machine {

// As AscendC::TPosition numbers them.
enum class Position : uint8_t { GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC };

class Queues {
public:
  void reset();
  bool used() const { return !buffers.empty() || !plain.empty(); }

  void init(TsCore &core, int64_t loc);
  void destroy(TsCore &core, int64_t loc);
  // Ends the queues whose buffers lie in these bytes: their flags are lowered and free again.
  void destroy(TsCore &core, int64_t loc, Memory memory, int64_t begin, int64_t end);
  // Between `begin` and `end` when they are given, else where the memory has nothing yet.
  int64_t makeQueue(TsCore &core, int64_t loc, int64_t from, int64_t to, int64_t count, int64_t bytes,
                    int64_t begin = -1, int64_t end = -1);
  int64_t makeBuffer(TsCore &core, int64_t loc, int64_t position, int64_t bytes);
  int64_t allocEvent(TsCore &core, int64_t loc, int64_t from, int64_t to, bool keep);
  void releaseEvent(int64_t from, int64_t to, int64_t id);

  int64_t alloc(TsCore &core, int64_t loc, int64_t queue);
  void push(TsCore &core, int64_t loc, int64_t queue, int64_t address, int64_t from, int64_t to);
  int64_t pop(TsCore &core, int64_t loc, int64_t queue, int64_t from, int64_t to);
  void free(TsCore &core, int64_t loc, int64_t queue, int64_t address);

  int64_t bytes(int64_t queue) const;
  int64_t filled(int64_t queue) const;
  int64_t idle(int64_t queue) const;

  // The buffer the bytes lie in when it has been given back (FreeTensor) or was never given out; -1: none.
  int64_t idleBufferAt(Memory memory, int64_t begin, int64_t end) const;
  // Bytes of a memory that buffers have, from its start.
  int64_t givenOut(Memory memory) const { return used_[unsigned(memory)]; }
  // Bytes from `begin` to the end of the buffer of a queue or TBuf it lies in; -1: it lies in none.
  int64_t bytesLeftAt(Memory memory, int64_t begin) const;
  uint32_t freedAt(int64_t buffer) const { return uint32_t(buffers[size_t(buffer)].freed); }

private:
  enum class State : uint8_t { Idle, Given, Filled, Taken };
  struct Buffer {
    Memory memory;
    int64_t start = 0, bytes = 0;
    State state = State::Idle;
    int64_t fullId = -1, emptyId = -1; // flags; -1: producer and consumer are one pipe
    Pipe emptyFrom = Pipe::S, emptyTo = Pipe::S;
    Pipe passFrom = Pipe::S, passTo = Pipe::S; // of the tensor in the queue
    int64_t passId = -1;
    struct Pass {
      Pipe from, to;
      int64_t id;
    };
    std::vector<Pass> others; // flags between other pipes than the queue's own, taken when first needed
    bool emptyRaised = false;
    int64_t freed = 0; // location of FreeTensor
  };
  struct Queue {
    Position from = Position::VECIN, to = Position::VECIN;
    std::vector<size_t> buffers;
    std::deque<size_t> waiting;
    size_t next = 0;
  };

  Queue *find(TsCore &core, int64_t loc, int64_t queue, const char *what);
  int64_t flagOf(TsCore &core, int64_t loc, Buffer &buffer, Pipe producer, Pipe consumer);
  Buffer *bufferOf(Queue &queue, int64_t address, State state);
  void lower(TsCore &core, int64_t loc, Buffer &buffer);
  int64_t place(TsCore &core, int64_t loc, Memory memory, int64_t bytes, const char *what);
  void flag(TsCore &core, int64_t loc, Opcode op, Pipe from, Pipe to, int64_t id);
  void order(TsCore &core, int64_t loc, Pipe pipe);
  void fail(TsCore &core, int64_t loc, FindingKind id, std::string text);

  std::vector<Queue> queues;
  std::vector<Buffer> buffers;
  struct Plain {
    Memory memory;
    int64_t start, end;
  };
  std::vector<Plain> plain;                        // of TBuf
  std::array<int64_t, isa::numMemory> used_ = {};  // bytes given out, from the start of each memory
  uint8_t events[isa::numPipe][isa::numPipe] = {}; // ids in use
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_QUEUES_H
