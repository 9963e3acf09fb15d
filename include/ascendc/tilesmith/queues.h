// TPipe, TQue, TQueBind, TBuf: handles of what the Machine keeps (lib/Machine/Queues.h says what they do there).
#ifndef TILESMITH_ASCENDC_QUEUES_H
#define TILESMITH_ASCENDC_QUEUES_H

#include "tilesmith/sync.h"

namespace AscendC {

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0> class TQueBind {
public:
  template <typename T> LocalTensor<T> AllocTensor(tilesmith::Where where = tilesmith::Where::here()) {
    return tensor<T>(tilesmith::api->queue_alloc(tilesmith::core, where.loc(), handle), src);
  }
  template <typename T> void AllocTensor(LocalTensor<T> &out, tilesmith::Where where = tilesmith::Where::here()) {
    out = AllocTensor<T>(where);
  }
  template <typename T> bool EnQue(const LocalTensor<T> &tensor, tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::api->queue_push(tilesmith::core, where.loc(), handle, tensor.tsAddress(), -1, -1);
    return true;
  }
  template <TPosition from, TPosition to, typename T>
  bool EnQue(const LocalTensor<T> &tensor, tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::api->queue_push(tilesmith::core, where.loc(), handle, tensor.tsAddress(), int64_t(from), int64_t(to));
    return true;
  }
  template <typename T> LocalTensor<T> DeQue(tilesmith::Where where = tilesmith::Where::here()) {
    return tensor<T>(tilesmith::api->queue_pop(tilesmith::core, where.loc(), handle, -1, -1), dst);
  }
  template <typename T> void DeQue(LocalTensor<T> &out, tilesmith::Where where = tilesmith::Where::here()) {
    out = DeQue<T>(where);
  }
  template <TPosition from, TPosition to, typename T>
  LocalTensor<T> DeQue(tilesmith::Where where = tilesmith::Where::here()) {
    return tensor<T>(tilesmith::api->queue_pop(tilesmith::core, where.loc(), handle, int64_t(from), int64_t(to)), dst);
  }
  template <typename T>
  void FreeTensor(const LocalTensor<T> &tensor, tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::api->queue_free(tilesmith::core, where.loc(), handle, tensor.tsAddress());
  }
  void FreeAllEvent() {}
  bool VacantInQue() const { return tilesmith::api->queue_idle(tilesmith::core, handle) > 0; }
  bool HasIdleBuffer() const { return VacantInQue(); }
  bool HasTensorInQue() const { return GetTensorCountInQue() > 0; }
  int32_t GetTensorCountInQue() const { return int32_t(tilesmith::api->queue_filled(tilesmith::core, handle)); }

  bool tsInit(int64_t buffers, int64_t bytes, tilesmith::Where where) {
    handle = tilesmith::api->queue_init(tilesmith::core, where.loc(), int64_t(src), int64_t(dst), buffers, bytes);
    return handle != 0;
  }

private:
  template <typename T> LocalTensor<T> tensor(int64_t address, TPosition position) const {
    return LocalTensor<T>::tsAt(
        address, uint32_t(tilesmith::api->queue_bytes(tilesmith::core, handle) / int64_t(sizeof(T))), position);
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
    address = tilesmith::api->buffer_init(tilesmith::core, where.loc(), int64_t(pos), length);
    bytes = uint64_t(length < 0 ? 0 : length);
    return address != 0;
  }

private:
  int64_t address = tilesmith::addressOf(tilesmith::memoryOf(pos), 0);
  uint64_t bytes = 0;
};

class TPipe;
} // namespace AscendC

namespace tilesmith {
inline thread_local AscendC::TPipe *currentPipe TILESMITH_HIDDEN = nullptr;
}

namespace AscendC {

class TPipe {
public:
  explicit TPipe(tilesmith::Where where = tilesmith::Where::here()) : place(where) { Init(where); }
  TPipe(const TPipe &) = delete;
  TPipe &operator=(const TPipe &) = delete;
  ~TPipe() { Destroy(place); }

  void Init(tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::api->pipe_init(tilesmith::core, where.loc());
    tilesmith::currentPipe = this;
  }
  void Reset(tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::api->pipe_destroy(tilesmith::core, where.loc());
    Init(where);
  }
  void Destroy(tilesmith::Where where = tilesmith::Where::here()) {
    if (tilesmith::currentPipe != this)
      return;
    tilesmith::api->pipe_destroy(tilesmith::core, where.loc());
    tilesmith::currentPipe = nullptr;
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
    return TEventID(tilesmith::api->event_alloc(tilesmith::core, where.loc(), pipes.from, pipes.to));
  }
  template <HardEvent event> void ReleaseEventID(TEventID id, tilesmith::Where where = tilesmith::Where::here()) {
    constexpr tilesmith::PipePair pipes = tilesmith::pipesOf(event);
    tilesmith::api->event_release(tilesmith::core, where.loc(), pipes.from, pipes.to, id);
  }
  TEventID FetchEventID(HardEvent event, tilesmith::Where where = tilesmith::Where::here()) {
    tilesmith::PipePair pipes = tilesmith::pipesOf(event);
    return TEventID(tilesmith::api->event_fetch(tilesmith::core, where.loc(), pipes.from, pipes.to));
  }
  template <HardEvent event> TEventID FetchEventID(tilesmith::Where where = tilesmith::Where::here()) {
    return FetchEventID(event, where);
  }

  template <typename Pool> bool InitBufPool(Pool &, uint32_t) {
    static_assert(tilesmith::alwaysFalse<Pool>, "TBufPool is not in the model yet; use queues and TBuf of the TPipe");
    return false;
  }

private:
  tilesmith::Where place;
};

inline TPipe *GetTPipePtr() { return tilesmith::currentPipe; }

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
