// Reading arrays, by where they come from. Each function sets a Python exception naming the argument when it fails.
#ifndef TILESMITH_PYTHON_ARRAYARGUMENTS_H
#define TILESMITH_PYTHON_ARRAYARGUMENTS_H

#include "Arguments.h"

namespace tilesmith::python {

// Names looked up on every call are interned once; they live as long as the interpreter.
inline PyObject *interned(const char *text) { return PyUnicode_InternFromString(text); }

// numpy arrays and scalars, bytearray, array.array, memoryview. `out.view.obj` tells whether the object gave its
// buffer.
bool readBuffer(PyObject *value, PyObject *name, Argument &out);
// bfloat16 of the ml_dtypes package, which has no buffer format.
bool readForeignNumpy(PyObject *value, PyObject *name, Argument &out);
bool readTorch(PyObject *value, PyObject *name, Argument &out);
// Anything else that speaks DLPack.
bool readDlpack(PyObject *value, PyObject *name, Argument &out);

// An array without dimensions is the number in it.
void becomeScalar(Argument &out);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_ARRAYARGUMENTS_H
