#include "Verify.h"
#include "tilesmith/Verify/Compare.h"
#include <nanobind/stl/string.h>
#include <sys/stat.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace tilesmith::verify;

namespace tilesmith::python {
namespace {

constexpr const char *failureNames[] = {"", "nan", "inf", "inf-sign", "bool", "numeric"};

// One side of a comparison. Holds the buffer while it is looked at.
class Side {
public:
  Side(nb::handle source, const std::string &dtype, int64_t count, const char *what) {
    std::optional<DType> known = dtypeNamed(dtype);
    if (!known)
      throw nb::value_error(("dtype '" + dtype + "' cannot be compared").c_str());
    if (count < 0 || count > (int64_t(1) << 58))
      throw nb::value_error("the number of elements is out of range");
    elements.dtype = *known;
    int64_t bytes = count * sizeOf(*known);
    if (nb::isinstance<nb::float_>(source)) {
      elements.constant = nb::cast<double>(source);
      return;
    }
    if (nb::isinstance<nb::tuple>(source) && nb::len(source) == 2) {
      elements.fd = nb::cast<int>(source[0]);
      elements.offset = nb::cast<int64_t>(source[1]);
      struct stat info;
      if (elements.fd < 0 || fstat(elements.fd, &info) != 0)
        throw nb::value_error((std::string(what) + " is not an open file").c_str());
      if (elements.offset < 0 || elements.offset > info.st_size || bytes > info.st_size - elements.offset)
        tooShort(what, bytes, info.st_size - elements.offset);
      return;
    }
    if (PyObject_GetBuffer(source.ptr(), &buffer, PyBUF_C_CONTIGUOUS) != 0)
      throw nb::python_error();
    held = true;
    if (buffer.len < bytes) {
      int64_t have = buffer.len;
      PyBuffer_Release(&buffer);
      held = false;
      tooShort(what, bytes, have);
    }
    static const uint8_t nothing = 0; // an empty buffer may have no address
    elements.data = buffer.buf ? static_cast<const uint8_t *>(buffer.buf) : &nothing;
  }
  ~Side() {
    if (held)
      PyBuffer_Release(&buffer);
  }
  Side(const Side &) = delete;

  Elements elements{DType::F32};

private:
  [[noreturn]] static void tooShort(const char *what, int64_t bytes, int64_t have) {
    throw nb::value_error(
        (std::string(what) + " has " + std::to_string(have) + " bytes, " + std::to_string(bytes) + " are needed")
            .c_str());
  }

  Py_buffer buffer;
  bool held = false;
};

Options optionsOf(double threshold, unsigned threads) {
  if (!(threshold >= 0))
    throw nb::value_error("a threshold is not negative");
  Options options;
  options.threshold = threshold;
  options.threads = threads;
  return options;
}

nb::dict compareSides(nb::object candidate, const std::string &candidateDtype, nb::object golden,
                      const std::string &goldenDtype, int64_t count, double threshold, unsigned threads) {
  Side a(candidate, candidateDtype, count, "the candidate"), g(golden, goldenDtype, count, "the golden result");
  if (g.elements.isConstant())
    throw nb::value_error("a golden result is bytes, not a number");
  Options options = optionsOf(threshold, threads);
  Comparison result;
  {
    nb::gil_scoped_release release;
    result = compare(a.elements, g.elements, count, options);
  }
  if (result.readFailed)
    throw std::runtime_error("a file could not be mapped");
  nb::dict facts;
  facts["passed"] = result.passed();
  facts["failure"] = failureNames[size_t(result.failure)];
  facts["threshold"] = result.threshold;
  facts["count"] = result.count;
  facts["finite"] = result.finite;
  facts["nan_places"] = result.nanPlaces;
  facts["inf_places"] = result.infPlaces;
  facts["inf_signs"] = result.infSigns;
  facts["unequal"] = result.unequal;
  facts["mere"] = result.mere;
  facts["mare"] = result.mare;
  facts["at"] = result.firstAt;
  facts["candidate_there"] = result.candidateThere;
  facts["golden_there"] = result.goldenThere;
  return facts;
}

double meanOf(nb::object golden, const std::string &dtype, int64_t count, unsigned threads) {
  Side g(golden, dtype, count, "the golden result");
  Options options = optionsOf(0, threads);
  nb::gil_scoped_release release;
  return finiteMean(g.elements, count, options);
}

nb::list quantilesOf(nb::object candidate, const std::string &candidateDtype, nb::object golden,
                     const std::string &goldenDtype, int64_t count, nb::list shares, double threshold,
                     unsigned threads) {
  Side a(candidate, candidateDtype, count, "the candidate"), g(golden, goldenDtype, count, "the golden result");
  Options options = optionsOf(threshold, threads);
  std::vector<double> wanted, found;
  for (nb::handle share : shares)
    wanted.push_back(nb::cast<double>(share));
  {
    nb::gil_scoped_release release;
    found = relQuantiles(a.elements, g.elements, count, wanted, options);
  }
  nb::list result;
  for (double value : found)
    result.append(value);
  return result;
}

double thresholdNamed(const std::string &dtype) {
  if (dtype == "hifloat32")
    return kHifloat32Threshold;
  std::optional<DType> known = dtypeNamed(dtype);
  return thresholdOf(known ? *known : DType::F32);
}

} // namespace

void registerVerify(nb::module_ &module) {
  module.def(
      "compare", compareSides, "candidate"_a, "candidate_dtype"_a, "golden"_a, "golden_dtype"_a, "count"_a,
      "threshold"_a = 0.0, "threads"_a = 0u,
      "Judges contiguous elements by MERE and MARE. A side is a buffer or (file descriptor, offset); the candidate may "
      "also be a float, which stands for every element. threshold 0: by golden dtype.");
  module.def("finite_mean", meanOf, "golden"_a, "dtype"_a, "count"_a, "threads"_a = 0u,
             "Mean of the finite elements, rounded to their dtype.");
  module.def("rel_quantiles", quantilesOf, "candidate"_a, "candidate_dtype"_a, "golden"_a, "golden_dtype"_a, "count"_a,
             "shares"_a, "threshold"_a = 0.0, "threads"_a = 0u,
             "Relative errors at these shares of the finite elements, from at most 2**20 of them.");
  module.def("threshold", thresholdNamed, "dtype"_a, "The threshold t of the accuracy gate for a golden dtype.");
}

} // namespace tilesmith::python
