// Text that others chose, where it is shown: names, arguments, labels.
#include "router/base/text.h"

#include <string>

#include "router/base/base64.h"
#include "router/base/digest.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

void CheckName(std::string_view text) {
  const std::string name = router::CleanName(text);
  Require(router::IsUtf8(name), "a name is UTF-8");
  Require(router::CountCharacters(name) <= 256, "a name has its limit");
  Require(name.find_first_of(":()[]{}<>\r\n") == std::string::npos,
          "a name can't look like a label");
  Require(router::CleanName(name) == name, "a clean name is clean");
  Require(router::Trim(name) == name, "a name has no blanks at its ends");
  const std::string label = router::LabelOf(text, "anya-1");
  Require(label.ends_with("(user anya-1)") || router::Trim(name).empty(), "a label ends in the id");
}

void CheckShown(std::string_view text) {
  const std::string shown = router::ShowInvisible(text);
  Require(router::ShowInvisible(shown) == shown, "what is visible stays");
  for (const char c : shown) {
    Require(static_cast<unsigned char>(c) >= 0x20 && c != '\x7f', "no control character is left");
  }
}

void CheckCuts(std::string_view text) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, text.size()}) {
    const std::string_view cut = router::CutAtCharacter(text, size);
    Require(cut.size() <= size && text.starts_with(cut), "a cut is a beginning");
    Require(router::IsUtf8(cut), "no character is cut in two");
    Require(router::CountCharacters(router::FirstCharacters(text, size)) <= size,
            "no more characters than asked for");
  }
}

void Fuzz(std::string_view input) {
  const std::string text = router::ToUtf8(input);
  Require(router::IsUtf8(text), "what was made UTF-8 is");
  Require(!router::IsUtf8(input) || text == input, "UTF-8 is left alone");
  CheckName(input);
  CheckShown(text);
  CheckCuts(text);
  if (const auto bytes = router::Base64UrlDecode(input)) {
    Require(router::Base64UrlEncode(*bytes) == input, "base64url has one form");
  }
  if (const auto bytes = router::Base64Decode(input)) {
    Require(router::Base64Decode(router::Base64Encode(*bytes)) == bytes, "base64 goes both ways");
  }
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(text, writ::fuzz::Fuzz)
