#pragma once

#include <string>
#include <string_view>

#include "connectors/model/dialect.h"
#include "connectors/model/error_reply.h"
#include "connectors/model/incoming_reply.h"
#include "connectors/model/reply_stream.h"
#include "router/base/text.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {

inline void CheckReply(const connectors::Dialect::Read& read) {
  Require(read.reply.calls.size() <= connectors::kMaxCalls, "calls have their limit");
  Require(router::IsUtf8(read.reply.text), "what people are told is UTF-8");
  Require(read.reply.usage.input_tokens >= 0 && read.reply.usage.output_tokens >= 0,
          "no tokens are given back");
  Require(!read.cut_call || read.reply.stop == router::ModelReply::Stop::kCutOff,
          "a call that was cut off never runs");
}

// All that a reply says, as one text; empty where there is none.
inline std::string ReplyInPieces(const connectors::Dialect& dialect, std::string_view input,
                                 std::size_t size) {
  connectors::IncomingReply incoming(dialect);
  std::string shown;
  bool wanted = true;
  InPieces(input, size, [&](std::string_view bytes) {
    if (!wanted) return;
    wanted = incoming.Take(bytes);
    Require(incoming.text().starts_with(shown), "what people were shown only grows");
    shown = incoming.text();
  });
  const auto read = incoming.Finish();
  if (!read) return "none";
  CheckReply(*read);
  std::string text = read->reply.text + '\n' + read->reply.raw.Dump();
  for (const router::ModelCall& call : read->reply.calls) {
    text += '\n' + call.provider_id + ' ' + call.offered_name + ' ' + call.arguments_text;
  }
  return text;
}

// The body of a success, as a stream or whole, and as that of an error.
inline void FuzzModelReply(const connectors::Dialect& dialect, std::string_view input) {
  const std::string whole = ReplyInPieces(dialect, input, input.size());
  Require(whole == ReplyInPieces(dialect, input, 1), "pieces of one byte say the same");
  Require(whole == ReplyInPieces(dialect, input, 13), "pieces of thirteen bytes say the same");
  if (const auto read = dialect.ReadReply(std::string(input))) CheckReply(*read);
  for (const int status : {400, 429, 529}) {
    const auto error = connectors::ReadErrorReply({status, {}, std::string(input)});
    Require(!error.what.empty() && router::IsUtf8(error.what), "an error says what it was");
  }
  (void)connectors::ReadErrorInSuccess(std::string(input), {200, {}, ""});
}

}  // namespace writ::fuzz
