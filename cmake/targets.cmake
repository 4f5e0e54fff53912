# What every target of ours is compiled with. Sanitizers must hold for the whole program, so they
# alone are set for the directory.
if(WRIT_SANITIZE)
  add_compile_options(-fsanitize=${WRIT_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WRIT_SANITIZE})
  # What the two sanitizers of addresses write into `writ` alone needs six million relocations.
  # At a fixed address they are done once, by the linker, and not at each of the thousands of
  # starts that the tests make; and the trees are a third smaller.
  if(WRIT_SANITIZE MATCHES address)
    add_link_options(-no-pie)
  endif()
endif()

add_library(writ_options INTERFACE)
target_include_directories(writ_options INTERFACE ${PROJECT_SOURCE_DIR})
target_link_libraries(writ_options INTERFACE Threads::Threads)
target_compile_definitions(writ_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>
                                                  $<$<BOOL:${WRIT_FAILPOINTS}>:WRIT_FAILPOINTS>)
target_compile_options(
  writ_options
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
            -Woverloaded-virtual -Wold-style-cast -Wcast-align -Wformat=2 -Wimplicit-fallthrough
            -Wswitch-enum -Wundef -Wextra-semi
            $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wduplicated-branches -Wlogical-op
            -Wno-restrict>
            $<$<NOT:$<CONFIG:RelWithDebInfo>>:-Werror>)

# writ_library(NAME SOURCES... LINK targets...)
function(writ_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC writ_options ${ARG_LINK} PRIVATE ${ARG_PRIVATE})
endfunction()

# writ_test(NAME LABELS unit|contract|system|... [threads] SOURCES ... LINK ... [TOGETHER FILTER])
# `threads` marks what the thread sanitizer's build runs; `in_NAME` says which program a test is in
# (./dev test --changed). Each test is a process of its own, but for
# those that the FILTER of gtest names: they are one, for what they share takes its time to start.
function(writ_test name)
  cmake_parse_arguments(ARG "" "TOGETHER" "LABELS;SOURCES;LINK" ${ARGN})
  if(WRIT_SANITIZE STREQUAL "thread" AND NOT "threads" IN_LIST ARG_LABELS)
    return()
  endif()
  list(APPEND ARG_LABELS in_${name})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE writ_options ${ARG_LINK} GTest::gtest_main)
  if("threads" IN_LIST ARG_LABELS)
    add_dependencies(thread_tests ${name})
  endif()
  # Both sanitizers' tests stand in one list (./dev test).
  if(WRIT_SANITIZE STREQUAL "thread")
    set(prefix TEST_PREFIX "tsan/")
  endif()
  if(ARG_TOGETHER)
    set(apart TEST_FILTER "-${ARG_TOGETHER}")
    string(MAKE_C_IDENTIFIER "${ARG_TOGETHER}" suffix)
    if(WRIT_SANITIZE STREQUAL "thread")
      set(together "tsan/${name}${suffix}")
    else()
      set(together "${name}${suffix}")
    endif()
    add_test(NAME ${together} COMMAND ${name} "--gtest_filter=${ARG_TOGETHER}"
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${together} PROPERTIES TIMEOUT 900 LABELS "${ARG_LABELS}")
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST ${prefix} ${apart}
                       WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} PROPERTIES TIMEOUT 300)
  # Not among PROPERTIES: there a second label swallows what follows it.
  set(labels ${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake)
  file(CONFIGURE OUTPUT ${labels} @ONLY CONTENT [[
foreach(test IN LISTS @name@_TESTS)
  set_tests_properties(${test} PROPERTIES LABELS "@ARG_LABELS@")
endforeach()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels})
endfunction()
include(GoogleTest)
if(WRIT_TESTS)
  add_custom_target(thread_tests)
  add_custom_target(benches)
endif()

# writ_bench(NAME SOURCES ... LINK ...): a program on Google Benchmark, built by `./dev bench` alone.
function(writ_bench name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE writ_options ${ARG_LINK} benchmark::benchmark_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/benches)
  add_dependencies(benches ${name})
endfunction()
