// The table of options: values are checked by the types of their rows, and what is said in text comes back.
#include "tilesmith/Options/Options.h"
#include <gtest/gtest.h>
#include <set>

using namespace tilesmith;

namespace {

using Value = OptionValue;

std::string refused(std::string_view name, const Value &value) {
  KernelOptions options;
  return options.set(name, value).value_or("accepted");
}

TEST(Options, EveryRowIsFoundByItsNameAndTakesItsDefault) {
  std::set<std::string_view> names;
  for (const OptionRow &row : optionRows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " has two rows";
    EXPECT_EQ(findOption(row.name), &row);
    EXPECT_EQ(refused(row.name, row.standard), "accepted") << row.name;
    EXPECT_FALSE(row.text.empty());
  }
  EXPECT_EQ(findOption("speed"), nullptr);
}

TEST(Options, ValuesAreCheckedByType) {
  Value other{OptionKind::Other}, text{OptionKind::Text};
  EXPECT_EQ(refused("opt_level", Value::integer(4)), "opt_level is 1, 2 or 3");
  EXPECT_EQ(refused("opt_level", Value::boolean(true)), "opt_level is 1, 2 or 3");
  EXPECT_EQ(refused("opt_level", Value()), "opt_level is 1, 2 or 3");
  EXPECT_EQ(refused("vf_fusion", text), "vf_fusion is True or False");
  EXPECT_EQ(refused("vf_fusion", Value::integer(1)), "accepted");
  EXPECT_EQ(refused("debug", other), "debug is True or False");
  EXPECT_EQ(refused("without_sync", Value::integer(-1)), "without_sync is a number from 0 to 2147483647");
  EXPECT_EQ(refused("custom_builtins", other), "custom_builtins is a dict of names");
  EXPECT_EQ(refused("bisheng_options", other), "accepted");
  EXPECT_EQ(refused("kernel_type", Value::integer(8)),
            "kernel_type is one of AIV_ONLY, AIC_ONLY, MIX_AIV_HARD_SYNC, MIX_AIC_HARD_SYNC, MIX_AIV_1_0, MIX_AIC_1_0, "
            "MIX_AIC_1_1, MIX_AIC_1_2");
  EXPECT_EQ(refused("kernel_type", Value::integer(256)).substr(0, 21), "kernel_type is one of")
      << "a number that wraps";
  EXPECT_EQ(refused("speed", Value::integer(1)), "unknown option: speed");
}

TEST(Options, NoneIsTheDefaultOfASwitchAndAValueOfItsOwnElsewhere) {
  KernelOptions options;
  options.autoSync = false;
  options.reuseUb = true;
  EXPECT_FALSE(options.set("auto_sync", Value()) || options.set("reuse_ub", Value()));
  EXPECT_TRUE(options.autoSync);
  EXPECT_FALSE(options.reuseUb.has_value());
}

TEST(Options, OnlyWhatChangesCodeIsInTheKey) {
  KernelOptions options;
  EXPECT_EQ(options.key(), "");
  EXPECT_FALSE(options.parse("debug=true always_compile=true core_num=7 opt_level=1 reuse_ub=false kernel_type=6"));
  EXPECT_EQ(options.key(), "opt_level=1 reuse_ub=false kernel_type=6");
  EXPECT_FALSE(options.parse("opt_level=3"));
  EXPECT_EQ(options.key(), "reuse_ub=false kernel_type=6") << "a default that was said is the default";
}

TEST(Options, TextComesBack) {
  KernelOptions options, again;
  EXPECT_FALSE(options.parse("  vf_fusion=false without_sync=12   auto_sync=false "));
  EXPECT_EQ(options.text(), "vf_fusion=false auto_sync=false without_sync=12");
  EXPECT_FALSE(again.parse(options.text()));
  EXPECT_EQ(again.text(), options.text());
  EXPECT_EQ(again.withoutSync, 12);
  EXPECT_FALSE(again.parse("vf_fusion=none"));
  EXPECT_FALSE(again.vfFusion.has_value());
}

TEST(Options, TextThatIsWrongSaysWhy) {
  KernelOptions options;
  EXPECT_EQ(options.parse("opt_level"), "'opt_level' is not name=value with a value of true, false, none or a number");
  EXPECT_EQ(options.parse("opt_level=high"),
            "'opt_level=high' is not name=value with a value of true, false, none or a number");
  EXPECT_EQ(options.parse("opt_level=9"), "opt_level is 1, 2 or 3");
  EXPECT_EQ(options.parse("speed=9"), "unknown option: speed");
}

} // namespace
