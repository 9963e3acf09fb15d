#include "tilesmith/Runtime/DeviceLink.h"
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/uio.h>

namespace tilesmith::runtime {
namespace {

bool receiveAll(int connection, char *to, size_t size) {
  while (size) {
    ssize_t got = recv(connection, to, size, MSG_WAITALL);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    to += got;
    size -= size_t(got);
  }
  return true;
}

} // namespace

int64_t Packet::number() {
  int64_t value = 0;
  if (broken || bytes.size() - at < sizeof value) {
    broken = true;
    return 0;
  }
  std::memcpy(&value, bytes.data() + at, sizeof value);
  at += sizeof value;
  return value;
}

std::string_view Packet::text() {
  int64_t size = number();
  if (broken || size < 0 || uint64_t(size) > bytes.size() - at) {
    broken = true;
    return {};
  }
  at += size_t(size);
  return std::string_view(bytes).substr(at - size_t(size), size_t(size));
}

bool sendPacket(int connection, const Packet &packet) {
  auto size = int64_t(packet.bytes.size());
  iovec parts[] = {{&size, sizeof size}, {const_cast<char *>(packet.bytes.data()), packet.bytes.size()}};
  msghdr message = {};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  while (message.msg_iovlen) {
    ssize_t sent = sendmsg(connection, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent < 0)
      return false;
    while (message.msg_iovlen && size_t(sent) >= message.msg_iov->iov_len) {
      sent -= ssize_t(message.msg_iov->iov_len);
      ++message.msg_iov;
      --message.msg_iovlen;
    }
    if (message.msg_iovlen) {
      message.msg_iov->iov_base = static_cast<char *>(message.msg_iov->iov_base) + sent;
      message.msg_iov->iov_len -= size_t(sent);
    }
  }
  return true;
}

bool receivePacket(int connection, Packet &packet) {
  int64_t size = 0;
  if (!receiveAll(connection, reinterpret_cast<char *>(&size), sizeof size) || size < 0 || size > int64_t(Packet::most))
    return false;
  std::string bytes(size_t(size), '\0');
  if (!receiveAll(connection, bytes.data(), bytes.size()))
    return false;
  packet = Packet(std::move(bytes));
  return true;
}

std::optional<Packet> DeviceLink::ask(const Packet &call, Failure &failure) {
  Packet answer;
  {
    std::lock_guard lock(mutex);
    if (!sendPacket(connection, call) || !receivePacket(connection, answer)) {
      failure = {"ConnectionError", "the device's process is gone"};
      return std::nullopt;
    }
  }
  if (answer.number() == 0 && !answer.isBroken())
    return answer;
  failure.exception = answer.text();
  failure.text = answer.text();
  return std::nullopt;
}

void DeviceLink::tell(const Packet &call) {
  std::lock_guard lock(mutex);
  sendPacket(connection, call); // one that is gone has forgotten it anyway
}

} // namespace tilesmith::runtime
