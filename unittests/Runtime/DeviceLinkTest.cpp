// Packets between processes that do not trust each other.
#include "tilesmith/Runtime/DeviceLink.h"
#include <cstring>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace tilesmith::runtime;

namespace {

struct Ends {
  int ours, theirs;
  Ends() {
    int both[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, both), 0);
    ours = both[0];
    theirs = both[1];
  }
  ~Ends() {
    close(ours);
    close(theirs);
  }
};

TEST(DeviceLink, WhatWasPutIsRead) {
  Packet packet;
  packet.put(7).put(std::string_view("text")).put(-1).put(std::string_view());
  EXPECT_EQ(packet.number(), 7);
  EXPECT_EQ(packet.text(), "text");
  EXPECT_EQ(packet.number(), -1);
  EXPECT_EQ(packet.text(), "");
  EXPECT_FALSE(packet.isBroken());
  EXPECT_EQ(packet.number(), 0); // there is no more
  EXPECT_TRUE(packet.isBroken());
}

TEST(DeviceLink, ATextLongerThanItsPacketIsNone) {
  for (int64_t length : {int64_t(5), int64_t(-1), INT64_MAX, INT64_MIN}) {
    Packet packet;
    packet.put(length).bytes += "four";
    EXPECT_EQ(packet.text(), "");
    EXPECT_TRUE(packet.isBroken());
    EXPECT_EQ(packet.number(), 0);
  }
}

TEST(DeviceLink, AnswersComeBackWhole) {
  Ends ends;
  std::string large(3 << 20, 'x');
  std::thread device([&] {
    Packet call;
    ASSERT_TRUE(receivePacket(ends.theirs, call));
    EXPECT_EQ(DeviceCall(call.number()), DeviceCall::Other);
    EXPECT_EQ(call.text(), large);
    EXPECT_TRUE(sendPacket(ends.theirs, Packet().put(0).put(call.bytes)));
    ASSERT_TRUE(receivePacket(ends.theirs, call));
    EXPECT_TRUE(sendPacket(ends.theirs,
                           Packet().put(1).put(std::string_view("builtins.ValueError")).put(std::string_view("no"))));
  });
  DeviceLink link(ends.ours);
  DeviceLink::Failure failure;
  Packet call;
  call.put(int64_t(DeviceCall::Other)).put(large);
  std::optional<Packet> answer = link.ask(call, failure);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text().size(), large.size() + 16);
  EXPECT_FALSE(link.ask(call, failure));
  EXPECT_EQ(failure.exception, "builtins.ValueError");
  EXPECT_EQ(failure.text, "no");
  device.join();
}

TEST(DeviceLink, ALengthThatCannotBeIsNoPacket) {
  for (int64_t length : {int64_t(-1), int64_t(Packet::most) + 1, INT64_MAX}) {
    Ends ends;
    ASSERT_EQ(write(ends.ours, &length, sizeof length), ssize_t(sizeof length));
    Packet packet;
    EXPECT_FALSE(receivePacket(ends.theirs, packet));
  }
}

TEST(DeviceLink, SomebodyWhoIsGoneIsAFailure) {
  Ends ends;
  DeviceLink link(ends.ours);
  shutdown(ends.theirs, SHUT_RDWR);
  DeviceLink::Failure failure;
  EXPECT_FALSE(link.ask(Packet().put(0), failure));
  EXPECT_EQ(failure.exception, "ConnectionError");
  link.tell(Packet().put(0));
}

} // namespace
