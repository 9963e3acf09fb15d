// Places in the user's source, shown the way clang shows them:
//
//   abs.py:14:9: error: the load leaves 'x' ... [bounds.gm-read]
//      14 |         x = asc2.load(x_gm, [tile], tile_id=[i])
//         |             ^~~~~~~~~
//   note: ...
#ifndef TILESMITH_MACHINE_SOURCETEXT_H
#define TILESMITH_MACHINE_SOURCETEXT_H

#include "tilesmith/Machine/Finding.h"
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesmith::machine {

// Lines count from 1; columns from 1, 0 when unknown. `endColumn` is one past the last character, 0 when unknown.
struct Place {
  std::string file;
  uint32_t line = 0, column = 0, endColumn = 0;
  bool operator==(const Place &) const = default;
};

// A line of a file without its end, also of one that was remembered; empty if it cannot be read.
std::string sourceLine(const std::string &file, uint32_t line);

// Source that is in no file, such as a notebook's cell: `text` begins at this line. Thread-safe; a later text replaces
// the lines of an earlier one.
void rememberSource(const std::string &file, uint32_t firstLine, std::string_view text);

// "file:line:col: kind: text" with the source line and a caret if the file can be read or was remembered. Without a
// place: "kind: text".
std::string renderPlace(const Place &place, std::string_view kind, std::string_view text);

// A finding with the place it names, the other place involved, and how often it was seen. `placesOf` gives the places
// of a location: where it is, and if it was inlined, the calls that led there. Ends without a newline.
std::string renderFinding(const Finding &finding, std::string_view kernel,
                          const std::function<std::vector<Place>(uint32_t loc)> &placesOf);

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_SOURCETEXT_H
