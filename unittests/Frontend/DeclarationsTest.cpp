// What Python declares and what the compiler has.
#include "Asc2/Asc2.h"
#include "Asc2/Tiles.h"

#include "gtest/gtest.h"

namespace tilesmith::frontend {
namespace {

// A function that is declared and documented, and unknown inside a kernel.
TEST(DeclarationsTest, EveryDeclaredBuiltinIsImplemented) {
  ASSERT_GT(asc2::declarations().size(), 70u);
  for (const Declaration &declaration : asc2::declarations())
    EXPECT_TRUE(asc2::language().builtins().find(declaration.name) || pythonBuiltins().find(declaration.name))
        << declaration.name.str();
}

// An operation misspelt in a decorator would end the process when the function is first used.
TEST(DeclarationsTest, EveryElementwiseFunctionHasItsOperation) {
  auto unary = [](llvm::StringRef name) { return tile::symbolizeUnaryKind(name).has_value(); };
  auto binary = [](llvm::StringRef name) { return tile::symbolizeBinaryKind(name).has_value(); };
  auto comparison = [](llvm::StringRef name) { return tile::symbolizeCompareKind(name).has_value(); };
#define TILESMITH_ELEMENTWISE(group, name, operation, takesNumber) EXPECT_TRUE(group(operation)) << name;
#include "tilesmith/Frontend/Asc2Declarations.inc"
}

// The signature a kernel is checked against is the declaration's, to the last default.
TEST(DeclarationsTest, SignaturesAreThoseOfTheDeclarations) {
  const Signature &load = asc2::language().builtins().find("asc2.load")->signature;
  EXPECT_EQ(load.text, "tensor, shape=None, *, tile_id=None, offsets=None, location=UB, pad_value=0");
  EXPECT_EQ(load.positional, 2u);
  EXPECT_FALSE(load.isVariadic);
  EXPECT_TRUE(load.parameters[0].required);
  EXPECT_FALSE(load.parameters[1].required);

  const Signature &sum = asc2::language().builtins().find(asc2::tileMethod("sum"))->signature;
  EXPECT_EQ(sum.text, "input, *dims, keep_dims=False");
  EXPECT_EQ(sum.positional, 1u);
  EXPECT_TRUE(sum.isVariadic);

  EXPECT_EQ(asc2::language().builtins().find("range")->signature.text,
            asc2::language().builtins().find("asc2.range")->signature.text);
  EXPECT_EQ(asc2::shapeMethod("is_static"), "TensorShape.is_static");
  EXPECT_EQ(asc2::tileMethod("negative"), "");
}

} // namespace
} // namespace tilesmith::frontend
