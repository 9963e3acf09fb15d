// Tiling data as custom operators define and read it, the key of a tiling, and workspaces.
//
// A struct is defined by BEGIN_TILING_DATA_DEF (the operator's host header) or by hand, and registered for the kernels
// of the file; GET_TILING_DATA copies it from global memory. The key is TILING_KEY_VAR (a compiler option), or what
// ICPU_SET_TILING_KEY set before a launch.
#ifndef TILESMITH_ASCENDC_TILING_H
#define TILESMITH_ASCENDC_TILING_H

#include "tilesmith/sync.h"

namespace tilesmith {

inline int64_t tilingKey TILESMITH_HIDDEN =
#ifdef TILING_KEY_VAR
    TILING_KEY_VAR;
#else
    -1;
#endif

inline bool isTilingKey(int64_t key, Where where = Where::here()) {
  if (tilingKey < 0)
    fail(where, TS_FINDING_TilingKey,
         "TILING_KEY_IS without a key: give the compiler -DTILING_KEY_VAR=<key>, or call ICPU_SET_TILING_KEY before "
         "the launch");
  return tilingKey == key;
}

struct NoTiling {};

template <typename T> T tilingAt(const void *data) {
  static_assert(!std::is_same_v<T, NoTiling>,
                "GET_TILING_DATA: no tiling struct is known here; include the operator's tiling header "
                "(BEGIN_TILING_DATA_DEF ... REGISTER_TILING_DATA_CLASS) or use REGISTER_TILING_DEFAULT");
  T result;
  memcpy(static_cast<void *>(&result), data, sizeof(T));
  return result;
}

} // namespace tilesmith

// A registered struct is what this returns; without one, the template is found.
template <typename... None> tilesmith::NoTiling tilesmithTilingStruct(None...);

#define REGISTER_TILING_DEFAULT(TYPE) TYPE tilesmithTilingStruct();
#define REGISTER_TILING_FOR_TILINGKEY(KEYS, TYPE)
#define GET_TILING_DATA_WITH_STRUCT(TYPE, NAME, DATA) TYPE NAME = ::tilesmith::tilingAt<TYPE>(DATA)
#define GET_TILING_DATA(NAME, DATA)                                                                                    \
  decltype(tilesmithTilingStruct()) NAME = ::tilesmith::tilingAt<decltype(tilesmithTilingStruct())>(DATA)
#define GET_TILING_DATA_MEMBER(TYPE, MEMBER, NAME, DATA)                                                               \
  decltype(TYPE::MEMBER) NAME = ::tilesmith::tilingAt<TYPE>(DATA).MEMBER
#define GET_TILING_DATA_PTR_WITH_STRUCT(TYPE, NAME, DATA) const TYPE *NAME = reinterpret_cast<const TYPE *>(DATA)
#define COPY_TILING_WITH_STRUCT(TYPE, DATA, NAME) TYPE *NAME = reinterpret_cast<TYPE *>(DATA)
#define TILING_KEY_IS(KEY) ::tilesmith::isTilingKey(int64_t(KEY))

namespace AscendC {
inline void SetSysWorkspaceForce(GM_ADDR address) {
  tilesmith::api->tsm_set_register(tilesmith::core, int64_t(tilesmith::Register::Workspace),
                                   int64_t(reinterpret_cast<intptr_t>(address)));
}
inline void SetSysWorkspace(GM_ADDR address) { SetSysWorkspaceForce(address); }
inline GM_ADDR GetUserWorkspace(GM_ADDR address) { return address; }
} // namespace AscendC

inline GM_ADDR GetSysWorkSpacePtr() {
  return reinterpret_cast<GM_ADDR>(
      intptr_t(tilesmith::api->tsm_get_register(tilesmith::core, int64_t(tilesmith::Register::Workspace))));
}
inline GM_ADDR GetUserWorkspace(GM_ADDR address) { return address; }

#endif
