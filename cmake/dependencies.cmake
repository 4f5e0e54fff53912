# Everything that writ links, from Debian's packages.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
# The header's class layout depends on the flags that pkg-config gives: a target that includes
# <httplib.h> without linking this reads wrong fields without a word.
pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib=0.11.4)
find_package(OpenSSL 3 REQUIRED)
find_package(CURL 7.88 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(SQLite3 3.40 REQUIRED)
find_package(SQLiteCpp 3.2 REQUIRED CONFIG)
find_package(PostgreSQL 15 REQUIRED)
find_package(CLI11 REQUIRED CONFIG)
find_package(fmt 9 REQUIRED CONFIG)
find_package(date 3.0 REQUIRED CONFIG)
find_package(spdlog 1.10 REQUIRED CONFIG)
# No version: Debian's package has no file that would tell it.
find_package(prometheus-cpp REQUIRED CONFIG)
pkg_check_modules(HIREDIS REQUIRED IMPORTED_TARGET hiredis)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
if(WRIT_TESTS)
  find_package(GTest 1.12 REQUIRED CONFIG)
  find_package(benchmark 1.7 REQUIRED CONFIG)
  find_package(nlohmann_json 3.11 REQUIRED CONFIG)  # what tests/fuzz compares our reader with
endif()
