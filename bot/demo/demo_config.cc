#include "bot/demo/demo_config.h"

#include <fstream>
#include <string_view>
#include <utility>

#include "bot/demo/assets.h"
#include "bot/demo/cast.h"
#include "router/base/failure.h"
#include "router/base/json.h"

namespace writ::bot {
namespace {

using router::Failure;
using router::Json;

std::string WriteScript(const std::string& folder) {
  std::string path = folder + "/script.json";
  std::ofstream file(path, std::ios::binary);
  file << DemoScript();
  file.close();
  if (!file) throw Failure(Failure::Kind::kPermanent, "can't write " + path);
  return path;
}

Json Crm(const std::string& url) {
  return Json::MakeObject(
      {{"id", "crm"},
       {"kind", "mcp"},
       {"url", url},
       {"require_approval",
        Json::Array{Json::MakeObject({{"tool", "refund"}, {"hint", "It moves real money."}}),
                    "echo"}},
       {"idempotent", Json::Array{"lookup"}}});
}

Json Agent(const DemoPlaces& places) {
  return Json::MakeObject(
      {{"id", "helper"},
       {"user_id", kDemoAgent.id},
       {"instructions", "You help the people of the service desk with orders."},
       {"chat_channels", Json::Array{kDemoCid.substr(0, kDemoCid.find(':'))}},
       {"model", Json::MakeObject({{"kind", "script"}, {"path", WriteScript(places.folder)}})},
       {"connectors", Json::Array{Crm(places.crm_url)}},
       // Short enough to be seen: a call expires, and the channel goes on meanwhile.
       {"limits", Json::MakeObject({{"approval_wait_s", 120}, {"channel_wait_s", 15}})}});
}

Json Platform(const DemoPlaces& places) {
  return Json::MakeObject({{"kind", "stream"},
                           {"api_key", places.chat_keys.api_key},
                           {"api_secret", places.chat_keys.api_secret},
                           {"base_url", places.chat_url}});
}

}  // namespace

Config DemoConfig(const DemoPlaces& places) {
  const Json app = Json::MakeObject(
      {{"id", kDemoApp}, {"platform", Platform(places)}, {"agents", Json::Array{Agent(places)}}});
  const Json config = Json::MakeObject(
      {{"listen", "127.0.0.1:0"},
       {"drain_s", 5},
       {"store", Json::MakeObject({{"kind", "sqlite"}, {"path", places.folder + "/writ.db"}})},
       {"apps", Json::Array{app}}});
  ConfigRead read = ReadConfig(config.Dump(), {});
  if (!read.config) {
    throw Failure(Failure::Kind::kPermanent,
                  "the demo's configuration: " + read.faults.front().pointer + ": " +
                      read.faults.front().detail);
  }
  return *std::move(read.config);
}

}  // namespace writ::bot
