// A process that a test may end at any moment.
//
//   store_child hold PATH     opens the store, says `open`, and keeps it until its input ends
//   store_child write PATH    commits pairs 1 to 100, one after the other, and says each number
//                             once it is committed, or `failed N`
//   store_child crowd PATH    the same by eight threads together, and keeps it until its input ends

#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "router/base/failure.h"
#include "store/sqlite/sqlite_engine.h"

namespace writ::store {

namespace {

constexpr int kPairs = 100;

void Say(const std::string& line) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const std::string text = line + "\n";
  if (::write(1, text.data(), text.size()) < 0) std::perror("store_child");
}

void CommitPair(Engine& engine, int number) {
  const std::string key = std::to_string(number);
  try {
    engine.Commit([&](Records& records) {
      records.InsertEvent({"acme", "left-" + key, "m", EventRow::State::kWaiting, {}, "doc"});
      records.InsertEvent({"acme", "right-" + key, "m", EventRow::State::kDone, {}, "doc"});
    });
    Say(key);
  } catch (const router::Failure& failure) {
    Say((failure.kind() == router::Failure::Kind::kTransient ? "failed " : "broken ") + key);
  }
}

void CommitInACrowd(Engine& engine) {
  constexpr int kThreads = 8;
  std::vector<std::thread> threads;
  for (int first = 1; first <= kThreads; ++first) {
    threads.emplace_back([&engine, first] {
      for (int number = first; number <= kPairs; number += kThreads) CommitPair(engine, number);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void WaitForEndOfInput() {
  char byte = 0;
  while (::read(0, &byte, 1) > 0) continue;
}

int Run(const std::string& mode, const std::string& path) {
  SqliteEngine engine({.path = path});
  if (mode == "write") {
    for (int number = 1; number <= kPairs; ++number) CommitPair(engine, number);
  } else if (mode == "crowd") {
    CommitInACrowd(engine);
    WaitForEndOfInput();  // whoever kills it finds it, however late
  } else {
    Say("open");
    WaitForEndOfInput();
  }
  return 0;
}

}  // namespace

}  // namespace writ::store

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    return writ::store::Run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    writ::store::Say(error.what());
    return 1;
  }
}
