#include "bot/client/approval_words.h"

#include <cstddef>
#include <limits>
#include <string_view>

#include "bot/client/table.h"
#include "router/tool/show_arguments.h"

namespace writ::bot {

using router::Json;

namespace {

constexpr std::size_t kId = 60;
constexpr std::size_t kName = 48;
constexpr std::size_t kArguments = 60;
constexpr std::size_t kWhole = std::numeric_limits<std::size_t>::max();

// Text as it is, anything else as JSON; `-` where there is nothing.
std::string TextOf(const Json* value, std::size_t longest) {
  if (value == nullptr || value->IsNull()) return "-";
  return SafeCell(value->IsString() ? value->string() : value->Dump(), longest);
}

// Nobody is asked by name: the backend.
std::string AskedOf(const Json& approval, std::size_t longest) {
  const Json* asked = approval.Find("asked");
  return asked == nullptr || asked->IsNull() ? "(the backend)" : TextOf(asked, longest);
}

void AddArguments(std::string& lines, const Json& arguments) {
  router::Binding binding;
  binding.show_arguments = router::ShowArguments::kAll;  // the backend sees all of it
  const router::ShownArguments shown = router::ShowArgumentsOf(binding, {}, arguments);
  lines += "  ";
  for (const char character : shown.text) {
    lines += character;
    if (character == '\n') lines += "  ";
  }
  lines += '\n';
  if (shown.cut) lines += "  Not all of it is shown here: --json has the whole.\n";
}

void AddDecision(std::string& lines, const Json& decision) {
  const bool approved = decision.BoolAt("approved").value_or(false);
  lines += "decision: " + std::string(approved ? "approved" : "denied") + " by " +
           TextOf(decision.Find("decided_by"), kWhole) + " at " +
           TextOf(decision.Find("decided_at"), kWhole) + '\n';
  if (const Json* reason = decision.Find("reason"); reason != nullptr && !reason->IsNull()) {
    lines += "reason: " + TextOf(reason, kWhole) + '\n';
  }
  if (const Json* edited = decision.Find("edited_arguments");
      edited != nullptr && !edited->IsNull()) {
    lines += "edited_arguments:\n";
    AddArguments(lines, *edited);
  }
}

}  // namespace

std::vector<std::string> ApprovalColumns() {
  return {"APPROVAL", "STATUS", "ASKED", "TOOL", "CHANNEL", "EXPIRES", "ARGUMENTS"};
}

std::vector<std::string> ApprovalRow(const Json& approval) {
  return {TextOf(approval.Find("approval_id"), kId),
          TextOf(approval.Find("status"), kName),
          AskedOf(approval, kName),
          TextOf(approval.Find("tool"), kName),
          TextOf(approval.Find("cid"), kName),
          TextOf(approval.Find("expires_at"), kName),
          TextOf(approval.Find("arguments"), kArguments)};
}

std::string ApprovalLines(const Json& approval) {
  std::string lines;
  for (const auto& member : approval.object()) {
    const std::string name = SafeCell(member.key, kWhole);
    if (member.key == "asked") {
      lines += name + ": " + AskedOf(approval, kWhole) + '\n';
    } else if (member.key == "arguments") {
      lines += name + ":\n";
      AddArguments(lines, member.value);
    } else if (member.key == "decision" && member.value.IsObject()) {
      AddDecision(lines, member.value);
    } else {
      lines += name + ": " + TextOf(&member.value, kWhole) + '\n';
    }
  }
  return lines;
}

}  // namespace writ::bot
