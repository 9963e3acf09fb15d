// Where the bytes of a device come from, for who judges what a call did.
//
// Each byte has a source: what it was before the call, or the launch of the call that wrote it (Origins.h). Launches
// tell what they touched, copies and conversions move sources along, fills and uploads say what they are. In the end it
// is known of an output which bytes launches wrote and what those launches derive from, and which of the candidate's
// own data launches have read.
//
// Invariants
//  - what is not known to be anything better is Old: left from before
//  - a copy or a conversion never makes data of the candidate's anything else than that
//  - what launches looked up by numbers is known through any number of launches that computed it
#ifndef TILESMITH_RUNTIME_PROVENANCE_H
#define TILESMITH_RUNTIME_PROVENANCE_H

#include "tilesmith/Runtime/Launch.h"
#include "tilesmith/Runtime/Origins.h"
#include "tilesmith/Runtime/OwnData.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilesmith::runtime {

class Provenance {
public:
  using Origin = Origins::Origin;
  // Fresh: nobody wrote it. Given: the candidate's own data. Converted: inputs in another format. Cut: what a
  // conversion computed. Prepared: what launches of earlier calls made of the candidate's own data alone.
  enum Source : Origin { Fresh, Input, Given, Filled, Converted, Cut, Prepared, Old, firstLaunch = 16 };
  static constexpr const char *names[] = {"fresh", "input", "given", "filled", "converted", "cut", "prepared", "old"};
  static std::optional<Source> named(std::string_view name);

  // Elements in memory: the first one's address, bytes from one to the next in each dimension, bytes of each.
  struct Elements {
    uintptr_t begin;
    const std::vector<int64_t> &strides;
    int64_t item;
  };
  using Shape = std::vector<int64_t>;

  // A call begins, whose launches tell what they touched if it is `watched`.
  void begin(bool watched);
  void end() { watching = false; }
  // A model is made: what its constructor leaves is its own data.
  void build() { building = true; }
  bool isBuilding() const { return building; }
  bool isWatching() const { return watching; }

  void assign(uintptr_t begin, uintptr_t end, Source source) { origins.assign(begin, end, source); }
  void assign(const Elements &elements, const Shape &shape, Source source);
  void forget(uintptr_t begin, uintptr_t end) { origins.forget(begin, end); }
  // Elements were copied.
  void moved(const Elements &to, const Elements &from, const Shape &shape);
  // The same in a launch that is watched, which gathers arrays that are not contiguous.
  void movedByLaunch(const Elements &to, const Elements &from, const Shape &shape);
  // Elements were converted by a copy. What launches wrote stays theirs: a conversion is work of the device.
  // `computes`: it changed values as a computation does (a fraction was cut off, a number became a truth).
  void converted(const Elements &to, const Elements &from, const Shape &shape, bool computes);
  // A launch that is not watched has written to an array.
  void wrote(uintptr_t begin, uintptr_t end) { origins.assign(begin, end, building ? Given : Old); }
  // Bytes are about to be written over or freed; and the same by a launch that may read them first.
  void aboutToChange(uintptr_t begin, uintptr_t end);
  void aboutToLaunch(uintptr_t begin, uintptr_t end);
  // A launch that is watched: what it wrote comes from it, and what it read is what that derives from.
  void did(const std::string &kernel, const Touched &touched);

  struct Sources {
    int64_t bytes[std::size(names)] = {}; // by Source
    int64_t launched = 0;                 // bytes that launches of this call wrote
    uint64_t derives = 0;                 // bits of Source: what those launches derive from
  };
  Sources sourcesOf(const Elements &elements, const Shape &shape) const;

  // A launch of the call.
  struct Deed {
    std::string kernel;
    uint64_t derives = 0;     // bits of Source
    std::string orderMatters; // as Touched
    std::set<int> own;        // entries of own data it derives from, itself or through other launches
  };
  const std::vector<Deed> &launches() const { return deeds; }

  // Own data that launches of the call have read, and bytes launches wrote that others looked up by numbers.
  std::vector<OwnData::Block> ownData() const { return own.blocks(); }
  int64_t lookedUpMade() const { return madeTables; }

private:
  std::set<Origin> originsOf(const Elements &elements, const Shape &shape) const;
  void assignAll(const Elements &elements, const Shape &shape, Origin origin);
  Origin afterCall(Origin origin) const;
  Origin afterConversion(Origin origin, bool computes) const;

  bool watching = false, building = true;
  Origins origins;
  std::vector<Deed> deeds;
  static bool isOwn(Origin origin) { return origin == Given || origin == Prepared; }
  OwnData own{origins, isOwn};
  int64_t madeTables = 0;
};

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_PROVENANCE_H
