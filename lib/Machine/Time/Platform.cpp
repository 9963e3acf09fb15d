#include "PlatformFile.h"
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>

namespace tilesmith::machine {

namespace {

// The files of platforms/, as the build found them.
constexpr struct {
  std::string_view name, text;
} embedded[] = {
#include "Time/Platforms.inc"
};

// A part as it was first asked for. It stays as it is, as launches keep pointers to it; when its file, or that of a
// base, is read again, another part takes its name.
struct Part {
  std::shared_ptr<const PlatformFile> file; // null: embedded, not read yet
  std::string_view embeddedText;
  std::optional<Platform> platform; // once it is asked for
  const Part *base = nullptr;
};

class Parts {
public:
  static Parts &all() {
    static auto *instance = new Parts; // platforms are used until the process ends
    return *instance;
  }

  const Part *find(std::string_view name) {
    std::lock_guard lock(mutex);
    auto found = current.find(name);
    std::string error;
    return found != current.end() && resolve(*found->second, 0, error) ? found->second : nullptr;
  }
  const Part *partOf(const Platform &platform) {
    std::lock_guard lock(mutex);
    const Part *alike = nullptr; // of a copy: the part it was copied from has its name and digest
    for (const Part &part : parts) {
      if (!part.platform)
        continue;
      if (&*part.platform == &platform)
        return &part;
      if (part.platform->name == platform.name && part.platform->digest == platform.digest)
        alike = &part;
    }
    return alike;
  }
  std::vector<std::string> names() {
    std::lock_guard lock(mutex);
    std::vector<std::string> result;
    for (const auto &[name, part] : current)
      result.push_back(name);
    return result;
  }
  std::string add(const std::filesystem::path &path) {
    std::lock_guard lock(mutex);
    return read(path);
  }
  std::string problems;

private:
  Parts() {
    for (const auto &[name, text] : embedded)
      current[std::string(name)] = &parts.emplace_back(Part{nullptr, text, std::nullopt});
    const char *paths = std::getenv("TILESMITH_PLATFORM_PATH");
    std::istringstream list(paths ? paths : "");
    for (std::string path; std::getline(list, path, ':');)
      if (std::string error = path.empty() ? "" : read(path); !error.empty())
        problems += (problems.empty() ? "" : "\n") + error;
  }

  bool resolve(Part &part, size_t depth, std::string &error) {
    if (part.platform)
      return true;
    if (!part.file && !(part.file = readPlatform("<built in>", std::string(part.embeddedText), error)))
      return false;
    const PlatformFile &file = *part.file;
    Platform platform;
    if (!file.base.empty()) {
      auto found = current.find(file.base);
      if (found == current.end() || depth > current.size()) {
        error = file.error(file.basePlace, depth > current.size() ? "the part is its own base"
                                                                  : "no platform is called '" + std::string(file.base) +
                                                                        "'" + didYouMean(file.base, known()));
        return false;
      }
      if (!resolve(*found->second, depth + 1, error))
        return false;
      part.base = found->second;
      platform = *found->second->platform;
    }
    applyPlatform(file, platform);
    if (std::string missing = missingNumber(platform); !missing.empty()) {
      error = file.error(file.namePlace, "the part does not say what '" + missing + "' is, and has no base that does");
      return false;
    }
    // Scales lie at a sixteenth of the address of what they scale.
    for (auto [scales, scaled] :
         {std::pair(isa::Memory::L0AMX, isa::Memory::L0A), {isa::Memory::L0BMX, isa::Memory::L0B}})
      platform.capacity[unsigned(scales)] = platform.arch == isa::Arch::C310 ? platform.capacityOf(scaled) / 16 : 0;
    part.platform = platform;
    return true;
  }

  // All files of the path, or none of them and what is wrong.
  std::string read(const std::filesystem::path &path) {
    std::vector<std::filesystem::path> files;
    std::error_code failed;
    if (std::filesystem::is_directory(path, failed)) {
      for (const auto &entry : std::filesystem::directory_iterator(path, failed))
        if (entry.path().extension() == ".platform")
          files.push_back(entry.path());
      std::sort(files.begin(), files.end());
    } else {
      files.push_back(path);
    }
    auto before = current;
    std::vector<Part *> added;
    std::string error;
    for (const std::filesystem::path &file : files) {
      std::ifstream in(file, std::ios::binary);
      std::ostringstream text;
      text << in.rdbuf();
      if (!in)
        error = path.string() + ": error: cannot be read as a platform file or a folder of them";
      auto parsed = error.empty() ? readPlatform(file.string(), text.str(), error) : nullptr;
      if (!parsed)
        break;
      if (auto was = before.find(parsed->name);
          was != before.end() && was->second->file && was->second->file->text == parsed->text)
        continue; // its pointer stays good
      added.push_back(&parts.emplace_back(Part{std::move(parsed), {}, std::nullopt}));
      current[std::string(added.back()->file->name)] = added.back();
    }
    refresh(added);
    for (Part *part : added)
      if (error.empty())
        resolve(*part, 0, error);
    if (!error.empty())
      current = std::move(before);
    return error;
  }

  // Parts derived from these get their numbers anew.
  void refresh(const std::vector<Part *> &added) {
    auto isAdded = [&](std::string_view name) {
      return std::any_of(added.begin(), added.end(), [&](Part *part) { return part->file->name == name; });
    };
    for (auto &[name, part] : current)
      for (const Part *base = part->base; base; base = base->base)
        if (isAdded(base->platform->name)) {
          part = &parts.emplace_back(Part{part->file, part->embeddedText, std::nullopt});
          break;
        }
  }

  std::vector<std::string> known() {
    std::vector<std::string> result;
    for (const auto &[name, part] : current)
      result.push_back(name);
    return result;
  }

  std::mutex mutex;
  std::deque<Part> parts;
  std::map<std::string, Part *, std::less<>> current;
};

} // namespace

std::vector<std::string> platformNames() { return Parts::all().names(); }

std::vector<const Platform *> allPlatforms() {
  std::vector<const Platform *> result;
  for (const std::string &name : platformNames())
    if (const Platform *platform = findPlatform(name))
      result.push_back(platform);
  return result;
}

const Platform *findPlatform(std::string_view name) {
  const Part *part = Parts::all().find(name);
  return part ? &*part->platform : nullptr;
}

std::string addPlatforms(const std::string &path) { return Parts::all().add(path); }

const std::string &platformProblems() { return Parts::all().problems; }

std::span<const PlatformFact> factsOf(const Platform &platform) {
  const Part *part = Parts::all().partOf(platform);
  return part ? std::span<const PlatformFact>(part->file->facts) : std::span<const PlatformFact>();
}

const Platform *baseOf(const Platform &platform) {
  const Part *part = Parts::all().partOf(platform);
  return part && part->base ? &*part->base->platform : nullptr;
}

} // namespace tilesmith::machine
