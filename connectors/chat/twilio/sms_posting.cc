#include "connectors/chat/twilio/sms_posting.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "connectors/chat/twilio/intake.h"
#include "connectors/chat/twilio/sms_words.h"
#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::Json;
using router::Post;
using router::PostedAsk;

// Ten segments of GSM-7; Twilio takes 1,600 characters.  source: the platforms' page, 3.6
constexpr std::size_t kLongest = 1530;
constexpr std::size_t kNameOfAsk = 10;  // of the approval's id: a memo has 1 KiB
constexpr std::size_t kLongestMemo = 1000;
constexpr const char* kEnd = "end";

const Json* StepOf(const Post& post, const PostedAsk& ask) {
  const auto found = std::ranges::find_if(
      post.attachments, [&](const Json& step) { return step.TextAt("id") == ask.call.text(); });
  return found == post.attachments.end() ? nullptr : &*found;
}

SmsPart PartOf(const Post& post, const PostedAsk& ask, const SmsWords& words) {
  std::string title = ask.name;
  std::string message;
  router::TimePoint expires_at{};
  if (const Json* step = StepOf(post, ask)) {
    if (const Json* approval = step->Find("approval")) {
      if (std::string said = approval->TextAt("title"); !said.empty()) title = std::move(said);
      message = approval->TextAt("message");
    }
    expires_at = router::ParseTime(step->TextAt("expires_at")).value_or(expires_at);
  }
  const std::string& id = ask.approval.text();
  std::string text = title + '\n' + message;
  text += '\n' + words.answer_by(ask, expires_at);
  return {id.substr(id.size() - std::min(id.size(), kNameOfAsk)), std::move(text)};
}

// What came of the calls that were not done, whatever the reply says.
std::string LinesOf(const Post& post) {
  std::string lines;
  for (const Json& step : post.attachments) {
    const std::string outcome = step.TextAt("outcome");
    if (outcome.empty() || outcome == "done") continue;
    std::string said = step.TextAt("summary");
    if (said.empty()) said = outcome;
    lines += step.TextAt("name") + ": " + said + '\n';
  }
  return lines;
}

std::map<std::string, std::size_t> ReadMemo(std::string_view memo) {
  std::map<std::string, std::size_t> sent;
  while (!memo.empty()) {
    const std::string_view one = memo.substr(0, memo.find(' '));
    memo.remove_prefix(std::min(one.size() + 1, memo.size()));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) continue;
    std::size_t count = 0;
    std::from_chars(one.data() + equals + 1, one.data() + one.size(), count);
    sent[std::string(one.substr(0, equals))] = count;
  }
  return sent;
}

}  // namespace

std::vector<SmsPart> SmsPartsOf(const Post& post, const SmsWords& words) {
  if (!post.runtime.IsObject()) return {{kEnd, post.text}};  // a notice
  const std::string state = post.runtime.TextAt("state");
  if (state == "running") return {};
  if (state != "awaiting_approval") return {{kEnd, LinesOf(post) + post.text}};
  std::vector<SmsPart> parts;
  parts.reserve(post.asks.size());
  for (const PostedAsk& ask : post.asks) parts.push_back(PartOf(post, ask, words));
  return parts;
}

SmsPosting::SmsPosting(std::shared_ptr<SmsClient> client, const Post& post, const SmsWords& words,
                       std::stop_token stop, router::PostDone done)
    : client_(std::move(client)),
      number_(SmsNumberOf(post.cid.text())),
      sent_(ReadMemo(post.memo)),
      maybe_there_since_(post.maybe_there_since),
      stop_(std::move(stop)),
      done_(std::move(done)) {
  for (SmsPart& part : SmsPartsOf(post, words)) {
    std::vector<std::string> pieces = SmsPiecesOf(part.text, kLongest);
    const auto was = sent_.find(part.name);
    const std::size_t first = was == sent_.end() ? 0 : was->second;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i < first) {
        told_.push_back(std::move(pieces[i]));
      } else {
        messages_.push_back({part.name, std::move(pieces[i])});
      }
    }
  }
}

void SmsPosting::Start() {
  if (!messages_.empty() && maybe_there_since_) return LookFor(*maybe_there_since_);
  if (!messages_.empty()) return Next();
  client_->http().After(std::chrono::milliseconds{0}, {}, [self = shared_from_this()] {
    self->done_({std::nullopt, ""});
  });
}

void SmsPosting::LookFor(router::TimePoint since) {
  client_->SentSince(number_, since, stop_, [self = shared_from_this()](auto found) {
    if (auto* failure = std::get_if<router::ChatFailure>(&found)) {
      return self->done_({std::move(*failure), self->Memo()});
    }
    self->SkipSent(std::get<std::vector<std::string>>(std::move(found)));
    self->Next();
  });
}

void SmsPosting::SkipSent(std::vector<std::string> there) {
  const auto take = [&](const std::string& text) {
    const auto one = std::ranges::find(there, text);
    if (one == there.end()) return false;
    there.erase(one);
    return true;
  };
  for (const std::string& text : told_) take(text);  // another one of the same words is no proof
  std::size_t sent = 0;
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    if (take(messages_[i].text)) sent = i + 1;
  }
  while (at_ < sent) Sent();
}

void SmsPosting::Sent() {
  ++sent_[messages_[at_].part];
  ++at_;
}

void SmsPosting::Next() {
  if (at_ == messages_.size()) return done_({std::nullopt, Memo()});
  client_->Send(number_, messages_[at_].text, stop_, [self = shared_from_this()](SmsSent sent) {
    if (sent.failure) return self->done_({std::move(sent.failure), self->Memo()});
    self->Sent();
    self->Next();
  });
}

std::string SmsPosting::Memo() const {
  std::string memo;
  for (const auto& [part, count] : sent_) {
    const std::string one = part + '=' + std::to_string(count);
    if (memo.size() + one.size() + 1 > kLongestMemo) break;
    if (!memo.empty()) memo += ' ';
    memo += one;
  }
  return memo;
}

}  // namespace writ::connectors
