#include "bot/demo/demo_config.h"

#include <fstream>
#include <string_view>
#include <utility>

#include "bot/demo/assets.h"
#include "bot/demo/cast.h"
#include "router/base/failure.h"

namespace writ::bot {
namespace {

using router::Failure;
using router::Json;

std::string Write(std::string path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file) throw Failure(Failure::Kind::kPermanent, "can't write " + path);
  return path;
}

Json Crm(const std::string& url) {
  return Json::MakeObject({{"id", "crm"},
                           {"kind", "mcp"},
                           {"url", url},
                           {"require_approval", DemoRule()},
                           {"idempotent", Json::Array{"lookup"}}});
}

Json Agent(const DemoPlaces& places) {
  return Json::MakeObject(
      {{"id", "helper"},
       {"user_id", kDemoAgent.id},
       {"instructions", "You help the people of the service desk with orders."},
       {"chat_channels", Json::Array{kDemoCid.substr(0, kDemoCid.find(':'))}},
       {"model", Json::MakeObject({{"kind", "script"},
                                   {"path", Write(places.folder + "/script.json", DemoScript())}})},
       {"connectors", Json::Array{Crm(places.crm_url)}},
       // Short enough to be seen: a call expires, and the channel goes on meanwhile.
       {"limits", Json::MakeObject({{"approval_wait_s", places.approval_wait.count()},
                                    {"channel_wait_s", 15}})}});
}

Json Platform(const DemoPlaces& places) {
  return Json::MakeObject({{"kind", "stream"},
                           {"api_key", places.chat_keys.api_key},
                           {"api_secret", places.chat_keys.api_secret},
                           {"base_url", places.chat_url}});
}

}  // namespace

Json DemoRule() {
  return Json::Array{Json::MakeObject({{"tool", "refund"}, {"hint", "It moves real money."}}),
                     "echo"};
}

std::string WriteDemoConfig(const DemoPlaces& places) {
  const Json app = Json::MakeObject(
      {{"id", kDemoApp}, {"platform", Platform(places)}, {"agents", Json::Array{Agent(places)}}});
  const Json config = Json::MakeObject(
      {{"listen", "127.0.0.1:0"},
       {"drain_s", 5},
       {"store", Json::MakeObject({{"kind", "sqlite"}, {"path", places.folder + "/writ.db"}})},
       {"audit", Json::MakeObject({{"secret", places.chat_keys.api_secret + " of the log"}})},
       {"apps", Json::Array{app}}});
  return Write(places.folder + "/writ.json", config.Dump());
}

}  // namespace writ::bot
