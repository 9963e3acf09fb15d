// Where the bytes of calls lie and what their numbers may be, as code over a reader (Isa/Layouts.h explains it), and
// which function executes them. Forms that say the same share a case.
#include "Emitters.h"
#include "LayoutExpression.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace tilesmith::tblgen {

namespace {

// The statements of one form, with the names they use declared before them.
class Body {
public:
  Body(const FormView &form, const RecordKeeper &records) : form(form), records(records) {}

  std::string cpp(StringRef text) { return cppOf(*parseLayoutExpression(form, records, text), names); }
  std::string cpp(const LayoutExpression &expression) { return cppOf(expression, names); }
  void line(const Twine &text) { lines += ("    " + text + "\n").str(); }

  std::string text() const {
    std::string declared;
    for (const std::string &name : names) {
      declared += "    [[maybe_unused]] const V " + name + " = ";
      auto operand = find_if(form.operands, [&](const OperandView &op) { return op.name == name; });
      declared += operand == form.operands.end()
                      ? "reader." + name + "();\n"
                      : "reader.arg(" + std::to_string(operand - form.operands.begin()) + ");\n";
    }
    return declared + lines;
  }

protected:
  const FormView &form;
  const RecordKeeper &records;
  std::set<std::string> names;
  std::string lines;
};

class LayoutBody : Body {
public:
  using Body::Body;

  std::string layouts() {
    std::vector<const Record *> all = layoutsOf(form);
    std::set<StringRef> told;
    for (StringRef access : {"Read", "Write"})
      for (const Record *lies : all)
        if (accessOf(lies).contains(access)) {
          told.insert(lies->getValueAsString("operand"));
          one(lies, access);
        }
    for (const OperandView &op : form.operands)
      if (op.isBuffer() && !told.count(op.name))
        PrintFatalError(form.record,
                        "the form " + form.form + " does not say where the bytes of '" + op.name + "' lie");
    return text();
  }

private:
  StringRef accessOf(const Record *lies) {
    StringRef access = lies->getValueAsString("access");
    return access.empty() ? form.operands[form.operandIndex(lies->getValueAsString("operand"))].access : access;
  }

  void one(const Record *lies, StringRef access) {
    unsigned operand = form.operandIndex(lies->getValueAsString("operand"));
    place = ("Access::" + access + ", " + Twine(operand)).str();
    elementSize = elementSizeOf(form.operands[operand]);
    LayoutExpressionPtr shape = parseLayoutExpression(form, records, lies->getValueAsString("shape"));
    std::string offset = "V(0)";
    if (shape->text == "at") {
      offset = cpp(*shape->parts[0]);
      shape = shape->parts[1];
    }
    std::string call = "reader." + callOf(*shape, offset) + ";";
    StringRef when = lies->getValueAsString("when");
    line(when.empty() ? call : "if (reader.may(" + cpp(when) + "))\n      " + call);
  }

  std::string elementSizeOf(const OperandView &op) {
    if (op.element == "uint32_t")
      return "V(4)";
    std::string name = form.hasDtype2() && op.name == form.field("dtype2Of") ? "size2" : "size";
    names.insert(name);
    return name;
  }

  std::string callOf(const LayoutExpression &shape, const std::string &offset) {
    std::vector<std::string> arguments;
    for (const LayoutExpressionPtr &part : shape.parts)
      arguments.push_back(cpp(*part));
    auto level = [&](size_t i) { return "{" + arguments[i] + ", " + arguments[i + 1] + "}"; };
    auto run = [&](const std::string &length, const std::string &levels) {
      return "run(" + place + ", " + offset + ", " + length + ", {" + levels + "})";
    };
    if (shape.text == "run") {
      std::string levels;
      for (size_t i = 1; i + 1 < arguments.size(); i += 2)
        levels += (i > 1 ? ", " : "") + level(i);
      return run(arguments[0], levels);
    }
    if (shape.text == "rows")
      return run(arguments[1], "{" + arguments[0] + ", " + arguments[2] + "}");
    if (shape.text == "elements")
      return run("(" + arguments[0] + " * " + (arguments.size() > 1 ? arguments[1] : elementSize) + ")", "");
    if (shape.text == "bits")
      return run("ceil(" + arguments[0] + ", V(8))", "");
    if (shape.text == "nz")
      return "nz(" + place + ", " + join(ArrayRef(arguments).take_front(4), ", ") + ", " +
             (arguments.size() > 4 ? level(4) : "{V(1), V(0)}") + ")";
    if (shape.text == "lanes")
      return "lanes(" + place + ", " + (arguments.size() > 4 ? arguments[4] : elementSize) + ", " +
             join(ArrayRef(arguments).take_front(4), ", ") + ")";
    if (shape.text == "zz" || shape.text == "results" || shape.text == "packed")
      return shape.text + "(" + place + ", " + join(arguments, ", ") + ")";
    PrintFatalError(form.record, "'" + Twine(shape.text) + "' is not a shape");
  }

  std::string place, elementSize;
};

class LimitBody : Body {
public:
  using Body::Body;

  std::string limits() {
    for (const auto &[i, op] : enumerate(form.operands)) {
      if (op.isAttribute())
        line("reader.between(" + Twine(i) + ", V(0), V(int64_t(num" + op.enumeration + ") - 1));");
      else if (op.isMask)
        line("reader.mask(" + Twine(i) + ", " + cpp(op.high) + ");");
      else if (!op.high.empty())
        line("reader.between(" + Twine(i) + ", " + cpp(op.low) + ", " + cpp(op.high) + ");");
      if (!op.multiple.empty())
        line("reader.multiple(" + Twine(i) + ", " + cpp(op.multiple) + ");");
    }
    return text();
  }
};

template <typename Make> void emitSwitch(ArrayRef<FormView> forms, StringRef name, raw_ostream &os, Make make) {
  MapVector<StringRef, SmallVector<const FormView *>> cases;
  std::vector<std::string> bodies;
  bodies.reserve(forms.size());
  for (const FormView &form : forms) {
    bodies.push_back(make(form));
    if (!bodies.back().empty())
      cases[bodies.back()].push_back(&form);
  }
  os << "template <typename Reader> void " << name << "(Opcode opcode, Reader &reader) {\n"
     << "  using V = typename Reader::Value;\n  switch (opcode) {\n";
  for (const auto &[body, members] : cases) {
    for (const FormView *form : members)
      os << "  case Opcode::" << form->camelCase() << ":\n";
    os << "  {\n" << body << "    return;\n  }\n";
  }
  os << "  default:\n    return;\n  }\n}\n\n";
}

} // namespace

void emitLayouts(const RecordKeeper &records, raw_ostream &os) {
  std::vector<FormView> forms = collectForms(records);
  emitSwitch(forms, "visitLayouts", os, [&](const FormView &form) { return LayoutBody(form, records).layouts(); });
  emitSwitch(forms, "visitLimits", os, [&](const FormView &form) { return LimitBody(form, records).limits(); });
}

// Declarations of the functions that execute, and the cases of a switch over opcodes that call them.
void emitExecution(const RecordKeeper &records, raw_ostream &os) {
  std::vector<FormView> forms = collectForms(records);
  MapVector<StringRef, SmallVector<const FormView *>> functions;
  for (const FormView &form : forms)
    if (!form.field("execute").empty())
      functions[form.field("execute")].push_back(&form);
  auto returns = [](const FormView *form) { return form->hasResult() || form->record->getValueAsBit("tellsCore"); };
  os << "#ifdef TILESMITH_EXECUTION_FUNCTIONS\n#undef TILESMITH_EXECUTION_FUNCTIONS\n";
  for (const auto &[function, members] : functions) {
    for (const FormView *form : members)
      if (returns(form) != returns(members.front()))
        PrintFatalError(form->record,
                        "some instructions of '" + function + "' have a number for the core, others none");
    os << (returns(members.front()) ? "int64_t " : "void ") << function
       << "(const Instr &instr, const MemoryView &memory);\n";
  }
  os << "#endif\n#ifdef TILESMITH_EXECUTION_CASES\n#undef TILESMITH_EXECUTION_CASES\n";
  for (const auto &[function, members] : functions) {
    for (const FormView *form : members)
      os << "case Opcode::" << form->camelCase() << ":\n";
    os << (returns(members.front()) ? "  return exec::" : "  exec::") << function << "(instr, memory);\n";
    if (!returns(members.front()))
      os << "  return 0;\n";
  }
  os << "#endif\n";
}

} // namespace tilesmith::tblgen
