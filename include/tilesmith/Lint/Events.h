// What the engine tells about a candidate while it follows it: facts with their place, not verdicts. What a fact means
// is for rules to say (Rule.h).
//
// An event is told when a path that may be taken comes by, so the same one may be told several times.
#ifndef TILESMITH_LINT_EVENTS_H
#define TILESMITH_LINT_EVENTS_H

#include "tilesmith/Frontend/Ast.h"

#include <string>
#include <vector>

namespace tilesmith::lint {

// What of the candidate runs: the file, the constructor of ModelNew, a first call of forward that shows which inputs
// are tensors, and the call that counts.
enum class Phase : uint8_t { Import, Construct, Probe, Forward };

enum class EventKind : uint8_t {
  KernelsRead,
  ModelRead,
  ForwardFollowed,
  Launch,
  HostCompute,
  HostValue,
  LayerUse,
  ForeignCall,
  UnresolvedCall,
  UnresolvedOperator,
  KernelHostCode,
  TensorKept,
  ObjectMade,
  Returned,
  Replaced,
  Imported,
  ModuleReached,
  AttributeRead,
  HandlerRead,
  Loop,
  Append,
  GaveUp,
};
constexpr unsigned eventKinds = unsigned(EventKind::GaveUp) + 1;

struct Event {
  EventKind kind;
  Phase phase = Phase::Import;
  ast::Range range;    // line 0: of the whole file
  std::string spelled; // as the user wrote it: `torch.relu`, `x.sum()`, `self.conv(...)`, `@`; may be empty

protected:
  explicit Event(EventKind kind) : kind(kind) {}
};

template <EventKind eventKind> struct EventOf : Event {
  static constexpr EventKind ofKind = eventKind;
  EventOf() : Event(eventKind) {}
};

struct KernelFact {
  std::string name;
  unsigned line;
  bool usesLanguage; // its body uses load, store or another name of the kernel language
  bool stores;
};

// The kernels of the file that count, by line. Told once.
struct KernelsRead : EventOf<EventKind::KernelsRead> {
  std::vector<KernelFact> kernels;
};

// The class ModelNew, or that there is none. Told once, before it is followed.
struct ModelRead : EventOf<EventKind::ModelRead> {
  bool hasClass = false, hasForward = false;
};

// Both calls of forward are done. Told once, if there is a forward.
struct ForwardFollowed : EventOf<EventKind::ForwardFollowed> {
  bool launches = false;           // some kernel
  bool isComplete = true;          // false: given up before the end
  std::vector<std::string> called; // kernels whose results reach what forward returns, sorted
};

struct Launch : EventOf<EventKind::Launch> {
  const ast::Expr *call = nullptr; // or null: not written as a call
};

// A function, method or operator computes on tensors outside kernels.
struct HostCompute : EventOf<EventKind::HostCompute> {};

// Numbers that were read from a tensor and computed with are used.
struct HostValue : EventOf<EventKind::HostValue> {
  enum class Use : uint8_t { InNewTensor, InTensor, InFunction };
  Use use = Use::InFunction;
  std::string function; // of InFunction: its path
};

// A layer of torch.nn is made or called while forward runs.
struct LayerUse : EventOf<EventKind::LayerUse> {
  bool isCalled = false;
};

// What is known about code outside the file by its name alone.
enum class Conduct : uint8_t {
  Unknown,
  RunsHiddenCode,  // eval and the like
  ChoosesCallee,   // dispatch by type
  InspectsProcess, // frames, the garbage collector
  ReadsFiles,
  ReplacesLibrary, // operations of torch
  RunsBeside,      // starts code that runs beside forward: threads, processes, handlers, hooks
  LeavesProcess,   // or the thread
};

// A call of something outside the file that the engine does not know to be harmless.
struct ForeignCall : EventOf<EventKind::ForeignCall> {
  std::string path;
  Conduct conduct = Conduct::Unknown;
  bool handsTensors = false;
};

struct UnresolvedCall : EventOf<EventKind::UnresolvedCall> {
  enum class Callee : uint8_t { Value, Tensor, Forward };
  Callee callee = Callee::Value; // Forward: of a module whose class defines none
  bool handsTensors = false;
};

// A tensor is put where it may outlive the call of forward and cannot be followed.
// An operator on something that holds tensors and that nothing in the file says the meaning of.
struct UnresolvedOperator : EventOf<EventKind::UnresolvedOperator> {};

// The body of a kernel calls, or uses tensors of, the host. Spelled as it is written there.
struct KernelHostCode : EventOf<EventKind::KernelHostCode> {
  bool isTensor = false; // used, not called
};

struct TensorKept : EventOf<EventKind::TensorKept> {
  bool inCache = false; // functools.cache around it; else an object that is not in the file
};

struct ObjectMade : EventOf<EventKind::ObjectMade> {
  bool looksLikeTensor = false; // its class derives from torch.Tensor or intercepts operations
};

// One of the things that forward may return.
struct Returned : EventOf<EventKind::Returned> {
  bool isForeign = false; // does not come from this file
  bool looksLikeTensor = false;
  bool hasTensors = false;
  bool isEarned = false; // a kernel of this call has written it, or it was computed on the host, which was told
  bool isStale = false;  // kept from an earlier call
};

struct Replaced : EventOf<EventKind::Replaced> {
  enum class What : uint8_t { OfOtherModule, AttributeLookup, ObjectCreation, Membership, Function, ModuleCall };
  What what = What::OfOtherModule;
  std::string path; // of OfOtherModule
};

// `import module`, `from module import name`, import_module(module).
struct Imported : EventOf<EventKind::Imported> {
  std::string module, name;
  bool isNamed = true; // false: the name of the module is not in the source
};

// A module got out of sys.modules; empty: any.
struct ModuleReached : EventOf<EventKind::ModuleReached> {
  std::string module;
};

// Spelled as its name.
struct AttributeRead : EventOf<EventKind::AttributeRead> {};

// The handlers of a try statement.
struct HandlerRead : EventOf<EventKind::HandlerRead> {
  bool isAroundLaunch = false;
  bool isSwallowed = false; // one of them neither leaves nor launches
};

struct Loop : EventOf<EventKind::Loop> {};     // of Python
struct Append : EventOf<EventKind::Append> {}; // to a list

// The candidate is too large or too deeply nested to be followed to its end.
struct GaveUp : EventOf<EventKind::GaveUp> {};

class Listener {
public:
  virtual ~Listener() = default;
  virtual void hear(const Event &event) = 0;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_EVENTS_H
