#include "router/turn/consent.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "router/base/digest.h"
#include "router/base/stored.h"
#include "router/tool/schema/pointer.h"

namespace writ::router {
namespace {

constexpr int kFormat = 1;

// The value that a JSON pointer leads to; nullptr where there is none.
const Json* ValueAt(const Json& whole, std::string_view pointer) {
  const Json* value = &whole;
  while (value != nullptr && !pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    const std::string token = schema::UnescapeToken(pointer.substr(0, end));
    pointer.remove_prefix(end);
    if (value->IsObject()) {
      value = value->Find(token);
    } else if (value->IsArray()) {
      const Json::Array& elements = value->array();
      std::size_t index = 0;
      while (index < elements.size() && std::to_string(index) != token) ++index;
      value = index < elements.size() ? &elements[index] : nullptr;
    } else {
      value = nullptr;
    }
  }
  return value;
}

// What of the arguments is bound by these pointers; nullopt where one of them leads nowhere.
std::optional<std::string> BoundBy(const std::vector<std::string>& match,
                                   const std::string& arguments) {
  if (match.empty()) return arguments;
  const JsonParsed parsed = ParseJson(arguments);
  if (!parsed.value) return std::nullopt;
  Json bound = Json::MakeObject();
  for (const std::string& pointer : match) {
    const Json* value = ValueAt(*parsed.value, pointer);
    if (value == nullptr) return std::nullopt;
    bound.Set(pointer, *value);
  }
  return bound.Canonical();
}

// Over what is bound, by which pointers, of which tool.
std::string DigestOfBound(const Consent& consent) {
  Json match = Json::MakeArray();
  for (const std::string& pointer : consent.match) match.Push(pointer);
  return Sha256Hex(
      Json::MakeObject({{"bound", consent.bound}, {"match", match}, {"tool", consent.tool}})
          .Canonical());
}

}  // namespace

Consent ConsentTo(const Turn& turn, const Call& call, const UserId& user,
                  const std::vector<std::string>& match) {
  Consent consent;
  consent.app = turn.app;
  consent.agent = turn.agent;
  consent.cid = turn.cid;
  consent.session = turn.session;
  consent.user = user;
  consent.connector = call.connector;
  consent.tool = call.name;
  consent.schema_digest = call.schema_digest;
  consent.bound = call.arguments;
  if (auto bound = BoundBy(match, call.arguments); bound && !match.empty()) {
    consent.match = match;
    consent.bound = *std::move(bound);
  }
  consent.bound_digest = DigestOfBound(consent);
  if (call.approval) consent.approval = call.approval->id;
  return consent;
}

bool Covers(const Consent& consent, const Turn& turn, const Call& call, const UserId& asked,
            TimePoint now) {
  if (consent.id.empty() || consent.cid.empty() || consent.user.empty()) return false;
  if (now < consent.created_at || consent.expires_at <= now) return false;
  const bool same_place = consent.app == turn.app && consent.agent == turn.agent &&
                          consent.cid == turn.cid && consent.session == turn.session;
  const bool same_tool = consent.connector == call.connector && consent.tool == call.name &&
                         consent.schema_digest == call.schema_digest;
  if (!same_place || !same_tool || consent.user != asked) return false;
  if (consent.bound_digest != DigestOfBound(consent)) return false;
  return BoundBy(consent.match, call.arguments) == consent.bound;
}

bool IsByConsent(const Call& call) {
  return call.approval && call.approval->decision && !call.approval->decision->consent.empty();
}

std::string DecidedBy(const Consent& consent) {
  return "consent:" + consent.id.text() + ":user:" + consent.user.text();
}

std::string ConsentToText(const Consent& consent) {
  Json match = Json::MakeArray();
  for (const std::string& pointer : consent.match) match.Push(pointer);
  return Json::MakeObject({{"format", kFormat},
                           {"id", consent.id.text()},
                           {"app", consent.app.text()},
                           {"agent", consent.agent.text()},
                           {"cid", consent.cid.text()},
                           {"session", consent.session.text()},
                           {"user", consent.user.text()},
                           {"connector", consent.connector.text()},
                           {"tool", consent.tool},
                           {"schema_digest", consent.schema_digest},
                           {"match", std::move(match)},
                           {"bound", consent.bound},
                           {"bound_digest", consent.bound_digest},
                           {"approval", consent.approval.text()},
                           {"created_at", stored::TimeJson(consent.created_at)},
                           {"expires_at", stored::TimeJson(consent.expires_at)}})
      .Dump();
}

Consent ConsentFromText(std::string_view text) {
  using namespace stored;  // NOLINT(google-build-using-namespace)
  const Json json = Parsed(text);
  if (Number(json, "format") != kFormat) Unreadable("format");
  Consent consent;
  consent.id = ConsentId(Text(json, "id"));
  consent.app = AppId(Text(json, "app"));
  consent.agent = AgentId(Text(json, "agent"));
  consent.cid = Cid(Text(json, "cid"));
  consent.session = SessionId(Text(json, "session"));
  consent.user = UserId(Text(json, "user"));
  consent.connector = ConnectorId(Text(json, "connector"));
  consent.tool = Text(json, "tool");
  consent.schema_digest = Text(json, "schema_digest");
  if (!At(json, "match").IsArray()) Unreadable("match");
  for (const Json& pointer : At(json, "match").array()) {
    if (!pointer.IsString()) Unreadable("match");
    consent.match.push_back(pointer.string());
  }
  consent.bound = Text(json, "bound");
  consent.bound_digest = Text(json, "bound_digest");
  consent.approval = ApprovalId(Text(json, "approval"));
  consent.created_at = Time(json, "created_at");
  consent.expires_at = Time(json, "expires_at");
  return consent;
}

}  // namespace writ::router
