// Specialisations without a host language: the host's values are numbers in a map, compiling makes a numbered kernel.
#include "tilesmith/Runtime/Specialiser.h"
#include <condition_variable>
#include <gtest/gtest.h>
#include <map>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace tilesmith;
using namespace tilesmith::runtime;

namespace {

using Kind = SpecialiseError::Kind;

// Values that kernels read, and the lock under which they run.
struct Host {
  std::map<std::string, int> values = {{"SIZE", 1}};
  std::mutex lock;
  bool complete = true;  // every read can be found again
  bool described = true; // the kernel's source is usable
};

struct Remembered : RememberedReads {
  explicit Remembered(std::vector<HostRead> reads) : reads(std::move(reads)) {}
  std::vector<HostRead> reads;
};

struct Call final : HostCall {
  explicit Call(Host &host) : host(host) {}

  bool describe(CompileRequest &request) override {
    requested = request;
    return host.described;
  }
  void beginRecording() override { isRecording = true; }
  RecordedReads endRecording() override {
    isRecording = false;
    return {{{"SIZE", now("SIZE")}}, host.complete};
  }
  bool holds(const std::vector<HostRead> &reads) override {
    return llvm::all_of(reads, [&](const HostRead &read) { return now(read.path) == read.fingerprint; });
  }
  std::unique_ptr<RememberedReads> remember(std::vector<HostRead> reads) override {
    return std::make_unique<Remembered>(std::move(reads));
  }
  bool unchanged(const RememberedReads &reads) override { return holds(static_cast<const Remembered &>(reads).reads); }
  std::vector<frontend::HostRef> keptAlive() override { return {}; }
  void wait(llvm::function_ref<void()> blocking) override {
    host.lock.unlock();
    blocking();
    host.lock.lock();
  }

  std::string now(const std::string &path) const { return std::to_string(host.values.at(path)); }

  Host &host;
  CompileRequest requested;
  bool isRecording = false;
};

// What the compiler does in a test. A function pointer has no state, so it is here.
std::function<void()> whileCompiling;
std::string objectOfNext, errorOfNext;

std::optional<CompiledKernel> fakeCompile(const CompileRequest &, CompileError &error) {
  if (auto once = std::exchange(whileCompiling, {}))
    once();
  if (!errorOfNext.empty()) {
    error.text = errorOfNext;
    return std::nullopt;
  }
  CompiledKernel kernel;
  kernel.object = objectOfNext;
  kernel.metadata.kernel = "kernel" + std::to_string(Specialiser::compilations());
  kernel.written = {true, false};
  return kernel;
}

struct SpecialiserTest : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("tilesmith-specialiser-test-" + std::to_string(::getpid()));
  Host host;
  DiskCache disk{folder};
  const machine::Platform &platform = *machine::findPlatform("Ascend910B1");
  const machine::Platform &other = *machine::findPlatform("Ascend950PR_9599");
  SpecialiseError error;

  void SetUp() override {
    fs::remove_all(folder);
    whileCompiling = {};
    objectOfNext = errorOfNext = "";
  }
  void TearDown() override { fs::remove_all(folder); }

  Specialiser specialiser(std::string options = "", std::string source = "def k", std::string dump = "") {
    Specialiser::Kernel kernel{"k", std::move(source), {}, std::move(dump)};
    EXPECT_FALSE(kernel.options.parse(options));
    return Specialiser(std::move(kernel), disk, fakeCompile);
  }
  CallKey key(int64_t constant = 0, const machine::Platform *on = nullptr) {
    CallKey key;
    key.addScalar(isa::DType::F32);
    key.addInt(constant);
    key.finish(on ? *on : platform);
    return key;
  }
  // Whether a launch compiles.
  bool compiles(Specialiser &kernel, const CallKey &key, const machine::Platform *on = nullptr) {
    Call call(host);
    int64_t before = Specialiser::compilations();
    auto result = kernel.find(call, key);
    if (!result)
      result = kernel.specialise(call, key, on ? *on : platform, error);
    EXPECT_TRUE(result) << error.text;
    return Specialiser::compilations() != before;
  }
};

TEST_F(SpecialiserTest, ALaunchLikeAnEarlierOneCompilesNothing) {
  Specialiser kernel = specialiser();
  EXPECT_TRUE(compiles(kernel, key(1)));
  EXPECT_FALSE(compiles(kernel, key(1)));
  EXPECT_TRUE(compiles(kernel, key(2)));
  EXPECT_TRUE(compiles(kernel, key(1, &other), &other));
  EXPECT_FALSE(compiles(kernel, key(1)));
}

TEST_F(SpecialiserTest, HostValuesTellSpecialisationsOfAKeyApart) {
  Specialiser kernel = specialiser();
  EXPECT_TRUE(compiles(kernel, key()));
  host.values["SIZE"] = 2;
  EXPECT_TRUE(compiles(kernel, key()));
  host.values["SIZE"] = 1;
  EXPECT_FALSE(compiles(kernel, key())) << "changing a constant back must hit";
}

TEST_F(SpecialiserTest, AConstantThatChangesWithEveryLaunchDoesNotFillMemory) {
  DiskCache none(folder / "none", 0);
  Specialiser kernel({"k", "def k", {}, ""}, none, fakeCompile);
  for (int i = 0; i < 65; ++i) {
    host.values["SIZE"] = i;
    EXPECT_TRUE(compiles(kernel, key()));
  }
  host.values["SIZE"] = 64;
  EXPECT_FALSE(compiles(kernel, key()));
  host.values["SIZE"] = 1;
  EXPECT_FALSE(compiles(kernel, key())) << "the second oldest of 64 is still there";
  host.values["SIZE"] = 0;
  EXPECT_TRUE(compiles(kernel, key())) << "the oldest went";
}

TEST_F(SpecialiserTest, AnotherProcessFindsItOnDisk) {
  {
    Specialiser first = specialiser();
    EXPECT_TRUE(compiles(first, key()));
  }
  Specialiser same = specialiser(), edited = specialiser("", "def k2"), optioned = specialiser("opt_level=1"),
              irrelevant = specialiser("debug=true verify_sync=true");
  EXPECT_FALSE(compiles(same, key()));
  EXPECT_TRUE(compiles(edited, key()));
  EXPECT_TRUE(compiles(optioned, key()));
  EXPECT_FALSE(compiles(irrelevant, key())) << "these options change no code";
  Specialiser elsewhere = specialiser();
  EXPECT_TRUE(compiles(elsewhere, key(0, &other), &other));
}

TEST_F(SpecialiserTest, WhatIsOnDiskHoldsForTheValuesItRead) {
  {
    Specialiser first = specialiser();
    EXPECT_TRUE(compiles(first, key()));
  }
  host.values["SIZE"] = 2;
  Specialiser second = specialiser();
  EXPECT_TRUE(compiles(second, key()));
}

TEST_F(SpecialiserTest, WhatOnlyThisProcessKnowsIsNotOnDisk) {
  CallKey byAddress;
  int object = 0;
  byAddress.addAddress(&object);
  byAddress.finish(platform);
  Specialiser kernel = specialiser();
  EXPECT_TRUE(compiles(kernel, byAddress));
  EXPECT_FALSE(compiles(kernel, byAddress));
  for (const char *options : {"print_ir_before_all=true", "run_passes=false"}) {
    Specialiser seen = specialiser(options);
    EXPECT_TRUE(compiles(seen, key()));
  }
  Specialiser dumped = specialiser("", "def k", folder / "dump");
  EXPECT_TRUE(compiles(dumped, key()));
  EXPECT_EQ(disk.usage().entries, 0);
}

TEST_F(SpecialiserTest, AReadNothingLeadsToIsGoodForOneLaunch) {
  host.complete = false;
  Specialiser kernel = specialiser();
  EXPECT_TRUE(compiles(kernel, key()));
  EXPECT_TRUE(compiles(kernel, key()));
  EXPECT_EQ(disk.usage().entries, 0);
}

TEST_F(SpecialiserTest, AlwaysCompileCompilesAndKeepsNothing) {
  Specialiser kernel = specialiser("always_compile=true");
  EXPECT_TRUE(compiles(kernel, key()));
  Call call(host);
  int64_t before = Specialiser::compilations();
  EXPECT_TRUE(kernel.specialise(call, key(), platform, error));
  EXPECT_EQ(Specialiser::compilations(), before + 1);
  EXPECT_EQ(disk.usage().entries, 0);
}

TEST_F(SpecialiserTest, ClearingForgetsMemoryNotDisk) {
  Specialiser kernel = specialiser();
  EXPECT_TRUE(compiles(kernel, key()));
  Call call(host);
  kernel.clear();
  EXPECT_FALSE(kernel.find(call, key()));
  EXPECT_FALSE(compiles(kernel, key()));
}

TEST_F(SpecialiserTest, ErrorsSayWhoseTheyAre) {
  Specialiser kernel = specialiser();
  Call call(host);
  errorOfNext = "k.py:1: error: no";
  EXPECT_FALSE(kernel.specialise(call, key(), platform, error));
  EXPECT_EQ(error.kind, Kind::Compile);
  EXPECT_EQ(error.compile.text, "k.py:1: error: no");
  EXPECT_FALSE(call.isRecording) << "a failed compilation ends its record";
  errorOfNext = "";

  host.described = false;
  error = {};
  EXPECT_FALSE(kernel.specialise(call, key(), platform, error));
  EXPECT_EQ(error.kind, Kind::Host);
  host.described = true;

  objectOfNext = "not an object";
  error = {};
  EXPECT_FALSE(kernel.specialise(call, key(), platform, error));
  EXPECT_EQ(error.kind, Kind::Launch);
  EXPECT_EQ(error.text, "the compiled kernel 'k' cannot be loaded: "
                        "The file was not recognized as a valid object file");
}

TEST_F(SpecialiserTest, AnObjectOnDiskThatDoesNotLoadIsCompiledAgain) {
  {
    Specialiser first = specialiser();
    Call call(host);
    objectOfNext = "not an object"; // it is stored before it is loaded
    EXPECT_FALSE(first.specialise(call, key(), platform, error));
    EXPECT_EQ(disk.usage().entries, 1);
  }
  objectOfNext = "";
  Specialiser second = specialiser();
  EXPECT_TRUE(compiles(second, key()));
}

TEST_F(SpecialiserTest, AThreadThatCompilesCannotWaitForItself) {
  Specialiser kernel = specialiser(), inner = specialiser("", "def inner");
  SpecialiseError nested;
  whileCompiling = [&] {
    Call call(host);
    EXPECT_FALSE(inner.specialise(call, key(), platform, nested));
  };
  EXPECT_TRUE(compiles(kernel, key()));
  EXPECT_EQ(nested.kind, Kind::Launch);
  EXPECT_EQ(nested.text, "kernel 'k' cannot be compiled while this thread compiles another one");
  EXPECT_TRUE(compiles(inner, key())) << "the turn was given back";
}

// The second thread waits without the host's lock, which the first needs to finish, and finds what the first made.
TEST_F(SpecialiserTest, TwoThreadsCompileOnce) {
  Specialiser kernel = specialiser();
  int64_t before = Specialiser::compilations();
  std::thread second;
  std::atomic<bool> isWaiting = false;
  struct Waiting final : HostCall {
    Waiting(Call &call, std::atomic<bool> &isWaiting) : call(call), isWaiting(isWaiting) {}
    bool describe(CompileRequest &request) override { return call.describe(request); }
    void beginRecording() override { call.beginRecording(); }
    RecordedReads endRecording() override { return call.endRecording(); }
    bool holds(const std::vector<HostRead> &reads) override { return call.holds(reads); }
    std::unique_ptr<RememberedReads> remember(std::vector<HostRead> reads) override {
      return call.remember(std::move(reads));
    }
    bool unchanged(const RememberedReads &reads) override { return call.unchanged(reads); }
    std::vector<frontend::HostRef> keptAlive() override { return {}; }
    void wait(llvm::function_ref<void()> blocking) override {
      isWaiting = true;
      call.wait(blocking);
    }
    Call &call;
    std::atomic<bool> &isWaiting;
  };
  std::shared_ptr<Specialisation> ofSecond;
  whileCompiling = [&] {
    second = std::thread([&] {
      std::lock_guard held(host.lock);
      Call call(host);
      Waiting waiting(call, isWaiting);
      SpecialiseError unused;
      ofSecond = kernel.specialise(waiting, key(), platform, unused);
    });
    host.lock.unlock(); // evaluating a host value lets others run
    while (!isWaiting)
      std::this_thread::yield();
    host.lock.lock();
  };
  Call call(host);
  host.lock.lock();
  std::shared_ptr<Specialisation> ofFirst = kernel.specialise(call, key(), platform, error);
  host.lock.unlock();
  second.join();
  EXPECT_EQ(Specialiser::compilations(), before + 1);
  EXPECT_TRUE(ofFirst);
  EXPECT_EQ(ofFirst, ofSecond);
}

TEST_F(SpecialiserTest, TheRequestSaysWhatTheKeySays) {
  std::vector<float> x(8), y(8);
  auto extent = [](std::vector<float> &array) {
    auto *begin = reinterpret_cast<const uint8_t *>(array.data());
    return Extent{begin, begin + array.size() * sizeof(float)};
  };
  CallKey key;
  key.addArray(isa::DType::F32, extent(x));
  key.addInt(3);
  key.addArray(isa::DType::F32, extent(y));
  key.addArray(isa::DType::F32, extent(y));
  key.finish(platform);
  Specialiser kernel = specialiser("opt_level=2");
  Call call(host);
  EXPECT_TRUE(kernel.specialise(call, key, platform, error));
  EXPECT_EQ(call.requested.noalias, (std::vector<bool>{true, false, false, false}));
  EXPECT_EQ(call.requested.options.optLevel, 2);
  EXPECT_EQ(call.requested.platform, &platform);
}

} // namespace
