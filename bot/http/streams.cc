#include "bot/http/streams.h"

#include <utility>

#include "bot/http/stream_loop.h"

namespace writ::bot {

Streams::Streams(Options options, router::Log& log)
    : loop_(std::make_shared<StreamLoop>(options, log)) {}

Streams::~Streams() { Stop(); }

std::variant<Response, Streams::Full> Streams::Open(Response head, const std::string& group,
                                                    std::optional<std::size_t> most_of_group,
                                                    Begin begin) {
  if (const auto full = loop_->TakePlace(group, most_of_group)) return *full;
  auto place = std::make_shared<StreamPlace>(loop_, group);
  // A connection that ends before its head is out gives its place back with this function.
  head.take_over = [loop = loop_, place = std::move(place),
                    begin = std::move(begin)](Socket socket) mutable {
    loop->Add(std::move(socket), std::move(place), begin);
  };
  return head;
}

std::size_t Streams::Count() const { return loop_->Count(); }

void Streams::Stop() { loop_->Stop(); }

}  // namespace writ::bot
