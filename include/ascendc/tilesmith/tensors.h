// GlobalTensor and LocalTensor: an address of the Machine and a number of elements. Data is only moved by instructions.
#ifndef TILESMITH_ASCENDC_TENSORS_H
#define TILESMITH_ASCENDC_TENSORS_H

#include "tilesmith/masks.h"

namespace tilesmith {

// What tensor(i) is: a view from there on, and one element, read where a value is wanted and written where one is
// assigned.
template <typename Tensor> class Element : public Tensor {
public:
  using T = typename Tensor::PrimType;

  explicit Element(const Tensor &at, Where where) : Tensor(at), where(where) {}
  operator T() const { return this->GetValue(0, where); }
  Element &operator=(const T &value) {
    this->SetValue(0, value, where);
    return *this;
  }
  Element &operator=(const Element &other) { return *this = T(other); }

private:
  Where where;
};

} // namespace tilesmith

namespace AscendC {

struct ShapeInfo {
  uint8_t shapeDim = 0, originalShapeDim = 0;
  uint32_t shape[8] = {}, originalShape[8] = {};
  DataFormat dataFormat = DataFormat::ND;
  ShapeInfo() = default;
  ShapeInfo(uint8_t dims, const uint32_t sizes[], uint8_t originalDims, const uint32_t originals[], DataFormat format)
      : ShapeInfo(dims, sizes, format) {
    originalShapeDim = originalDims;
    for (int i = 0; i < originalDims && i < 8; ++i)
      originalShape[i] = originals[i];
  }
  ShapeInfo(uint8_t dims, const uint32_t sizes[], DataFormat format = DataFormat::ND)
      : shapeDim(dims), dataFormat(format) {
    for (int i = 0; i < dims && i < 8; ++i)
      shape[i] = originalShape[i] = sizes[i];
  }
};

inline int32_t GetShapeSize(const ShapeInfo &info) {
  int32_t size = 1;
  for (int i = 0; i < info.shapeDim && i < 8; ++i)
    size *= int32_t(info.shape[i]);
  return size;
}

template <typename T> class GlobalTensor {
public:
  using PrimType = T;

  void SetGlobalBuffer(__gm__ T *buffer, uint64_t bufferSize = 0) {
    address = buffer;
    size = bufferSize;
  }
  GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor view = *this;
    view.address = reinterpret_cast<T *>(reinterpret_cast<uintptr_t>(address) + offset * sizeof(T));
    return view;
  }
  tilesmith::Element<GlobalTensor> operator()(uint64_t offset,
                                              tilesmith::Where where = tilesmith::Where::here()) const {
    return tilesmith::Element<GlobalTensor>((*this)[offset], where);
  }
  const __gm__ T *GetPhyAddr() const { return address; }
  __gm__ T *GetPhyAddr(uint64_t offset) const { return (*this)[offset].address; }
  uint64_t GetSize() const { return size; }
  template <typename U> GlobalTensor<U> ReinterpretCast() const {
    GlobalTensor<U> view;
    view.SetGlobalBuffer(reinterpret_cast<U *>(address), size * sizeof(T) / sizeof(U));
    return view;
  }
  void SetShapeInfo(const ShapeInfo &info) { shapeInfo = info; }
  ShapeInfo GetShapeInfo() const { return shapeInfo; }
  // How copies from (READ) and to (WRITE) this tensor use L2.
  template <CacheRwMode mode = CacheRwMode::RW> void SetL2CacheHint(CacheMode hint) {
    int64_t code = hint == CacheMode::CACHE_MODE_DISABLE      ? 1
                   : hint == CacheMode::CACHE_MODE_LAST       ? 2
                   : hint == CacheMode::CACHE_MODE_PERSISTENT ? 3
                                                              : 0;
    for (CacheRwMode way : {CacheRwMode::READ, CacheRwMode::WRITE})
      if (int(mode) & int(way)) {
        int shift = tilesmith::hintShift + (way == CacheRwMode::WRITE ? 2 : 0);
        hints = int64_t((uint64_t(hints) & ~(uint64_t(3) << shift)) | uint64_t(code) << shift);
      }
  }

  T GetValue(uint64_t offset, tilesmith::Where where = tilesmith::Where::here()) const {
    return tilesmith::fromBits<T>(tilesmith::api->tsm_get_value(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(),
                                                                (*this)[offset].tsAddress()));
  }
  void SetValue(uint64_t offset, T value, tilesmith::Where where = tilesmith::Where::here()) const {
    tilesmith::api->tsm_set_value(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), (*this)[offset].tsAddress(),
                                  tilesmith::bitsOf<T>(value));
  }

  // A device address, and the hints above it; no argument lies where bits of another memory would be.
  int64_t tsAddress() const { return tilesmith::offsetOf(int64_t(reinterpret_cast<uintptr_t>(address))) | hints; }

private:
  T *address = nullptr;
  uint64_t size = 0;
  int64_t hints = 0; // for L2, where addresses carry them
  ShapeInfo shapeInfo;
};

template <typename T> class LocalTensor {
public:
  using PrimType = T;

  LocalTensor() = default;
  LocalTensor(TPosition position, uint32_t addr, uint32_t tileSize)
      : address(tilesmith::addressOf(tilesmith::memoryOf(position), addr)), size(tileSize), position(position) {}
  explicit LocalTensor(uint32_t addr)
      : address(tilesmith::addressOf(tilesmith::Memory::UB, addr)), position(TPosition::VECIN) {}

  static LocalTensor tsAt(int64_t address, uint32_t size, TPosition position) {
    LocalTensor tensor;
    tensor.address = address;
    tensor.size = size;
    tensor.position = position;
    return tensor;
  }
  int64_t tsAddress() const { return address; }

  // What an operator of two tensors makes (operators.h), computed into this one.
  template <typename Two, auto = &Two::template into<T>> LocalTensor &operator=(const Two &two) {
    two.into(*this);
    return *this;
  }

  LocalTensor operator[](int64_t offset) const {
    LocalTensor view = *this;
    view.address += offset * int64_t(sizeof(T));
    view.size = offset >= 0 && offset < size ? uint32_t(size - offset) : 0;
    return view;
  }
  tilesmith::Element<LocalTensor> operator()(int64_t offset, tilesmith::Where where = tilesmith::Where::here()) const {
    return tilesmith::Element<LocalTensor>((*this)[offset], where);
  }

  T GetValue(uint32_t offset, tilesmith::Where where = tilesmith::Where::here()) const {
    return tilesmith::fromBits<T>(tilesmith::api->tsm_get_value(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(),
                                                                (*this)[offset].tsAddress()));
  }
  template <typename V>
  void SetValue(uint32_t offset, const V &value, tilesmith::Where where = tilesmith::Where::here()) const {
    tilesmith::api->tsm_set_value(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), (*this)[offset].tsAddress(),
                                  tilesmith::bitsOf<T>(T(value)));
  }

  uint32_t GetSize() const { return size; }
  void SetSize(uint32_t elements) { size = elements; }
  uint32_t GetLength() const { return uint32_t(size * sizeof(T)); }
  void SetBufferLen(uint32_t bytes) { size = uint32_t(bytes / sizeof(T)); }
  int32_t GetPosition() const { return int32_t(position); }
  void SetUserTag(uint32_t value) { tag = value; }
  uint32_t GetUserTag() const { return tag; }
  void SetShapeInfo(const ShapeInfo &info) { shapeInfo = info; }
  ShapeInfo GetShapeInfo() const { return shapeInfo; }
  template <typename U> void SetAddrWithOffset(LocalTensor<U> &source, uint32_t offset) {
    address = source.tsAddress() + int64_t(offset) * int64_t(sizeof(U));
    position = TPosition(source.GetPosition());
  }
  template <typename U> LocalTensor<U> ReinterpretCast() const {
    return LocalTensor<U>::tsAt(address, uint32_t(uint64_t(size) * sizeof(T) / sizeof(U)), position);
  }

  // In UB a pointer that register code and scalar reads may use; elsewhere the offset in the memory.
  uint64_t GetPhyAddr() const {
    int64_t offset = tilesmith::offsetOf(address);
    if (address == tilesmith::addressOf(tilesmith::Memory::UB, offset))
      return reinterpret_cast<uint64_t>(tilesmith::api->tsm_ub(tilesmith::core)) + uint64_t(offset);
    return uint64_t(offset);
  }
  uint64_t GetPhyAddr(uint32_t offset) const { return (*this)[offset].GetPhyAddr(); }

private:
  int64_t address = tilesmith::addressOf(tilesmith::Memory::UB, 0);
  uint32_t size = 0, tag = 0;
  TPosition position = TPosition::VECCALC;
  ShapeInfo shapeInfo;
};

} // namespace AscendC

#endif
