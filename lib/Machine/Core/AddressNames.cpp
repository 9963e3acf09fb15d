#include "tilesmith/Machine/AddressNames.h"
#include <algorithm>
#include <cstdio>

namespace tilesmith::machine {

namespace {

std::string number(int64_t value) { return std::to_string(value); }

std::string listOf(const std::vector<int64_t> &values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "[" : ", ") + number(value);
  return text + "]";
}

// The elements of an array that some bytes belong to.
struct Elements {
  const GlobalArray &array;
  int64_t size, first, end; // bytes of one; [first, end) in row-major order, perhaps outside of the array

  Elements(const GlobalArray &array, int64_t begin, int64_t endByte, isa::DType access) : array(array) {
    size = std::max<int64_t>(1, isa::sizeOf(array.dtype.value_or(access)));
    auto elementOf = [&](int64_t offset) { return offset >= 0 ? offset / size : -((-offset + size - 1) / size); };
    first = elementOf(begin - array.device);
    end = elementOf(std::max(endByte, begin + 1) - array.device - 1) + 1;
  }

  int64_t count() const { return end - first; }
  int64_t ofArray() const { return array.size / size; }

  // Several dimensions, all of them with elements, and as many as the array has bytes for.
  bool hasShape() const {
    int64_t product = 1;
    for (int64_t extent : array.shape)
      if (extent <= 0 || __builtin_mul_overflow(product, extent, &product))
        return false;
    return array.shape.size() > 1 && product == ofArray();
  }
  std::vector<int64_t> indexOf(int64_t element) const {
    std::vector<int64_t> index(array.shape.size());
    for (size_t axis = index.size(); axis-- > 1;) {
      index[axis] = element % array.shape[axis];
      element /= array.shape[axis];
    }
    index[0] = element;
    return index;
  }
  std::string ofShape() const { return hasShape() ? " of " + listOf(array.shape) : ""; }

  // "x[5]", "x[1, 2]".
  std::string at(int64_t element) const {
    return array.name + (hasShape() ? listOf(indexOf(element)) : "[" + number(element) + "]");
  }

  // "x[0:64]", "x[1, 2:8] of [4, 16]", "x[1, 2] to x[3, 4] of [4, 16]".
  std::string all() const {
    if (count() == 1)
      return at(first) + ofShape();
    if (!hasShape())
      return array.name + "[" + number(first) + ":" + number(end) + "]";
    int64_t row = array.shape.back();
    if (first / row != (end - 1) / row)
      return at(first) + " to " + at(end - 1) + ofShape();
    std::string text = at(first);
    text.pop_back();
    return text + ":" + number(end - first / row * row) + "]" + ofShape();
  }
};

} // namespace

const GlobalArray *AddressNames::holding(int64_t device) const {
  for (bool gone : {false, true})
    for (const GlobalArray &array : arrays)
      if (array.gone == gone && device >= array.device && device - array.device < array.size)
        return &array;
  return nullptr;
}

// An address past an array is its, unless the beginning of the next is nearer. Whoever indexes by gigabytes means
// another address.
const GlobalArray *AddressNames::nearest(int64_t device) const {
  constexpr int64_t furthest = int64_t(1) << 40;
  const GlobalArray *best = nullptr;
  int64_t distance = furthest;
  for (const GlobalArray &array : arrays) {
    int64_t away = device < array.device ? array.device - device : device - (array.device + array.size);
    if (away < distance) {
      best = &array;
      distance = away;
    }
  }
  return best;
}

std::string AddressNames::globalBytes(int64_t begin, int64_t end, isa::DType access) const {
  const GlobalArray *array = holding(begin);
  if (!array)
    return "GM [" + number(begin) + ", " + number(end) + ")";
  return Elements(*array, begin, std::min(end, array->device + array->size), access).all();
}

std::string AddressNames::bytes(isa::Memory memory, int64_t begin, int64_t end, isa::DType access) const {
  if (memory == isa::Memory::GM)
    return globalBytes(begin, end, access);
  return std::string(isa::stringify(memory)) + " [" + number(begin) + ", " + number(end) + ")";
}

std::string AddressNames::outOfBounds(int64_t begin, int64_t end, isa::DType access, std::optional<int64_t> of) const {
  auto meant = std::find_if(arrays.begin(), arrays.end(), [&](const GlobalArray &array) { return array.device == of; });
  const GlobalArray *inside = holding(begin), *array = meant != arrays.end() ? &*meant
                                                       : inside              ? inside
                                                                             : nearest(begin);
  inside = inside == array ? inside : nullptr;
  if (!array) {
    constexpr int64_t nullPage = 1 << 12;
    if (begin >= 0 && begin < nullPage)
      return "through a null pointer: the tensor was given no memory";
    char address[32];
    std::snprintf(address, sizeof address, "0x%llx", static_cast<long long>(begin));
    std::string names;
    for (const GlobalArray &known : arrays)
      names += (names.empty() ? " (" : ", ") + known.name;
    return "of " + number(end - begin) + " bytes at address " + address + ", which lies in no array of the launch" +
           (names.empty() ? "" : names + ")");
  }
  Elements elements(*array, begin, end, access);
  bool one = elements.count() == 1;
  if (elements.first < 0)
    return "of " + (one ? "the element " : number(elements.count()) + " elements that begin ") +
           number(-elements.first) + " before " + array->name + "[0]";
  std::string what = "of " + (one ? "" : number(elements.count()) + " elements from ") + elements.at(elements.first) +
                     elements.ofShape();
  if (array->gone)
    return what + ", which was freed";
  return what + (inside ? " leaves the array, which has " : ", but the array has ") + number(elements.ofArray()) +
         (elements.ofArray() == 1 ? " element" : " elements");
}

} // namespace tilesmith::machine
