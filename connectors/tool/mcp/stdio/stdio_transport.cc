#include "connectors/tool/mcp/stdio/stdio_transport.h"

#include <utility>

namespace writ::connectors {
namespace {

using std::chrono::milliseconds;

constexpr const char* kEnding = "this node is ending";

}  // namespace

StdioTransport::StdioTransport(StdioServer::World world, StdioServer::Options options)
    : loop_(world.loop),
      http_(world.http),
      server_(std::make_shared<StdioServer>(world, std::move(options))) {}

void StdioTransport::Ask(Request request, OnOther on_other, std::stop_token stop, Done done) {
  const auto pending = std::make_shared<StdioServer::Pending>();
  pending->request = std::move(request);
  pending->on_other = std::move(on_other);
  pending->stop = std::move(stop);
  pending->done = std::move(done);
  pending->begun = std::chrono::steady_clock::now();
  if (loop_.Post([server = server_, pending] { server->Ask(pending); })) return;
  http_.After(milliseconds(0), {}, [pending] {
    McpAnswer answer;
    answer.kind = McpAnswer::Kind::kNotSent;
    answer.what = kEnding;
    pending->done(answer);
  });
}

void StdioTransport::Tell(Message message, milliseconds /*timeout*/, Told told) {
  const auto tell = [&http = http_, told](std::string why_not) {
    if (!told) return;
    http.After(milliseconds(0), {}, [told, why_not = std::move(why_not)] { told(why_not); });
  };
  const bool posted = loop_.Post([server = server_, message = std::move(message), tell]() mutable {
    tell(server->Tell(std::move(message)));
  });
  if (!posted) tell(kEnding);
}

// The server has heard of it once its input is closed; the loop waits for its end.
void StdioTransport::End(Message message, std::function<void()> ended) {
  const auto tell = [&http = http_, ended = std::move(ended)] {
    http.After(milliseconds(0), {}, ended);
  };
  const bool posted = loop_.Post([server = server_, session = message.session, tell] {
    server->End(session);
    tell();
  });
  if (!posted) tell();
}

}  // namespace writ::connectors
