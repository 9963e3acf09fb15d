#include "tilesmith/Target/Host/Metadata.h"
#include <gtest/gtest.h>

using namespace tilesmith;
using namespace tilesmith::host;

namespace {

Metadata example() {
  Metadata metadata;
  metadata.kernel = "gelu";
  metadata.arch = isa::Arch::C310;
  metadata.parameters = {{"x", isa::DType::F16, true}, {"n", isa::DType::I64, false}};
  metadata.locations.push_back({"gelu.py", 12, 5, "rows", 0});
  metadata.locations.push_back({"lib.py", 3, 1, "", 1});
  metadata.prints = {{"n = {} {}", {"int32", "float16[4, 64]"}}, {"text", {}}};
  metadata.arrayAt = {-1, 0};
  metadata.serial = true;
  metadata.kernelType = isa::KernelType::MixAic_1_2;
  metadata.usage[unsigned(isa::Memory::UB)] = 196608;
  metadata.buffers = {{isa::Memory::UB, 256, 8192, 2, "rows", "[4, 1024] float16", 18}};
  return metadata;
}

TEST(Metadata, ComesBackAsItWas) {
  std::optional<Metadata> back = deserialize(serialize(example()));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, example());
}

TEST(Metadata, DamagedBytesReadAsNothing) {
  std::string bytes = serialize(example());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(deserialize(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(deserialize(bytes + "x"));
  std::string otherVersion = bytes;
  ++otherVersion[4];
  EXPECT_FALSE(deserialize(otherVersion));
  // A length field pointing far outside must neither be followed nor allocated.
  std::string hugeText = bytes;
  for (int i = 8; i < 12; ++i)
    hugeText[i] = char(0xff);
  EXPECT_FALSE(deserialize(hugeText));
}

} // namespace
