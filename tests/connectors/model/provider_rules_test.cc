#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/http/sse_reader.h"
#include "connectors/model/anthropic/reply.h"
#include "connectors/model/anthropic/request.h"
#include "connectors/model/anthropic/stream.h"
#include "connectors/model/openai/reply.h"
#include "connectors/model/openai/request.h"
#include "connectors/model/openai/stream.h"
#include "tests/connectors/model/stage.h"
#include "tests/support/model_rules.h"
#include "tests/support/model_stream.h"
#include "tests/support/model_wire.h"

namespace writ::connectors {
namespace {

using router::CallsRound;
using router::Json;
using router::ModelRequest;
using router::Said;

// Makes transcripts of all that a core, a person and a model may bring together. The same seed
// makes the same one.
class Chaos {
 public:
  explicit Chaos(std::uint32_t seed) : random_(seed) {}

  ModelRequest Request(bool anthropic) {
    ModelRequest request;
    request.instructions = Pick<std::string>({"", " ", "You help the shift team."});
    for (std::uint32_t i = Below(6); i > 0; --i) {
      if (Below(2) == 0) {
        const auto who = Below(3) == 0 ? Said::Who::kAgent : Said::Who::kPeople;
        request.transcript.emplace_back(Said{who, Text()});
      } else {
        request.transcript.emplace_back(Round(anthropic));
      }
    }
    if (Below(3) > 0) request.tools.push_back(tests::EchoTool());
    if (Below(3) == 0) request.tools.push_back({"crm__odd", "", Schema()});
    return request;
  }

 private:
  std::uint32_t Below(std::uint32_t end) {
    return std::uniform_int_distribution<std::uint32_t>(0, end - 1)(random_);
  }
  template <class T>
  T Pick(std::vector<T> from) {
    return from[Below(static_cast<std::uint32_t>(from.size()))];
  }
  std::string Text() {
    return Pick<std::string>({"", " \n", "hi", "\xff\xfe", "Anya (user anya-1): {\"a\":1}"});
  }
  Json Schema() {
    return tests::Parsed(Pick<std::string>({"{}", "true", R"({"type":"string"})",
                                            R"({"anyOf":[{}]})", R"({"properties":{"a b":{}}})",
                                            R"({"properties":{"a":{"$ref":"http://x"}}})"}));
  }
  CallsRound Round(bool anthropic) {
    tests::ModelAnswer answer;
    answer.text = Text();
    answer.thinking = tests::Parsed(Pick<std::string>(
        {"[]", R"([{"type":"thinking","thinking":"Hm, \"so\".","signature":"c2ln"}])",
         R"([{"type":"redacted_thinking","data":"x"}])"}));
    for (std::uint32_t i = Below(4); i > 0; --i) {
      answer.calls.push_back(
          {Pick<std::string>({"crm__echo", "a.b", "", std::string(90, 'x')}),
           Pick<std::string>({"{}", R"({"n":12345678901234567890})", "", "null", "[]", "{\"a\":"}),
           Pick<std::string>({"", "same", "call_1"})});
    }
    // Some come back as they were given, some were made by another model.
    const std::string model = Pick<std::string>({"m-1", "m-0"});
    const auto read = ReadOf(anthropic, model, answer);
    CallsRound round{read->reply, {}};
    for (const auto& call : round.reply.calls) {
      if (Below(5) == 0) break;
      round.results.push_back({call.provider_id, call.offered_name, Text(), Below(2) == 0});
    }
    if (Below(4) == 0) round.reply.raw = Json();
    return round;
  }

  // Whole, or put together from a stream in pieces of any size.
  std::optional<Dialect::Read> ReadOf(bool anthropic, const std::string& model,
                                      const tests::ModelAnswer& answer) {
    const std::uint32_t number = Below(3);
    const Json body =
        anthropic ? tests::AnthropicBody(answer, number) : tests::OpenAiBody(answer, number);
    auto whole =
        anthropic ? ReadAnthropicReply(model, body.Dump()) : ReadOpenAiReply(model, body.Dump());
    if (Below(2) == 0) return whole;
    const auto stream = anthropic ? OpenAnthropicStream(model) : OpenOpenAiStream(model);
    const std::string bytes =
        tests::Joined(anthropic ? tests::AnthropicEvents(body) : tests::OpenAiEvents(body));
    SseReader reader;
    const std::size_t piece = 1 + Below(40);
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      (void)reader.Feed(std::string_view(bytes).substr(at, piece), [&](const SseEvent& event) {
        EXPECT_NE(stream->Take(event.data), ReplyStream::Progress::kVoid) << event.data;
        return true;
      });
    }
    auto streamed = stream->Finish();
    EXPECT_TRUE(streamed) << bytes;
    if (streamed && whole) ExpectSame(*streamed, *whole);
    return streamed;
  }
  static void ExpectSame(const Dialect::Read& streamed, const Dialect::Read& whole) {
    EXPECT_EQ(streamed.cut_call, whole.cut_call);
    EXPECT_EQ(streamed.reply.text, whole.reply.text);
    EXPECT_EQ(streamed.reply.stop, whole.reply.stop);
    EXPECT_EQ(streamed.reply.raw.Canonical(), whole.reply.raw.Canonical());
    EXPECT_EQ(streamed.reply.usage.input_tokens, whole.reply.usage.input_tokens);
    ASSERT_EQ(streamed.reply.calls.size(), whole.reply.calls.size());
    for (std::size_t i = 0; i < whole.reply.calls.size(); ++i) {
      EXPECT_EQ(streamed.reply.calls[i].provider_id, whole.reply.calls[i].provider_id);
      EXPECT_EQ(streamed.reply.calls[i].offered_name, whole.reply.calls[i].offered_name);
      EXPECT_EQ(streamed.reply.calls[i].arguments_text, whole.reply.calls[i].arguments_text);
    }
  }

  std::mt19937 random_;
};

TEST(ProviderRules, OpenAiTakesWhateverComesTogether) {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    const ModelRequest request = Chaos(seed).Request(false);
    const std::string body = WriteOpenAiRequest(tests::TestOptions(), request, 1).request.body;
    const auto fault = tests::OpenAiFault(tests::Parsed(body));
    ASSERT_EQ(fault, std::nullopt) << "seed " << seed << ": " << body;
  }
}

TEST(ProviderRules, AnthropicTakesWhateverComesTogether) {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    const ModelRequest request = Chaos(seed).Request(true);
    const std::string body = WriteAnthropicRequest(tests::TestOptions(), request, 1).request.body;
    const auto fault = tests::AnthropicFault(tests::Parsed(body));
    ASSERT_EQ(fault, std::nullopt) << "seed " << seed << ": " << body;
  }
}

TEST(ProviderRules, TheRulesThemselvesRefuseWhatTheVendorsRefuse) {
  const std::pair<const char*, const char*> openai[] = {
      {R"({"messages":[{"role":"user","content":"hi"}]})", "model parameter"},
      {R"({"model":"m","messages":[{"role":"tool","tool_call_id":"c","content":"x"}]})",
       "preceeding message"},
      {R"({"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[
          {"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},
          {"role":"user","content":"hi"}]})",
       "must be followed by tool messages"},
      {R"({"model":"m","messages":[{"role":"assistant","content":"x","tool_calls":[]}]})",
       "empty array"},
      {R"({"model":"m","messages":[{"role":"user","content":""}]})", "too short"},
      {R"({"model":"m","stream_options":{},"messages":[{"role":"user","content":"hi"}]})",
       "only allowed when 'stream'"},
  };
  for (const auto& [body, words] : openai) {
    EXPECT_NE(tests::OpenAiFault(tests::Parsed(body)).value_or("").find(words), std::string::npos);
  }
  const std::string head = R"({"model":"m","max_tokens":1,"tools":[],"messages":)";
  const std::pair<std::string, const char*> anthropic[] = {
      {R"({"model":"m","messages":[]})", "max_tokens"},
      {head + R"([{"role":"assistant","content":"x"}]})", "first message"},
      {head + R"([{"role":"user","content":" "}]})", "non-empty"},
      {head + R"([{"role":"user","content":"a"}],"stream_options":{}})", "Extra inputs"},
      {head + R"([{"role":"user","content":"a"},{"role":"assistant","content":[
          {"type":"tool_use","id":"t","name":"f","input":{}}]},{"role":"user","content":"b"}]})",
       "were found without"},
      {head + R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}]})",
       "unexpected"},
  };
  for (const auto& [body, words] : anthropic) {
    EXPECT_NE(tests::AnthropicFault(tests::Parsed(body)).value_or("").find(words),
              std::string::npos)
        << body;
  }
}

}  // namespace
}  // namespace writ::connectors
