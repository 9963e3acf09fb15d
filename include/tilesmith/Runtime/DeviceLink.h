// What a process whose device is in another one says to that one, and hears from it.
//
// A call is a packet, its answer another; both are numbers and texts in an agreed order, with their length in front.
// The two do not trust each other: a packet that ends early, or is longer than it may be, reads as nothing.
#ifndef TILESMITH_RUNTIME_DEVICELINK_H
#define TILESMITH_RUNTIME_DEVICELINK_H

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace tilesmith::runtime {

enum class DeviceCall : int64_t {
  Allocate, // bytes, device -> address, or 0
  Release,  // address; no answer
  Kernel,   // platform, level, kernel type or -1, parameters (number, names), isa IR -> number
  Launch,   // number of the kernel, blocks, arguments (Remote.cpp) -> nothing
  Other,    // text -> text, for whoever owns the device
};

class Packet {
public:
  static constexpr size_t most = size_t(1) << 30; // bytes

  Packet() = default;
  explicit Packet(std::string bytes) : bytes(std::move(bytes)) {}

  Packet &put(int64_t value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
  }
  Packet &put(std::string_view text) {
    put(int64_t(text.size()));
    bytes += text;
    return *this;
  }

  // What was put, in its order; 0 and nothing once the packet is not what the reader expects, which isBroken tells.
  int64_t number();
  std::string_view text();
  bool isBroken() const { return broken; }

  std::string bytes;

private:
  size_t at = 0;
  bool broken = false;
};

// Whole packets over a connection that is a stream. False: the other side is gone, or no packet.
bool sendPacket(int connection, const Packet &packet);
bool receivePacket(int connection, Packet &packet);

// The asking side. An answer begins with 0, or with 1, the name of a Python exception and its text.
class DeviceLink {
public:
  explicit DeviceLink(int connection) : connection(connection) {}

  struct Failure {
    std::string exception, text;
  };
  // The answer, ready to be read; nothing with `failure` set. Any thread.
  std::optional<Packet> ask(const Packet &call, Failure &failure);
  void tell(const Packet &call);

private:
  std::mutex mutex;
  int connection;
};

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_DEVICELINK_H
