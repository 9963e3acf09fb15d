#include "PlatformFile.h"
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace tilesmith::machine {

namespace {

using Place = PlatformFile::Place;

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

class Reader {
public:
  Reader(PlatformFile &file) : file(file) {}

  // Empty, or what is wrong.
  std::string read() {
    std::string_view rest = file.text;
    for (number = 0; !rest.empty() && failure.empty(); ++number) {
      size_t end = std::min(rest.find('\n'), rest.size());
      line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      at = 0;
      skip();
      if (at < line.size() && line[at] != '#')
        statement();
    }
    if (failure.empty() && step == Step::Name)
      fail({0, 0, 0}, "a platform file begins with 'platform' and the name of the part");
    if (failure.empty() && step == Step::Origin)
      fail(file.namePlace, "expected 'arch' or 'base' after the name of the part");
    return failure;
  }

private:
  enum class Step { Name, Origin, Settings } step = Step::Name;

  void fail(Place place, const std::string &message) {
    if (failure.empty())
      failure = file.error(place, message);
  }
  void fail(size_t begin, const std::string &message) {
    size_t end = begin;
    while (end < line.size() && !isSpace(line[end]) && line[end] != '#')
      ++end;
    fail({number, begin, end}, message);
  }
  void skip() {
    while (at < line.size() && isSpace(line[at]))
      ++at;
  }
  std::string_view word() {
    skip();
    size_t begin = at;
    while (at < line.size() && !isSpace(line[at]) && line[at] != '=' && line[at] != '#')
      ++at;
    return line.substr(begin, at - begin);
  }
  bool take(std::string_view text) {
    skip();
    if (!line.substr(at).starts_with(text))
      return false;
    at += text.size();
    return true;
  }
  Place placeOf(std::string_view part) const {
    size_t begin = size_t(part.data() - line.data());
    return {number, begin, begin + part.size()};
  }
  bool atEnd() {
    skip();
    return at == line.size() || line[at] == '#';
  }

  void statement() {
    std::string_view first = word();
    switch (step) {
    case Step::Name:
      if (first != "platform")
        return fail(placeOf(first), "a platform file begins with 'platform' and the name of the part");
      file.name = word();
      file.namePlace = placeOf(file.name);
      if (file.name.empty() || !atEnd())
        return fail(at, "expected one name after 'platform'");
      step = Step::Origin;
      return;
    case Step::Origin: {
      std::string_view origin = word();
      if (first != "arch" && first != "base")
        return fail(placeOf(first), "expected 'arch' or 'base' after the name of the part");
      if (origin.empty() || !atEnd())
        return fail(at, "expected one name after " + quoted(first));
      if (first == "base") {
        file.base = origin;
        file.basePlace = placeOf(origin);
      } else if (auto arch = isa::symbolize<isa::Arch>(origin)) {
        file.arch = *arch;
      } else {
        std::vector<std::string> known;
        for (unsigned i = 0; i < isa::numArch; ++i)
          known.emplace_back(stringify(isa::Arch(i)));
        return fail(placeOf(origin), "no architecture is called " + quoted(origin) + didYouMean(origin, known));
      }
      step = Step::Settings;
      return;
    }
    case Step::Settings:
      return setting(first);
    }
  }

  void setting(std::string_view name) {
    for (const PlatformFact &fact : file.facts)
      if (fact.name == name)
        return fail(placeOf(name), quoted(name) + " is set twice");
    std::optional<PlatformField> field = findPlatformField(name);
    if (!field)
      return fail(placeOf(name),
                  "a platform has no number called " + quoted(name) + didYouMean(name, platformFieldNames()));
    if (!take("="))
      return fail(at, "expected '=' after " + quoted(name));
    skip();
    size_t begin = at;
    PlatformFile::Setting setting{*field};
    if (!valueOf(setting))
      return;
    size_t end = at;
    if (!take("#"))
      return fail(at, "expected '#' and the source of the number");
    skip();
    std::string_view source = line.substr(at);
    while (!source.empty() && isSpace(source.back()))
      source.remove_suffix(1);
    if (source.empty())
      return fail(at, "expected the source of the number after '#'");
    file.settings.push_back(setting);
    file.facts.push_back({name, line.substr(begin, end - begin), source});
  }

  bool valueOf(PlatformFile::Setting &setting) {
    most = setting.field.most;
    switch (setting.field.shape) {
    case PlatformField::Shape::Whole:
      return wholeValue(setting);
    case PlatformField::Shape::Decimal:
      return decimalValue(setting);
    case PlatformField::Shape::Path:
      return pathValue(setting);
    case PlatformField::Shape::Vector:
      return vectorValue(setting);
    case PlatformField::Shape::Latency:
      return latencyValue(setting);
    }
    return false;
  }

  bool expected(size_t begin, const std::string &what) {
    fail(begin, "expected " + what);
    return false;
  }
  // A whole number, or one with up to two decimals in hundredths.
  bool digits(int64_t &result, bool isDecimal, const std::string &what) {
    skip();
    size_t begin = at;
    result = 0;
    bool fits = true;
    auto add = [&](int digit) {
      fits &= result <= (std::numeric_limits<int64_t>::max() - digit) / 10;
      result = fits ? result * 10 + digit : result;
    };
    for (; at < line.size() && isDigit(line[at]); ++at)
      add(line[at] - '0');
    if (at == begin)
      return expected(begin, what);
    if (isDecimal) {
      unsigned decimals = 0;
      if (at < line.size() && line[at] == '.')
        for (++at; at < line.size() && isDigit(line[at]); ++at, ++decimals)
          if (decimals < 2)
            add(line[at] - '0');
      if (decimals > 2) {
        fail(begin, "a number of a platform has at most two decimals");
        return false;
      }
      for (; decimals < 2; ++decimals)
        add(0);
    }
    if (at < line.size() && !isSpace(line[at]) && line[at] != '#')
      return expected(begin, what);
    return fits && result <= most ? true : tooLarge(begin);
  }
  bool tooLarge(size_t begin) {
    fail(begin, "the number is too large");
    return false;
  }

  bool wholeValue(PlatformFile::Setting &setting) {
    size_t begin = at;
    if (!digits(setting.numbers[0], false, "a whole number, which may be followed by KiB, MiB or GiB"))
      return false;
    size_t end = at;
    constexpr std::pair<std::string_view, unsigned> units[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    for (auto [unit, shift] : units)
      if (take(unit)) {
        if (setting.numbers[0] > most >> shift)
          return tooLarge(begin);
        setting.numbers[0] <<= shift;
        return true;
      }
    at = end;
    return true;
  }
  bool decimalValue(PlatformFile::Setting &setting) {
    return digits(setting.numbers[0], true, "a number with up to two decimals, such as 1.50");
  }
  bool pathValue(PlatformFile::Setting &setting) {
    const std::string form = "a path, such as 205 + bytes / 119.00";
    if (!digits(setting.numbers[0], false, form))
      return false;
    for (std::string_view token : {"+", "bytes", "/"})
      if (!take(token))
        return expected(at, form);
    return digits(setting.numbers[1], true, form);
  }
  bool vectorValue(PlatformFile::Setting &setting) {
    const std::string form = "a cost for 32 and 16 bits, such as 31 + 2.00 or 4.00 per repeat";
    if (!digits(setting.numbers[0], false, form))
      return false;
    if (!take("+"))
      return expected(at, form);
    if (!digits(setting.numbers[1], true, form))
      return false;
    if (!take("or"))
      return expected(at, form);
    if (!digits(setting.numbers[2], true, form))
      return false;
    for (std::string_view token : {"per", "repeat"})
      if (!take(token))
        return expected(at, form);
    return true;
  }
  bool latencyValue(PlatformFile::Setting &setting) {
    const std::string form = "a latency and the cycles a port is busy, such as 17 every 4";
    if (!digits(setting.numbers[0], false, form))
      return false;
    if (!take("every"))
      return expected(at, form);
    return digits(setting.numbers[1], false, form);
  }

  PlatformFile &file;
  std::string_view line;
  size_t number = 0, at = 0;
  int64_t most = 0; // that the number being read may be
  std::string failure;
};

} // namespace

std::string PlatformFile::error(Place place, const std::string &message) const {
  std::string_view rest = text;
  for (size_t i = 0; i < place.line; ++i)
    rest.remove_prefix(std::min(rest.find('\n') + 1, rest.size()));
  std::string_view line = rest.substr(0, rest.find('\n'));
  std::string number = std::to_string(place.line + 1);
  size_t margin = std::max<size_t>(number.size(), 5);
  std::string result = path + ":" + number + ":" + std::to_string(place.begin + 1) + ": error: " + message;
  if (line.empty())
    return result;
  result += "\n" + std::string(margin - number.size(), ' ') + number + " | " + std::string(line) + "\n" +
            std::string(margin, ' ') + " | ";
  for (size_t i = 0; i < place.begin; ++i)
    result += i < line.size() && line[i] == '\t' ? '\t' : ' ';
  return result + "^" + std::string(place.end > place.begin ? place.end - place.begin - 1 : 0, '~');
}

std::shared_ptr<const PlatformFile> readPlatform(std::string path, std::string text, std::string &error) {
  auto file = std::make_shared<PlatformFile>(std::move(path), std::move(text));
  error = Reader(*file).read();
  return error.empty() ? file : nullptr;
}

void applyPlatform(const PlatformFile &file, Platform &platform) {
  auto add = [&](std::string_view text) { // FNV-1a; a zero byte ends each text
    for (char c : text)
      platform.digest = (platform.digest ^ uint8_t(c)) * 0x100000001b3;
    platform.digest *= 0x100000001b3;
  };
  platform.name = file.name;
  add(file.name);
  if (file.base.empty()) {
    platform.arch = file.arch;
    add(stringify(file.arch));
  }
  for (size_t i = 0; i < file.settings.size(); ++i) {
    const PlatformFile::Setting &setting = file.settings[i];
    setting.field.apply(platform, setting.field.index, setting.numbers);
    add(file.facts[i].name);
    add(file.facts[i].value);
  }
}

std::string didYouMean(std::string_view word, const std::vector<std::string> &candidates) {
  auto distance = [&](std::string_view other) {
    std::vector<size_t> row(other.size() + 1);
    std::iota(row.begin(), row.end(), size_t(0));
    for (size_t i = 1; i <= word.size(); ++i) {
      size_t before = std::exchange(row[0], i);
      for (size_t j = 1; j <= other.size(); ++j)
        before = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, before + (word[i - 1] != other[j - 1])}));
    }
    return row.back();
  };
  const std::string *best = nullptr;
  size_t least = std::max<size_t>(word.size() / 3, 2) + 1;
  for (const std::string &candidate : candidates)
    if (size_t d = distance(candidate); d < least) {
      least = d;
      best = &candidate;
    }
  return best ? "; did you mean " + quoted(*best) + "?" : "";
}

} // namespace tilesmith::machine
