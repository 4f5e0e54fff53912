// A server of the Model Context Protocol on standard input and output, which does what its control
// file says: a program of its own, for tests of what talks to one.
//
//   stdio_stub FOLDER [--era handshake|stateless] [--noise] [--questions] [--deaf] [--stays]
//                     [--ends-at-once]
//
// FOLDER/control   {"mode": "text|error|ends|stalls|long|odd|chatters", "text": …}, read at each
// call FOLDER/tools     the list of `tools/list`, where it is there FOLDER/record    a JSON line
// for each start, each call, and each answer to a question
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "router/base/json.h"

namespace {

using writ::router::Json;

std::string g_folder;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void Record(const Json& line) {
  std::ofstream(g_folder + "/record", std::ios::app) << line.Dump() << std::endl;
}

void Say(const Json& message) { std::cout << message.Dump() << std::endl; }

void Answer(const Json& id, Json result) {
  Say(Json::MakeObject({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}));
}

void Refuse(const Json& id, int code) {
  Say(Json::MakeObject({{"jsonrpc", "2.0"},
                        {"id", id},
                        {"error", Json::MakeObject({{"code", code}, {"message", "no"}})}}));
}

Json TextResult(const std::string& text, bool is_error) {
  Json content = Json::MakeArray();
  content.Push(Json::MakeObject({{"type", "text"}, {"text", text}}));
  return Json::MakeObject(
      {{"content", std::move(content)}, {"isError", is_error}, {"resultType", "complete"}});
}

Json Tools() {
  std::ifstream file(g_folder + "/tools");
  std::string tools{std::istreambuf_iterator<char>(file), {}};
  if (tools.empty()) tools = R"([{"name":"echo","inputSchema":{"type":"object"}}])";
  return Json::MakeObject(
      {{"resultType", "complete"}, {"tools", *writ::router::ParseJson(tools).value}});
}

// What this process was given.
Json Given() {
  Json names = Json::MakeArray();
  for (char** line = environ; *line != nullptr; ++line) {
    const std::string text = *line;
    names.Push(text.substr(0, text.find('=')));
  }
  int files = 0;
  for (int fd = 0; fd < 4096; ++fd) files += fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, nullptr, &blocked);
  std::string folder(4096, '\0');
  folder = getcwd(folder.data(), folder.size());
  const char* secret = std::getenv("STUB_SECRET");
  return Json::MakeObject({{"start", static_cast<std::int64_t>(getpid())},
                           {"leads_group", getpgrp() == getpid()},
                           {"environment", std::move(names)},
                           {"secret", secret == nullptr ? "" : secret},
                           {"files", files},
                           {"blocks_term", sigismember(&blocked, SIGTERM) == 1},
                           {"folder", folder}});
}

void Call(const Json& id, const Json& params) {
  const Json* meta = params.Find("_meta");
  const Json* arguments = params.Find("arguments");
  Record(Json::MakeObject(
      {{"arguments", arguments == nullptr ? Json() : *arguments},
       {"key", meta == nullptr ? "" : meta->TextAt("writ/idempotency-key")},
       {"on_behalf", meta == nullptr ? "" : meta->TextAt("writ/for")},
       {"version",
        meta == nullptr ? "" : meta->TextAt("io.modelcontextprotocol/protocolVersion")}}));
  std::ifstream file(g_folder + "/control");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Json control = writ::router::ParseJson(text).value.value_or(Json::MakeObject());
  const std::string mode = control.TextAt("mode");
  if (arguments != nullptr) std::cerr << "called with " << arguments->Dump() << std::endl;
  if (meta != nullptr) std::cerr << "for " << meta->TextAt("writ/for") << std::endl;
  if (mode == "ends") _exit(7);
  if (mode == "stalls") return;
  if (mode == "long") {
    std::cout << std::string(std::size_t{3} << 20, 'x') << std::endl;
    return;
  }
  if (mode == "chatters") {  // as much as a pipe takes, before the answer
    for (int i = 0; i < 2'000; ++i) {
      std::cout << "no message\n"
                << R"({"jsonrpc":"2.0","id":"q","method":"ping"})" << '\n';
    }
  }
  if (mode == "odd") {  // answers that are nobody's
    const std::string& number = id.number();
    Answer(Json(number), TextResult("an id that is a string", false));
    Answer(Json(-7), TextResult("an id that nobody used", false));
    Answer(Json(), TextResult("no id", false));
    Refuse(Json(), -32700);
    Answer(id, TextResult("the answer", false));
    Answer(id, TextResult("the answer again", false));
    return;
  }
  Answer(id, TextResult(control.TextAt("text"), mode == "error"));
}

struct Manners {
  bool handshake = true;
  bool stateless = false;
  bool noise = false;
  bool questions = false;
};

void Initialize(const Json& id, const Manners& manners) {
  if (manners.noise) {
    std::cout << "npm warn something\n{\"half\": \n\n" << std::flush;
    Say(Json::MakeObject({{"jsonrpc", "2.0"}, {"method", "notifications/tools/list_changed"}}));
  }
  if (!manners.handshake) return Refuse(id, -32600);
  Answer(id, *writ::router::ParseJson(R"({"protocolVersion":"2025-11-25",
      "capabilities":{"tools":{}},"serverInfo":{"name":"stub","version":"1"}})")
                  .value);
}

void Discover(const Json& id, const Manners& manners) {
  if (!manners.stateless) return Refuse(id, -32601);
  Answer(id, *writ::router::ParseJson(R"({"resultType":"complete",
      "supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})")
                  .value);
}

void Ask(const char* method, int id) {
  Say(Json::MakeObject({{"jsonrpc", "2.0"},
                        {"id", id},
                        {"method", method},
                        {"params", Json::MakeObject({{"message", "Your name?"}})}}));
}

void Take(const Json& message, const Manners& manners) {
  const std::string method = message.TextAt("method");
  const Json id = message.Find("id") == nullptr ? Json() : *message.Find("id");
  const Json params =
      message.Find("params") == nullptr ? Json::MakeObject() : *message.Find("params");
  if (method.empty()) return Record(Json::MakeObject({{"answer", message}}));
  if (method == "initialize") return Initialize(id, manners);
  if (method == "server/discover") return Discover(id, manners);
  if (method == "notifications/cancelled") return Record(Json::MakeObject({{"cancelled", params}}));
  if (method == "ping") return Answer(id, Json::MakeObject());
  if (method == "tools/list") {
    if (manners.questions) {
      Ask("ping", 0);
      Ask("elicitation/create", 1);
      Ask("sampling/createMessage", 2);
    }
    return Answer(id, Tools());
  }
  if (method == "tools/call") return Call(id, params);
  if (!id.IsNull()) Refuse(id, -32601);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> flags(argv + 2, argv + argc);
  const auto has = [&](const char* flag) {
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
  };
  g_folder = argv[1];
  Record(Given());
  if (const char* secret = std::getenv("STUB_SECRET")) std::cerr << "key " << secret << std::endl;
  if (has("--ends-at-once")) return 3;
  if (has("--stays")) signal(SIGTERM, SIG_IGN);
  Manners manners;
  manners.stateless = has("stateless");
  manners.handshake = !manners.stateless;
  manners.noise = has("--noise");
  manners.questions = has("--questions");
  if (manners.noise) {
    for (int i = 0; i < 500; ++i) std::cerr << "noise " << i << '\n';
    std::cerr << std::flush;
  }
  std::string line;
  while (!has("--deaf") && std::getline(std::cin, line)) {
    const auto parsed = writ::router::ParseJson(line);
    if (!parsed.value) return 4;  // one whole message a line
    Take(*parsed.value, manners);
  }
  // As a test's deadline allows.
  while (has("--stays") || has("--deaf")) std::this_thread::sleep_for(std::chrono::seconds(60));
  return 0;
}
