// From CPython's syntax tree to ours.
#ifndef TILESMITH_PYTHON_AST_H
#define TILESMITH_PYTHON_AST_H

#include <nanobind/nanobind.h>

#include "tilesmith/Frontend/Ast.h"

#include <memory>

namespace tilesmith::python {

// Parses the source of one function, decorators and indentation included, as the file has it. `source.firstLine` is the
// line of its first character. Throws nanobind::python_error (SyntaxError, RecursionError, ValueError without a
// function in it).
std::unique_ptr<ast::Tree> parseFunction(const ast::SourceFile &source);

// Parses a whole file, given as UTF-8 with \n as line end. Throws nanobind::python_error (SyntaxError, RecursionError,
// MemoryError, ValueError for null bytes).
std::unique_ptr<ast::Tree> parseModule(const ast::SourceFile &source);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_AST_H
