// The options of kernels as an option of a pass: --plan-memory="options={reuse_ub=true opt_level=1}".
#ifndef TILESMITH_TRANSFORMS_OPTIONPARSER_H
#define TILESMITH_TRANSFORMS_OPTIONPARSER_H

#include "tilesmith/Options/Options.h"
#include "llvm/Support/CommandLine.h"

template <> class llvm::cl::parser<tilesmith::KernelOptions> : public basic_parser<tilesmith::KernelOptions> {
public:
  using basic_parser::basic_parser;

  bool parse(Option &option, StringRef, StringRef text, tilesmith::KernelOptions &value) {
    std::optional<std::string> wrong = value.parse({text.data(), text.size()});
    return wrong && option.error(*wrong);
  }
  StringRef getValueName() const override { return "name=value ..."; }
  void printOptionDiff(const Option &option, const tilesmith::KernelOptions &value,
                       const OptionValue<tilesmith::KernelOptions> &, size_t width) const {
    printOptionName(option, width);
    outs() << "= " << value.text() << '\n';
  }

  static void print(raw_ostream &os, const tilesmith::KernelOptions &value) { os << '{' << value.text() << '}'; }
};

#endif // TILESMITH_TRANSFORMS_OPTIONPARSER_H
