#include "tilesmith/Machine/SourceText.h"
#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>

namespace tilesmith::machine {
namespace {

struct Remembered {
  std::mutex mutex;
  std::map<std::pair<std::string, uint32_t>, std::string> lines; // by file and line
};
Remembered &remembered() {
  static auto *instance = new Remembered;
  return *instance;
}

} // namespace

std::string sourceLine(const std::string &file, uint32_t line) {
  {
    std::lock_guard lock(remembered().mutex);
    if (auto known = remembered().lines.find({file, line}); known != remembered().lines.end())
      return known->second;
  }
  std::ifstream stream(file);
  std::string text;
  for (uint32_t i = 0; i < line; ++i)
    if (!std::getline(stream, text))
      return {};
  while (!text.empty() && (text.back() == '\r' || text.back() == '\n'))
    text.pop_back();
  return text;
}

namespace {

// The caret's line keeps the tabs of the text above it, so that it stays under its expression at any tab width.
std::string caretLine(const std::string &text, uint32_t column, uint32_t endColumn) {
  std::string line;
  for (uint32_t i = 0; i + 1 < column; ++i) {
    unsigned char byte = i < text.size() ? text[i] : ' ';
    if ((byte & 0xC0) != 0x80) // continuation bytes of UTF-8 take no column
      line += byte == '\t' ? '\t' : ' ';
  }
  line += '^';
  uint32_t end = std::min<uint32_t>(endColumn, uint32_t(text.size()) + 1);
  for (uint32_t i = column; i + 1 < end; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80)
      line += '~';
  return line;
}

} // namespace

void rememberSource(const std::string &file, uint32_t firstLine, std::string_view text) {
  std::lock_guard lock(remembered().mutex);
  for (uint32_t line = firstLine; !text.empty(); ++line) {
    size_t end = std::min(text.find('\n'), text.size());
    remembered().lines[{file, line}] = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string renderPlace(const Place &place, std::string_view kind, std::string_view text) {
  std::string result;
  if (place.line) {
    result = place.file + ":" + std::to_string(place.line) + ":";
    if (place.column)
      result += std::to_string(place.column) + ":";
    result += ' ';
  }
  result += std::string(kind) + ": " + std::string(text);
  std::string source = place.line ? sourceLine(place.file, place.line) : std::string();
  if (source.empty())
    return result;
  std::string number = std::to_string(place.line);
  if (number.size() < 5)
    number.insert(0, 5 - number.size(), ' ');
  result += "\n" + number + " | " + source;
  if (place.column && place.column <= source.size() + 1)
    result += "\n" + std::string(number.size(), ' ') + " | " + caretLine(source, place.column, place.endColumn);
  return result;
}

std::string renderFinding(const Finding &finding, std::string_view kernel,
                          const std::function<std::vector<Place>(uint32_t loc)> &placesOf) {
  std::vector<Place> places = placesOf(finding.loc);
  if (places.empty())
    places.emplace_back();
  std::string result =
      renderPlace(places[0], finding.isError() ? "error" : "warning", finding.text + " [" + finding.id.str() + "]");
  if (finding.otherLoc)
    if (std::vector<Place> other = placesOf(finding.otherLoc); !other.empty())
      result += "\n" + renderPlace(other[0], "note", "the other access is here");
  for (size_t i = 1; i < places.size(); ++i)
    result += "\n" + renderPlace(places[i], "note", "called from here");
  result += "\nnote: in kernel '" + std::string(kernel) + "', block " + std::to_string(finding.block) +
            (finding.core.empty() ? "" : ", " + finding.core);
  if (finding.count > 1)
    result += "; seen " + std::to_string(finding.count) + " times";
  if (!finding.help.empty())
    result += "\nhelp: " + finding.help;
  return result;
}

} // namespace tilesmith::machine
