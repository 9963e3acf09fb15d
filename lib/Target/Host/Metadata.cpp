#include "tilesmith/Target/Host/Metadata.h"
#include <cstring>

namespace tilesmith::host {

namespace {

constexpr uint32_t version = 8;
constexpr std::string_view magic = "TSMD";

class Writer {
public:
  template <typename T> void number(T value) { bytes.append(reinterpret_cast<const char *>(&value), sizeof value); }
  void text(std::string_view value) {
    number(uint32_t(value.size()));
    bytes.append(value);
  }

  std::string bytes;
};

// Every read checks what is left; after the first failure everything reads as zero and `ok` stays false.
class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes) {}

  std::string_view take(size_t size) {
    if (size > rest.size()) {
      ok = false;
      rest = {};
      return {};
    }
    std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }
  template <typename T> T number() {
    T value = {};
    if (std::string_view taken = take(sizeof value); !taken.empty())
      std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(number<uint32_t>())); }
  template <typename T> std::vector<T> list(T (*element)(Reader &)) {
    std::vector<T> result;
    for (uint32_t left = number<uint32_t>(); left && ok; --left)
      result.push_back(element(*this));
    return result;
  }

  std::string_view rest;
  bool ok = true;
};

} // namespace

std::string symbolOf(std::string_view kernel) { return "ts_kernel_" + std::string(kernel); }

std::string serialize(const Metadata &metadata) {
  Writer out;
  out.bytes = magic;
  out.number(version);
  out.text(metadata.kernel);
  out.number(metadata.arch);
  out.number(metadata.serial);
  out.number(metadata.saysType);
  out.number(metadata.autoSync);
  out.number(metadata.kernelType);
  out.number(metadata.workspace);
  out.number(metadata.sharedWorkspace);
  for (int64_t bytes : metadata.usage)
    out.number(bytes);
  out.number(uint32_t(metadata.parameters.size()));
  for (const Parameter &parameter : metadata.parameters) {
    out.text(parameter.name);
    out.number(parameter.dtype);
    out.number(parameter.isBuffer);
  }
  out.number(uint32_t(metadata.locations.size()));
  for (const SourceLocation &location : metadata.locations) {
    out.text(location.file);
    out.number(location.line);
    out.number(location.column);
    out.text(location.name);
    out.number(location.caller);
  }
  out.number(uint32_t(metadata.arrayAt.size()));
  for (int32_t parameter : metadata.arrayAt)
    out.number(parameter);
  out.number(uint32_t(metadata.prints.size()));
  for (const PrintSite &site : metadata.prints) {
    out.text(site.format);
    out.number(uint32_t(site.values.size()));
    for (const std::string &value : site.values)
      out.text(value);
  }
  out.number(uint32_t(metadata.buffers.size()));
  for (const Buffer &buffer : metadata.buffers) {
    out.number(buffer.memory);
    out.number(buffer.address);
    out.number(buffer.bytes);
    out.number(buffer.slots);
    out.text(buffer.name);
    out.text(buffer.shape);
    out.number(buffer.line);
  }
  out.number(uint32_t(metadata.probes.size()));
  for (const std::string &probe : metadata.probes)
    out.text(probe);
  out.number(metadata.breakpoints);
  out.number(uint32_t(metadata.rings.size()));
  for (const Ring &ring : metadata.rings) {
    out.number(ring.offset);
    out.number(ring.bytes);
    out.number(ring.slots);
    out.number(ring.toCube);
    out.text(ring.name);
    out.text(ring.shape);
    out.number(ring.sent);
    out.number(ring.received);
  }
  return std::move(out.bytes);
}

std::optional<Metadata> deserialize(std::string_view bytes) {
  Reader in(bytes);
  if (in.take(magic.size()) != magic || in.number<uint32_t>() != version)
    return std::nullopt;
  Metadata metadata;
  metadata.kernel = in.text();
  metadata.arch = in.number<isa::Arch>();
  metadata.serial = in.number<uint8_t>();
  metadata.saysType = in.number<uint8_t>();
  metadata.autoSync = in.number<uint8_t>();
  metadata.kernelType = in.number<isa::KernelType>();
  metadata.workspace = in.number<int64_t>();
  metadata.sharedWorkspace = in.number<int64_t>();
  for (int64_t &size : metadata.usage)
    size = in.number<int64_t>();
  metadata.parameters = in.list<Parameter>([](Reader &in) {
    Parameter parameter;
    parameter.name = in.text();
    parameter.dtype = in.number<isa::DType>();
    parameter.isBuffer = in.number<uint8_t>();
    return parameter;
  });
  metadata.locations = in.list<SourceLocation>([](Reader &in) {
    SourceLocation location;
    location.file = in.text();
    location.line = in.number<uint32_t>();
    location.column = in.number<uint32_t>();
    location.name = in.text();
    location.caller = in.number<uint32_t>();
    return location;
  });
  metadata.arrayAt = in.list<int32_t>([](Reader &in) { return in.number<int32_t>(); });
  metadata.prints = in.list<PrintSite>([](Reader &in) {
    PrintSite site;
    site.format = in.text();
    site.values = in.list<std::string>([](Reader &in) { return in.text(); });
    return site;
  });
  metadata.buffers = in.list<Buffer>([](Reader &in) {
    Buffer buffer;
    buffer.memory = in.number<isa::Memory>();
    buffer.address = in.number<int64_t>();
    buffer.bytes = in.number<int64_t>();
    buffer.slots = in.number<int64_t>();
    buffer.name = in.text();
    buffer.shape = in.text();
    buffer.line = in.number<uint32_t>();
    return buffer;
  });
  metadata.probes = in.list<std::string>([](Reader &in) { return in.text(); });
  metadata.breakpoints = in.number<uint8_t>();
  metadata.rings = in.list<Ring>([](Reader &in) {
    Ring ring;
    ring.offset = in.number<int64_t>();
    ring.bytes = in.number<int64_t>();
    ring.slots = in.number<int64_t>();
    ring.toCube = in.number<uint8_t>();
    ring.name = in.text();
    ring.shape = in.text();
    ring.sent = in.number<uint32_t>();
    ring.received = in.number<uint32_t>();
    return ring;
  });
  if (!in.ok || !in.rest.empty() || metadata.locations.empty())
    return std::nullopt;
  return metadata;
}

} // namespace tilesmith::host
