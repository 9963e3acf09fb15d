# Helpers that keep the rooms' CMake files short.

# The generated ops of the isa dialect are compiled in so many parts: one file of them was the longest of the build.
set(TILESMITH_ISA_SHARDS 4)

# tilesmith_tablegen(<output below build/include> <action>): runs tilesmith-tblgen on the instruction table.
function(tilesmith_tablegen output action)
  set(table ${PROJECT_SOURCE_DIR}/include/tilesmith/Isa)
  file(GLOB deps CONFIGURE_DEPENDS ${table}/*.td)
  set(out ${PROJECT_BINARY_DIR}/include/${output})
  get_filename_component(dir ${out} DIRECTORY)
  file(MAKE_DIRECTORY ${dir})
  add_custom_command(OUTPUT ${out}
    COMMAND tilesmith-tblgen -I ${table} ${table}/Isa.td ${action} --write-if-changed -o ${out}
    DEPENDS tilesmith-tblgen ${deps} COMMENT "tilesmith-tblgen ${action}" VERBATIM)
  set_property(GLOBAL APPEND PROPERTY TILESMITH_TABLE_OUTPUTS ${out})
endfunction()

# LLVM and MLIR, as everything of ours links them: the packaged dylibs, or the archives, of which the linker takes what is used.
# The exported static targets would name every library that any part of LLVM can use.
add_library(TilesmithLlvm INTERFACE)
if(TILESMITH_STATIC_LLVM)
  file(GLOB archives ${LLVM_LIBRARY_DIRS}/libMLIR*.a ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
  list(FILTER archives EXCLUDE REGEX "TestPasses|TestUtils|CAPI")
  find_library(TILESMITH_ZSTD libzstd.a REQUIRED)
  target_link_libraries(TilesmithLlvm INTERFACE ${archives} ${TILESMITH_ZSTD} z Threads::Threads ${CMAKE_DL_LIBS})
else()
  target_link_libraries(TilesmithLlvm INTERFACE MLIR LLVM)
endif()

# tilesmith_library(<room> SOURCES ... [LINK ...] [MLIR]): one room, one static library. MLIR rooms share a precompiled header.
function(tilesmith_library name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_dependencies(${name} TilesmithTables)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_MLIR)
    add_dependencies(${name} TilesmithDialectHeaders)
    target_link_libraries(${name} PUBLIC TilesmithLlvm)
    target_precompile_headers(${name} REUSE_FROM TilesmithPch)
  endif()
endfunction()

# tilesmith_at_cpu_levels(<tests> <filter>): these tests once more with smaller CPUs, whose results must be the same.
function(tilesmith_at_cpu_levels name filter)
  foreach(level baseline avx2)
    add_test(NAME ${name}.${level} COMMAND ${name} --gtest_filter=${filter})
    set_tests_properties(${name}.${level} PROPERTIES ENVIRONMENT TILESMITH_CPU=${level})
  endforeach()
endfunction()
