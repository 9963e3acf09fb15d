// A part of acl.h, which has everything.
#pragma once
#include "acl/acl.h"
