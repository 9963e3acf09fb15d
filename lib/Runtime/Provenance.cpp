#include "tilesmith/Runtime/Provenance.h"
#include <algorithm>

namespace tilesmith::runtime {
namespace {

using Elements = Provenance::Elements;
using Shape = Provenance::Shape;

// Runs of bytes that lie together on both sides: run(address, address, bytes).
template <typename Run>
void eachRun(const Elements &to, const Elements &from, const Shape &shape, size_t axis, uintptr_t target,
             uintptr_t source, Run run) {
  int64_t bytes = to.item;
  size_t inner = shape.size();
  while (inner > axis &&
         (shape[inner - 1] == 1 || (to.strides[inner - 1] == bytes && from.strides[inner - 1] == bytes)))
    bytes *= shape[--inner];
  if (inner == axis)
    return run(target, source, bytes);
  for (int64_t i = 0; i < shape[axis]; ++i)
    eachRun(to, from, shape, axis + 1, target + uintptr_t(i * to.strides[axis]),
            source + uintptr_t(i * from.strides[axis]), run);
}
template <typename Run> void eachRun(const Elements &to, const Elements &from, const Shape &shape, Run run) {
  eachRun(to, from, shape, 0, to.begin, from.begin, run);
}
template <typename Run> void eachRun(const Elements &elements, const Shape &shape, Run run) {
  eachRun(elements, elements, shape,
          [&](uintptr_t begin, uintptr_t, int64_t size) { run(begin, begin + uintptr_t(size)); });
}

template <typename Element>
void eachElement(const Elements &to, const Elements &from, const Shape &shape, size_t axis, uintptr_t target,
                 uintptr_t source, Element element) {
  if (axis == shape.size())
    return element(target, source);
  for (int64_t i = 0; i < shape[axis]; ++i)
    eachElement(to, from, shape, axis + 1, target + uintptr_t(i * to.strides[axis]),
                source + uintptr_t(i * from.strides[axis]), element);
}

uintptr_t address(const uint8_t *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

} // namespace

std::optional<Provenance::Source> Provenance::named(std::string_view name) {
  for (size_t i = 0; i < std::size(names); ++i)
    if (name == names[i])
      return Source(i);
  return std::nullopt;
}

void Provenance::begin(bool watched) {
  origins.change([&](uintptr_t, Origin origin) { return afterCall(origin); });
  watching = watched;
  building = false;
  deeds.clear();
  own.clear();
  madeTables = 0;
}

// A fill before a call is data of the candidate's like any other; what launches made of such data alone may be kept.
Provenance::Origin Provenance::afterCall(Origin origin) const {
  if (origin == Input || origin == Prepared)
    return origin;
  if (origin == Given || origin == Filled)
    return Given;
  constexpr uint64_t own = uint64_t(1) << Given | uint64_t(1) << Filled | uint64_t(1) << Prepared;
  if (origin >= firstLaunch) {
    uint64_t derives = deeds[size_t(origin - firstLaunch)].derives;
    if (derives && !(derives & ~own))
      return Prepared;
  }
  return Old;
}

Provenance::Origin Provenance::afterConversion(Origin origin, bool computes) const {
  if (origin == Given || origin == Filled || origin == Prepared || origin == Old || origin == Fresh || origin < 0)
    return origin;
  if (building)
    return Given;
  if (computes || origin == Cut)
    return Cut;
  return origin >= firstLaunch ? origin : Origin(Converted);
}

std::set<Provenance::Origin> Provenance::originsOf(const Elements &elements, const Shape &shape) const {
  auto among = [&](std::set<Origin> &found) {
    return [&](uintptr_t begin, uintptr_t end) {
      origins.each(begin, end, [&](uintptr_t, uintptr_t, Origin origin) { found.insert(origin); });
    };
  };
  int64_t reach = elements.item;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    reach += std::max<int64_t>(shape[axis] - 1, 0) * std::max<int64_t>(elements.strides[axis], 0);
  std::set<Origin> around, found;
  among(around)(elements.begin, elements.begin + uintptr_t(reach));
  if (around.size() == 1) // a transposed matrix has as many runs as elements
    return around;
  eachRun(elements, shape, among(found));
  return found;
}

void Provenance::assignAll(const Elements &elements, const Shape &shape, Origin origin) {
  eachRun(elements, shape, [&](uintptr_t begin, uintptr_t end) { origins.assign(begin, end, origin); });
}

void Provenance::assign(const Elements &elements, const Shape &shape, Source source) {
  assignAll(elements, shape, source);
}

void Provenance::moved(const Elements &to, const Elements &from, const Shape &shape) {
  std::set<Origin> sources = originsOf(from, shape);
  if (sources.size() == 1 && *sources.begin() >= 0)
    assignAll(to, shape, *sources.begin());
  else if (watching || building)
    movedByLaunch(to, from, shape);
  else
    assignAll(to, shape, Old);
}

void Provenance::movedByLaunch(const Elements &to, const Elements &from, const Shape &shape) {
  eachRun(to, from, shape,
          [&](uintptr_t target, uintptr_t source, int64_t bytes) { origins.move(target, source, uintptr_t(bytes)); });
}

void Provenance::converted(const Elements &to, const Elements &from, const Shape &shape, bool computes) {
  std::map<Origin, Origin> now;
  for (Origin origin : originsOf(from, shape))
    now[origin] = std::max(afterConversion(origin, computes), Origin(Fresh));
  auto isFirst = [&](const auto &pair) { return pair.second == now.begin()->second; };
  if (std::all_of(now.begin(), now.end(), isFirst)) {
    if (!now.empty())
      assignAll(to, shape, now.begin()->second);
    return;
  }
  eachElement(to, from, shape, 0, to.begin, from.begin, [&](uintptr_t target, uintptr_t source) {
    origins.each(source, source + 1, [&](uintptr_t, uintptr_t, Origin origin) {
      origins.assign(target, target + uintptr_t(to.item), now[origin]);
    });
  });
}

void Provenance::aboutToChange(uintptr_t begin, uintptr_t end) {
  if (watching)
    own.aboutToChange(begin, end);
}

void Provenance::aboutToLaunch(uintptr_t begin, uintptr_t end) {
  if (watching)
    own.aboutToLaunch(begin, end);
}

void Provenance::did(const std::string &kernel, const Touched &touched) {
  Deed deed{kernel, 0, touched.orderMatters, {}};
  auto writes = [&](uintptr_t begin, uintptr_t end) {
    auto at = std::upper_bound(touched.writes.begin(), touched.writes.end(), begin,
                               [](uintptr_t place, const auto &span) { return place < address(span.begin); });
    return at != touched.writes.begin() && address(std::prev(at)->end) >= end;
  };
  for (auto [begin, end] : touched.reads)
    origins.each(address(begin), address(end), [&](uintptr_t from, uintptr_t to, Origin origin) {
      if (origin >= firstLaunch) {
        const Deed &earlier = deeds[size_t(origin - firstLaunch)];
        deed.derives |= earlier.derives;
        deed.own.insert(earlier.own.begin(), earlier.own.end());
      } else if (origin >= 0 && !((origin == Old || origin == Fresh) && writes(from, to))) {
        deed.derives |= uint64_t(1) << origin;
      }
      if (isOwn(origin))
        if (int entry = own.read(from, to); entry >= 0)
          deed.own.insert(entry);
    });
  for (auto [begin, end] : touched.tables)
    origins.each(address(begin), address(end), [&](uintptr_t from, uintptr_t to, Origin origin) {
      if (isOwn(origin)) {
        if (int entry = own.read(from, to); entry >= 0)
          own.lookedUp(entry, from, to);
      } else if (origin >= firstLaunch || writes(from, to)) {
        madeTables += int64_t(to - from);
        for (int entry : origin >= firstLaunch ? deeds[size_t(origin - firstLaunch)].own : deed.own)
          own.lookedUpElsewhere(entry, to - from);
      }
    });
  Origin origin = firstLaunch + Origin(deeds.size());
  for (auto [begin, end] : touched.writes) {
    own.wrote(address(begin), address(end));
    origins.assign(address(begin), address(end), origin);
  }
  own.endLaunch();
  deeds.push_back(std::move(deed));
}

Provenance::Sources Provenance::sourcesOf(const Elements &elements, const Shape &shape) const {
  Sources result;
  eachRun(elements, shape, [&](uintptr_t begin, uintptr_t end) {
    origins.each(begin, end, [&](uintptr_t from, uintptr_t to, Origin origin) {
      if (origin >= firstLaunch) {
        result.launched += int64_t(to - from);
        result.derives |= deeds[size_t(origin - firstLaunch)].derives;
      } else {
        result.bytes[std::max(origin, Origin(Fresh))] += int64_t(to - from);
      }
    });
  });
  return result;
}

} // namespace tilesmith::runtime
