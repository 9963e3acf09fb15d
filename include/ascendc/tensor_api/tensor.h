// The Tensor API (AscendC::Te).
#pragma once
#include "tilesmith/tensor_api.h"
