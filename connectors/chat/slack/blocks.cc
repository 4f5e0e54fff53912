#include "connectors/chat/slack/blocks.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <utility>

#include "connectors/chat/slack/intake.h"
#include "connectors/chat/slack/mrkdwn.h"
#include "connectors/chat/slack/slack_ids.h"
#include "router/base/text.h"
#include "router/base/time.h"

namespace writ::connectors {
namespace {

using router::Json;
using router::PostedAsk;

constexpr std::size_t kMostBlocks = 48;
constexpr std::size_t kLongestButton = 75;
constexpr std::size_t kLongestLine = 300;  // of a step that is over
constexpr std::string_view kCut = "…";

std::size_t LengthOf(const Json& blocks) { return router::CountCharacters(blocks.Dump()); }

std::string CutTo(std::string_view text, std::size_t longest) {
  const std::string_view kept = router::FirstCharacters(text, longest - 1);
  if (kept.size() == text.size() || router::CountCharacters(text) <= longest) {
    return std::string(text);
  }
  return std::string(kept) + std::string(kCut);
}

Json PlainText(std::string_view escaped) {
  return Json::MakeObject({{"type", "plain_text"}, {"text", escaped}, {"emoji", false}});
}

// `verbatim`: Slack makes no mentions or links of its own out of plain words.
Json Mrkdwn(std::string_view text) {
  return Json::MakeObject({{"type", "mrkdwn"}, {"text", text}, {"verbatim", true}});
}

Json Section(Json text) {
  return Json::MakeObject({{"type", "section"}, {"text", std::move(text)}});
}

Json Context(Json text) {
  Json elements = Json::MakeArray();
  elements.Push(std::move(text));
  return Json::MakeObject({{"type", "context"}, {"elements", std::move(elements)}});
}

Json Button(const PostedAsk& ask, const char* action, std::string_view words, const char* style) {
  Json button = Json::MakeObject({{"type", "button"},
                                  {"action_id", action},
                                  {"text", PlainText(CutTo(words, kLongestButton))},
                                  {"value", SlackButtonValue(ask.call, ask.approval)}});
  if (*style != '\0') button.Set("style", style);
  return button;
}

// The words of an ask that a message has room for; `approval` is the step's.
class Ask {
 public:
  Ask(const PostedAsk& ask, const Json& step, const SlackWords& words)
      : ask_(ask), step_(step), words_(words), is_whole_(ask.is_whole) {}

  // At most `room` characters of blocks, the ask's text cut where it has to be.
  [[nodiscard]] Json Blocks(std::size_t room) {
    Json blocks = Build(PiecesOf(Message(), kSlackSection));
    if (LengthOf(blocks) <= room) return blocks;
    is_whole_ = false;
    const std::size_t bare = LengthOf(Build({}));
    const std::size_t left = room > bare + 200 ? (room - bare - 200) / 2 : 0;  // escapes in JSON
    const std::string cut = CutTo(router::FirstCharacters(Message(), left), kSlackSection - 1);
    return Build({cut + std::string(kCut)});
  }

 private:
  [[nodiscard]] Json Build(const std::vector<std::string>& pieces) const {
    Json blocks = Json::MakeArray();
    blocks.Push(Section(Mrkdwn(Heading())));
    for (const std::string& piece : pieces) blocks.Push(Section(PlainText(piece)));
    if (const std::string reason = Approval("reason"); !reason.empty()) {
      blocks.Push(Context(PlainText(CutTo(EscapeSlack(reason), kLongestLine))));
    }
    blocks.Push(Context(Mrkdwn(Until())));
    if (is_whole_) {
      blocks.Push(Actions());
    } else if (!words_.inbox_url.empty()) {
      blocks.Push(Context(
          Mrkdwn("<" + EscapeSlack(words_.inbox_url + "?approval=" + ask_.approval.text()) + ">")));
    }
    return blocks;
  }

  [[nodiscard]] std::string Approval(std::string_view key) const {
    const Json* approval = step_.Find("approval");
    return approval == nullptr ? "" : approval->TextAt(key);
  }

  [[nodiscard]] std::string Message() const {
    std::string message = EscapeSlack(Approval("message"));
    return message.empty() ? std::string(kCut) : message;
  }

  // `<@U1>` tells them that it waits.
  [[nodiscard]] std::string Heading() const {
    std::string title = Approval("title");
    if (title.empty()) title = ask_.name;
    return "*" + CutTo(EscapeSlack(title), kLongestLine) + "* <@" + SlackUserOf(ask_.asked).id +
           ">";
  }

  // In the reader's own time zone; the instant itself where a client can't say it.
  [[nodiscard]] std::string Until() const {
    const std::string at = step_.TextAt("expires_at");
    const auto time = router::ParseTime(at);
    if (!time) return ":hourglass:";
    const auto seconds = std::chrono::floor<std::chrono::seconds>(*time).time_since_epoch().count();
    return ":hourglass: <!date^" + std::to_string(seconds) + "^{date_short_pretty} {time_secs}|" +
           at + ">";
  }

  [[nodiscard]] Json Actions() const {
    Json elements = Json::MakeArray();
    if (ask_.is_question) {
      elements.Push(Button(ask_, kSlackEdit, Approval("allow_title"), "primary"));
    } else {
      elements.Push(Button(ask_, kSlackAllow, Approval("allow_title"), "primary"));
    }
    elements.Push(Button(ask_, kSlackDecline, Approval("decline_title"), "danger"));
    if (!ask_.is_question && ask_.arguments_characters <= kSlackField) {
      elements.Push(Button(ask_, kSlackEdit, words_.edit, ""));
    }
    return Json::MakeObject({{"type", "actions"}, {"elements", std::move(elements)}});
  }

  const PostedAsk& ask_;
  const Json& step_;
  const SlackWords& words_;
  bool is_whole_;
};

const PostedAsk* AskOfStep(const router::Post& post, const Json& step) {
  const auto found = std::ranges::find_if(
      post.asks, [&](const PostedAsk& ask) { return ask.call.text() == step.TextAt("id"); });
  return found == post.asks.end() ? nullptr : &*found;
}

// A step that asks nobody here: what became of it.
std::string LineOf(const Json& step) {
  std::string line = step.TextAt("name");
  std::string said = step.TextAt("summary");
  if (said.empty()) said = step.TextAt("outcome");
  if (said.empty()) said = step.TextAt("status");
  return CutTo(EscapeSlack(line + ": " + said), kLongestLine);
}

std::string LinesOf(const router::Post& post) {
  std::string lines;
  for (const Json& step : post.attachments) {
    if (AskOfStep(post, step) == nullptr) lines += (lines.empty() ? "" : "\n") + LineOf(step);
  }
  return lines;
}

Json AskBlocks(const router::Post& post, const SlackWords& words) {
  Json blocks = Json::MakeArray();
  std::size_t room = kSlackBlocks;
  std::size_t left = post.asks.size();
  for (const Json& step : post.attachments) {
    const PostedAsk* ask = AskOfStep(post, step);
    if (ask == nullptr || left == 0) continue;
    const Json built = Ask(*ask, step, words).Blocks(room / left);
    room -= std::min(room, LengthOf(built));
    --left;
    for (const Json& block : built.array()) blocks.Push(block);
  }
  return blocks;
}

Json TextBlocks(const std::string& text, const std::string& lines) {
  Json blocks = Json::MakeArray();
  for (const std::string& piece : PiecesOf(text, kSlackSection)) {
    if (!router::Trim(piece).empty()) blocks.Push(Section(Mrkdwn(piece)));
  }
  for (const std::string& piece : PiecesOf(lines, kSlackSection)) {
    blocks.Push(Context(PlainText(piece)));
  }
  return blocks;
}

}  // namespace

SlackMessage SlackMessageOf(const router::Post& post, const SlackWords& words) {
  SlackMessage message;
  const std::string lines = LinesOf(post);
  if (!post.asks.empty()) {
    message.text = CutTo(EscapeSlack(post.text), kSlackSection);
    message.blocks = AskBlocks(post, words);
    for (const std::string& piece : PiecesOf(lines, kSlackSection)) {
      message.blocks.Push(Context(PlainText(piece)));
    }
    if (message.blocks.array().size() <= kMostBlocks) return message;
    message.blocks = Json::MakeArray();  // so many asks are answered elsewhere
  }
  const std::string text = MrkdwnOf(post.text);
  message.text = CutTo(text, kSlackText);
  message.blocks = TextBlocks(text, lines);
  if (message.blocks.array().size() > kMostBlocks || LengthOf(message.blocks) > kSlackBlocks) {
    // Too long for blocks: one text, in which what became of the steps goes before all else.
    message.blocks = Json::MakeArray();
    message.text = CutTo(lines.empty() ? text : lines + "\n\n" + text, kSlackText);
  }
  return message;
}

}  // namespace writ::connectors
