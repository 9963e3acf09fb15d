// One platform's file as text and as settings. README.md in platforms/ describes the format.
//
// A file is checked when it is read: names, shapes and ranges. What needs other files (its base, and whether anything
// is missing then) is checked by whoever puts the parts together.
#ifndef TILESMITH_LIB_MACHINE_TIME_PLATFORMFILE_H
#define TILESMITH_LIB_MACHINE_TIME_PLATFORMFILE_H

#include "PlatformFields.h"
#include <memory>
#include <string>
#include <vector>

namespace tilesmith::machine {

struct PlatformFile {
  // A place in the text: line and column from 0.
  struct Place {
    size_t line = 0, begin = 0, end = 0;
  };
  // One line with a number, or two or three of them.
  struct Setting {
    PlatformField field;
    int64_t numbers[3] = {};
  };

  std::string path, text;
  std::string_view name, base; // views into text; no base: `arch` holds
  isa::Arch arch = isa::Arch::C220;
  Place namePlace, basePlace;
  std::vector<Setting> settings;
  std::vector<PlatformFact> facts; // the same lines as text

  PlatformFile(std::string path, std::string text) : path(std::move(path)), text(std::move(text)) {}
  PlatformFile(const PlatformFile &) = delete; // views point into it

  // "path:3:1: error: message", the line, and a caret under the place.
  std::string error(Place place, const std::string &message) const;
};

// The file, or null and the error as a compiler would print it.
std::shared_ptr<const PlatformFile> readPlatform(std::string path, std::string text, std::string &error);

// Puts the numbers of the file over those of its base, and what they say into the platform's digest.
void applyPlatform(const PlatformFile &file, Platform &platform);

// "; did you mean 'x'?" for the candidate nearest to the word, empty where none is near.
std::string didYouMean(std::string_view word, const std::vector<std::string> &candidates);

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_TIME_PLATFORMFILE_H
