// TPipe, TQue, TQueBind, TBuf: handles of what the Machine keeps (lib/Machine/Core/Queues.h says what they do there).
#ifndef TILESMITH_ASCENDC_QUEUES_H
#define TILESMITH_ASCENDC_QUEUES_H

#include "tilesmith/sync.h"

namespace AscendC {

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0> class TQueBind {
public:
  template <typename T> LocalTensor<T> AllocTensor(tilesmith::Where where = tilesmith::Where::here()) {
    return tensor<T>(tilesmith::api->tsm_queue_alloc(tilesmith::core, where.loc(), handle), src);
  }
  template <typename T> void AllocTensor(LocalTensor<T> &out, tilesmith::Where where = tilesmith::Where::here()) {
    out = AllocTensor<T>(where);
  }
  template <typename T> bool EnQue(const LocalTensor<T> &tensor, tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::api->tsm_queue_push(tilesmith::core, where.loc(), handle, tensor.tsAddress(), -1, -1);
    return true;
  }
  template <TPosition from, TPosition to, typename T>
  bool EnQue(const LocalTensor<T> &tensor, tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::api->tsm_queue_push(tilesmith::core, where.loc(), handle, tensor.tsAddress(), int64_t(from),
                                   int64_t(to));
    return true;
  }
  template <typename T> LocalTensor<T> DeQue(tilesmith::Where where = tilesmith::Where::here()) {
    return tensor<T>(tilesmith::api->tsm_queue_pop(tilesmith::core, where.loc(), handle, -1, -1), dst);
  }
  template <typename T> void DeQue(LocalTensor<T> &out, tilesmith::Where where = tilesmith::Where::here()) {
    out = DeQue<T>(where);
  }
  template <TPosition from, TPosition to, typename T>
  LocalTensor<T> DeQue(tilesmith::Where where = tilesmith::Where::here()) {
    return tensor<T>(tilesmith::api->tsm_queue_pop(tilesmith::core, where.loc(), handle, int64_t(from), int64_t(to)),
                     dst);
  }
  template <typename T>
  void FreeTensor(const LocalTensor<T> &tensor, tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::api->tsm_queue_free(tilesmith::core, where.loc(), handle, tensor.tsAddress());
  }
  void FreeAllEvent() {}
  bool VacantInQue() const { return tilesmith::api->tsm_queue_idle(tilesmith::core, handle) > 0; }
  bool HasIdleBuffer() const { return VacantInQue(); }
  bool HasTensorInQue() const { return GetTensorCountInQue() > 0; }
  int32_t GetTensorCountInQue() const { return int32_t(tilesmith::api->tsm_queue_filled(tilesmith::core, handle)); }

  bool tsInit(int64_t buffers, int64_t bytes, tilesmith::Where where) {
    handle = tilesmith::api->tsm_queue_init(tilesmith::core, where.loc(), int64_t(src), int64_t(dst), buffers, bytes);
    return handle != 0;
  }
  bool tsInitAt(int64_t begin, int64_t end, int64_t buffers, int64_t bytes, tilesmith::Where where) {
    handle = tilesmith::api->tsm_queue_init_at(tilesmith::core, where.loc(), int64_t(src), int64_t(dst), buffers, bytes,
                                               begin, end);
    return handle != 0;
  }

private:
  template <typename T> LocalTensor<T> tensor(int64_t address, TPosition position) const {
    return LocalTensor<T>::tsAt(
        address, uint32_t(tilesmith::api->tsm_queue_bytes(tilesmith::core, handle) / int64_t(sizeof(T))), position);
  }

  int64_t handle = 0;
};

template <TPosition pos, int32_t depth, auto mask = 0> class TQue : public TQueBind<pos, pos, depth, mask> {};

template <TPosition pos = TPosition::LCM> class TBuf {
public:
  template <typename T> LocalTensor<T> Get(uint32_t length) const { return LocalTensor<T>::tsAt(address, length, pos); }
  template <typename T> LocalTensor<T> Get() const { return Get<T>(uint32_t(bytes / sizeof(T))); }
  template <typename T> LocalTensor<T> GetWithOffset(uint32_t size, uint32_t offset) const {
    return LocalTensor<T>::tsAt(address + int64_t(offset), size, pos);
  }
  // Names TQue has, for code that takes either.
  template <typename T> LocalTensor<T> AllocTensor() const { return Get<T>(); }
  template <typename T> void FreeTensor(const LocalTensor<T> &) const {}

  bool tsInit(int64_t length, tilesmith::Where where) {
    address = tilesmith::api->tsm_buffer_init(tilesmith::core, where.loc(), int64_t(pos), length);
    bytes = uint64_t(length < 0 ? 0 : length);
    return address != 0;
  }
  bool tsInitAt(int64_t at, int64_t length) {
    address = at;
    bytes = uint64_t(length);
    return true;
  }

private:
  int64_t address = tilesmith::addressOf(tilesmith::memoryOf(pos), 0);
  uint64_t bytes = 0;
};

class TPipe {
public:
  explicit TPipe(tilesmith::Where where = tilesmith::Where::here()) : place(where) { Init(where); }
  TPipe(const TPipe &) = delete;
  TPipe &operator=(const TPipe &) = delete;
  ~TPipe() { Destroy(place); }

  void Init(tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::api->tsm_pipe_init(tilesmith::core, where.loc(), tsObject());
  }
  void Reset(tilesmith::Where where = tilesmith::Where::here()) {
    Destroy(where);
    Init(where);
  }
  void Destroy(tilesmith::Where where = tilesmith::Where::here()) {
    if (tilesmith::inKernel)
      tilesmith::api->tsm_pipe_destroy(tilesmith::core, where.loc(), tsObject());
  }

  template <TPosition src, TPosition dst, int32_t depth, auto mask>
  bool InitBuffer(TQueBind<src, dst, depth, mask> &queue, uint8_t num, uint32_t len,
                  tilesmith::Where where = tilesmith::Where::here()) {
    return queue.tsInit(num, len, where);
  }
  template <TPosition pos>
  bool InitBuffer(TBuf<pos> &buffer, uint32_t len, tilesmith::Where where = tilesmith::Where::here()) {
    return buffer.tsInit(len, where);
  }

  template <HardEvent event> TEventID AllocEventID(tilesmith::Where where = tilesmith::Where::here()) {
    constexpr tilesmith::PipePair pipes = tilesmith::pipesOf(event);
    return TEventID(tilesmith::api->tsm_event_alloc(tilesmith::core, where.loc(), pipes.from, pipes.to));
  }
  template <HardEvent event> void ReleaseEventID(TEventID id, tilesmith::Where where = tilesmith::Where::here()) {
    constexpr tilesmith::PipePair pipes = tilesmith::pipesOf(event);
    tilesmith::api->tsm_event_release(tilesmith::core, where.loc(), pipes.from, pipes.to, id);
  }
  TEventID FetchEventID(HardEvent event, tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::PipePair pipes = tilesmith::pipesOf(event);
    return TEventID(tilesmith::api->tsm_event_fetch(tilesmith::core, where.loc(), pipes.from, pipes.to));
  }
  template <HardEvent event> TEventID FetchEventID(tilesmith::Where where = tilesmith::Where::here()) {
    return FetchEventID(event, where);
  }

  template <typename Pool>
  bool InitBufPool(Pool &pool, uint32_t len, tilesmith::Where where = tilesmith::Where::here()) {
    int64_t begin = tilesmith::api->tsm_buffer_init(tilesmith::core, where.loc(), int64_t(Pool::position), len);
    return pool.tsInit(begin, begin ? begin + int64_t(len) : 0);
  }
  // In the place of another pool.
  template <typename Pool, typename Other> bool InitBufPool(Pool &pool, uint32_t len, Other &shared) {
    return pool.tsInit(shared.tsBegin(), shared.tsBegin() + int64_t(len));
  }
  template <typename T> bool InitSpmBuffer(const GlobalTensor<T> &, int32_t) { return true; }
  bool InitSpmBuffer(int32_t) { return true; }
  bool InitShareBufStart(uint32_t, uint32_t *, uint32_t, uint8_t) { return true; }

private:
  int64_t tsObject() const { return int64_t(reinterpret_cast<intptr_t>(this)); }

  tilesmith::Where place;
};

inline TPipe *GetTPipePtr() {
  return reinterpret_cast<TPipe *>(intptr_t(tilesmith::api->tsm_pipe_current(tilesmith::core)));
}

} // namespace AscendC

using AscendC::GetTPipePtr;

namespace AscendC {

// A part of a memory that queues and buffers are made in; Reset ends them and starts again at its beginning.
template <TPosition pos, uint32_t bufIDSize = 4> class TBufPool {
public:
  static constexpr TPosition position = pos;

  template <TPosition src, TPosition dst, int32_t depth, auto mask>
  bool InitBuffer(TQueBind<src, dst, depth, mask> &queue, uint8_t num, uint32_t len,
                  tilesmith::Where where = tilesmith::Where::here()) {
    if (!queue.tsInitAt(head, end, num, len, where))
      return false;
    head += int64_t(num) * ((int64_t(len) + 31) / 32 * 32);
    return true;
  }
  template <TPosition at>
  bool InitBuffer(TBuf<at> &buffer, uint32_t len, tilesmith::Where where = tilesmith::Where::here()) {
    return buffer.tsInitAt(take(len, where), len);
  }
  template <typename Pool>
  bool InitBufPool(Pool &pool, uint32_t len, tilesmith::Where where = tilesmith::Where::here()) {
    int64_t first = take(len, where);
    return pool.tsInit(first, first + int64_t(len));
  }
  template <typename Pool, typename Other> bool InitBufPool(Pool &pool, uint32_t len, Other &shared) {
    return pool.tsInit(shared.tsBegin(), shared.tsBegin() + int64_t(len));
  }
  void Reset(tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::api->tsm_queues_end(tilesmith::core, where.loc(), begin, end);
    head = begin;
  }

  bool tsInit(int64_t first, int64_t last) {
    begin = head = first;
    end = last;
    return begin != 0;
  }
  int64_t tsBegin() const { return begin; }

private:
  int64_t take(int64_t len, tilesmith::Where where) {
    int64_t at = head;
    if (len > end - head)
      tilesmith::fail(where, TS_FINDING_QueueCapacity,
                      "a buffer of a TBufPool does not fit into what the pool has left");
    head += (len + 31) / 32 * 32;
    return at;
  }

  int64_t begin = 0, end = 0, head = 0;
};

// Addresses handed out one after another, without queues.
template <Hardware hardware = Hardware::UB> class LocalMemAllocator {
public:
  template <TPosition pos, typename T, uint32_t size> LocalTensor<T> Alloc() { return Alloc<pos, T>(size); }
  template <TPosition pos, typename T> LocalTensor<T> Alloc(uint32_t size) {
    LocalTensor<T> tensor(pos, head, size);
    head = (head + size * uint32_t(sizeof(T)) + 31) / 32 * 32;
    return tensor;
  }
  template <typename T, uint32_t size> LocalTensor<T> Alloc() { return Alloc<TPosition::VECCALC, T>(size); }
  template <typename T> LocalTensor<T> Alloc(uint32_t size) { return Alloc<TPosition::VECCALC, T>(size); }
  uint32_t GetCurAddr() const { return head; }

private:
  uint32_t head = 0;
};

} // namespace AscendC

#endif
