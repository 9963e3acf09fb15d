#include "PlatformFields.h"
#include "tilesmith/Isa/Chip.h"
#include <limits>
#include <variant>

namespace tilesmith::machine {

namespace {

struct NumberField {
  std::string_view name;
  std::variant<int32_t Platform::*, int64_t Platform::*> member;
  bool isDecimal = false; // kept in hundredths
  bool isNeeded = true;   // zero would make something free
  int64_t most = 0;       // 0: what the member holds
};

constexpr NumberField numberFields[] = {
    {"cubeCores", &Platform::cubeCores},
    {"vectorCores", &Platform::vectorCores},
    {"clockMHz", &Platform::clockMHz},
    {"maxBlocks", &Platform::maxBlocks, false, true, isa::mostBlocks}, // the compiler relies on it
    {"ubReserved", &Platform::ubReserved, false, false, 131072},
    {"l2Bytes", &Platform::l2Bytes},
    {"l2Line", &Platform::l2Line},
    {"l2DirtyPercent", &Platform::l2DirtyPercent, false, false},
    {"l2BacklogPart", &Platform::l2BacklogPart},
    {"hbmMBps", &Platform::hbmMBps},
    {"hbmWriteMBps", &Platform::hbmWriteMBps},
    {"l2MBps", &Platform::l2MBps},
    {"l2WriteMBps", &Platform::l2WriteMBps, false, false},
    {"hbmMissLatency", &Platform::hbmMissLatency, false, false},
    {"storeMissLatency", &Platform::storeMissLatency, false, false},
    {"nd2nzLatency", &Platform::nd2nzLatency, false, false},
    {"nd2nzBytesPerCycle", &Platform::nd2nzBytesPerCycle, true, false},
    {"l0cToGmLeast", &Platform::l0cToGmLeast, false, false},
    {"outstandingWindow", &Platform::outstandingWindow},
    {"oneCoreMissBytesPerCycle", &Platform::oneCoreMissBytesPerCycle, true},
    {"oneCoreWriteBytesPerCycle", &Platform::oneCoreWriteBytesPerCycle, true},
    {"windowLatency", &Platform::windowLatency, false, false},
    {"moveIssue", &Platform::moveIssue},
    {"moveOverlap", &Platform::moveOverlap},
    {"movesInFlight", &Platform::movesInFlight, false, true, 16},
    {"storeBuffer", &Platform::storeBuffer},
    {"hbmSpread", &Platform::hbmSpread, false, false},
    {"alignBytes", &Platform::alignBytes, false, false},
    {"alignCost", &Platform::alignCost, false, false},
    {"sharedReadUb", &Platform::sharedReadUb, false, false, 10000},
    {"sharedReadL1", &Platform::sharedReadL1, false, false, 10000},
    {"sharedReadTime", &Platform::sharedReadTime, false, false},
    {"burstCost", &Platform::burstCost, true},
    {"burstCostNz", &Platform::burstCostNz, true},
    {"burstRowNz", &Platform::burstRowNz, true, false},
    {"burstTouching", &Platform::burstTouching, false, false, 100},
    {"mte1Derating", &Platform::mte1Derating},
    {"imageDerating", &Platform::imageDerating, false, false},
    {"vectorBackToBack", &Platform::vectorBackToBack, false, false},
    {"bankGroups", &Platform::bankGroups, false, false, 64},
    {"bankBytes", &Platform::bankBytes, false, false},
    {"bankWriteDelay", &Platform::bankWriteDelay, false, false, 255},
    {"bankMerge", &Platform::bankMerge, false, false, 1},
    {"vfStart", &Platform::vfStart, false, false},
    {"vfRow", &Platform::vfRow, false, false},
    {"vfMemory", &Platform::vfMemory, false, false},
    {"vfPorts", &Platform::vfPorts, false, false},
    {"vfLoadPorts", &Platform::vfLoadPorts, false, false},
    {"vfStorePorts", &Platform::vfStorePorts, false, false},
    {"vfIssue", &Platform::vfIssue, false, false},
    {"vfWindow", &Platform::vfWindow, false, false},
    {"vfRegisters", &Platform::vfRegisters, false, false},
    {"vfForward", &Platform::vfForward, false, false},
    {"vfNarrowSpecial", &Platform::vfNarrowSpecial, false, false},
    {"simtStart", &Platform::simtStart, false, false},
    {"simtHit", &Platform::simtHit, false, false},
    {"simtMiss", &Platform::simtMiss, false, false},
    {"simtOutstanding", &Platform::simtOutstanding, false, false},
    {"simtSchedulers", &Platform::simtSchedulers, false, false},
    {"simtCacheBytes", &Platform::simtCacheBytes, false, false},
    {"simtLineBytes", &Platform::simtLineBytes, false, false},
    {"vfLoad", &Platform::vfLoad, true, false},
    {"vfStore", &Platform::vfStore, true, false},
    {"cubeMacF16", &Platform::cubeMacF16},
    {"cubeMacF32", &Platform::cubeMacF32},
    {"cubeMacI8", &Platform::cubeMacI8},
    {"cubeMacF4", &Platform::cubeMacF4, false, false},
    {"cubeHead", &Platform::cubeHead, false, false},
    {"cubeTail", &Platform::cubeTail, false, false},
    {"queueDepth", &Platform::queueDepth},
    {"scalarIssue", &Platform::scalarIssue},
    {"scalarAccess", &Platform::scalarAccess},
    {"barrier", &Platform::barrier, false, false},
    {"flagLatency", &Platform::flagLatency, false, false},
    {"launchNsOneCore", &Platform::launchNsOneCore},
    {"launchNsAllCores", &Platform::launchNsAllCores},
    {"hostLaunchNs", &Platform::hostLaunchNs, false, false},
    {"hostCopyNs", &Platform::hostCopyNs, false, false},
    {"hostMBps", &Platform::hostMBps, false, false},
    {"boundPercent", &Platform::boundPercent},
};

struct PathField {
  std::string_view name;
  MovePath Platform::*member;
  bool onlyC310 = false; // no other architecture has the path
};
constexpr PathField pathFields[] = {
    {"gmToUb", &Platform::gmToUb},         {"ubToGm", &Platform::ubToGm},       {"gmToL1", &Platform::gmToL1},
    {"l1ToGm", &Platform::l1ToGm},         {"l0cToGm", &Platform::l0cToGm},     {"l0cToL1", &Platform::l0cToL1},
    {"l0cToUb", &Platform::l0cToUb, true}, {"ubToL1", &Platform::ubToL1, true}, {"l1ToL0a", &Platform::l1ToL0a},
    {"l1ToL0b", &Platform::l1ToL0b},
};

void setNumber(Platform &platform, unsigned index, const int64_t *numbers) {
  std::visit([&](auto member) { platform.*member = std::decay_t<decltype(platform.*member)>(numbers[0]); },
             numberFields[index].member);
}
int64_t numberOf(const Platform &platform, const NumberField &field) {
  return std::visit([&](auto member) { return int64_t(platform.*member); }, field.member);
}
void setPath(Platform &platform, unsigned index, const int64_t *numbers) {
  platform.*pathFields[index].member = {int32_t(numbers[0]), int32_t(numbers[1])};
}
// Memories whose size a platform says. That of scales follows from what they scale (Platform.cpp).
constexpr unsigned numSized = unsigned(isa::Memory::L0AMX);
void setCapacity(Platform &platform, unsigned index, const int64_t *numbers) { platform.capacity[index] = numbers[0]; }
void setVector(Platform &platform, unsigned index, const int64_t *numbers) {
  platform.vector[index] = {int32_t(numbers[0]), int32_t(numbers[1]), int32_t(numbers[2])};
}
void setInstruction(Platform &platform, unsigned index, const int64_t *numbers) {
  platform.instruction[index] = {int32_t(numbers[0]), int32_t(numbers[1]), int32_t(numbers[2])};
}
void setVf(Platform &platform, unsigned index, const int64_t *numbers) {
  platform.vfCost[index] = {int32_t(numbers[0]), int32_t(numbers[1])};
}

// Whether vector instructions have the class.
bool isVectorCost(isa::CostClass cost) {
  return (cost >= isa::CostClass::OneSource && cost <= isa::CostClass::ReduceMax) ||
         cost == isa::CostClass::ReduceBlock;
}

// Instructions that vectors run, by their names.
template <typename Use> void forVectorInstructions(Use use) {
  for (unsigned i = 0; i < isa::numOpcodes; ++i)
    if (const isa::InstructionInfo &info = isa::getInstruction(isa::Opcode(i)); isVectorCost(info.cost))
      use(i, info.mnemonic);
}

template <typename Enum> void addNames(std::vector<std::string> &names, const char *prefix, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    names.push_back(prefix + std::string(stringify(Enum(i))));
}

} // namespace

std::vector<std::string> platformFieldNames() {
  std::vector<std::string> names;
  for (const NumberField &field : numberFields)
    names.emplace_back(field.name);
  for (const PathField &field : pathFields)
    names.emplace_back(field.name);
  addNames<isa::Memory>(names, "capacity.", numSized);
  addNames<isa::CostClass>(names, "vector.", isa::numCostClass);
  addNames<isa::CostClass>(names, "vf.", isa::numCostClass);
  forVectorInstructions([&](unsigned, std::string_view name) { names.push_back("instruction." + std::string(name)); });
  return names;
}

std::optional<PlatformField> findPlatformField(std::string_view name) {
  using Shape = PlatformField::Shape;
  constexpr int64_t narrow = std::numeric_limits<int32_t>::max(), wide = std::numeric_limits<int64_t>::max();
  for (unsigned i = 0; i < std::size(numberFields); ++i)
    if (const NumberField &field = numberFields[i]; name == field.name) {
      int64_t most = std::holds_alternative<int32_t Platform::*>(field.member) ? narrow : wide;
      return PlatformField{field.isDecimal ? Shape::Decimal : Shape::Whole, setNumber, i,
                           field.most ? field.most : most};
    }
  for (unsigned i = 0; i < std::size(pathFields); ++i)
    if (name == pathFields[i].name)
      return PlatformField{Shape::Path, setPath, i, narrow};
  size_t dot = std::min(name.find('.') + 1, name.size());
  std::string_view group = name.substr(0, dot), member = name.substr(dot);
  if (auto memory = isa::symbolize<isa::Memory>(member); memory && unsigned(*memory) < numSized && group == "capacity.")
    return PlatformField{Shape::Whole, setCapacity, unsigned(*memory), wide};
  if (auto cost = isa::symbolize<isa::CostClass>(member); cost && group == "vector.")
    return PlatformField{Shape::Vector, setVector, unsigned(*cost), narrow};
  else if (cost && group == "vf.")
    return PlatformField{Shape::Latency, setVf, unsigned(*cost), narrow};
  std::optional<PlatformField> field;
  if (group == "instruction.")
    forVectorInstructions([&](unsigned opcode, std::string_view name) {
      if (name == member)
        field = PlatformField{Shape::Vector, setInstruction, opcode, narrow};
    });
  return field;
}

std::string missingNumber(const Platform &platform) {
  for (const NumberField &field : numberFields)
    if (field.isNeeded && numberOf(platform, field) <= 0)
      return std::string(field.name);
  for (const PathField &field : pathFields)
    if ((platform.*field.member).bytesPerCycle <= 0 && !(field.onlyC310 && platform.arch != isa::Arch::C310))
      return std::string(field.name);
  for (unsigned i = 0; i < numSized; ++i)
    if (platform.capacity[i] <= 0)
      return "capacity." + std::string(stringify(isa::Memory(i)));
  bool hasVf = platform.arch == isa::Arch::C310;
  for (const VfCost &cost : platform.vfCost)
    hasVf |= cost.busy > 0;
  for (unsigned i = 0; i < isa::numCostClass; ++i) {
    if (!isVectorCost(isa::CostClass(i)))
      continue;
    if (platform.vector[i].perRepeatF32 <= 0 || platform.vector[i].perRepeatF16 <= 0)
      return "vector." + std::string(stringify(isa::CostClass(i)));
    if (hasVf && (platform.vfCost[i].busy <= 0 || platform.vfCost[i].latency <= 0))
      return "vf." + std::string(stringify(isa::CostClass(i)));
  }
  return hasVf && platform.vfPorts <= 0 ? "vfPorts" : "";
}

} // namespace tilesmith::machine
