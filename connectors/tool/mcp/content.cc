#include "connectors/tool/mcp/content.h"

#include <cstddef>
#include <string_view>

#include "connectors/tool/result_text.h"

namespace writ::connectors {
namespace {

using router::Json;

// `12 kB`, of what the base64 text stands for.
std::string SizeOf(std::string_view base64) {
  const std::size_t bytes = base64.size() / 4 * 3;
  return bytes < 1000 ? std::to_string(bytes) + " bytes" : std::to_string(bytes / 1000) + " kB";
}

std::string TypeOf(const Json& holder, std::string_view otherwise) {
  const std::string type = holder.TextAt("mimeType");
  return type.empty() ? std::string(otherwise) : type;
}

std::string OfResource(const Json& block) {
  const Json* resource = block.Find("resource");
  if (resource == nullptr) return "[resource]";
  if (auto text = resource->StringAt("text")) return *text;
  return "[" + TypeOf(*resource, "resource") + " " + resource->TextAt("uri") + ", " +
         SizeOf(resource->TextAt("blob")) + "]";
}

std::string OfLink(const Json& block) {
  return "[link " + block.TextAt("name") + " " + block.TextAt("uri") + "]";
}

std::string OfBlock(const Json& block) {
  const std::string type = block.TextAt("type");
  if (type == "text") return block.TextAt("text");
  if (type == "image" || type == "audio") {
    return "[" + TypeOf(block, type) + ", " + SizeOf(block.TextAt("data")) + "]";
  }
  if (type == "resource") return OfResource(block);
  if (type == "resource_link") return OfLink(block);
  return "[" + (type.empty() ? "content without a type" : type) + "]";
}

bool HasText(const Json& block) {
  return block.TextAt("type") == "text" && !block.TextAt("text").empty();
}

}  // namespace

std::string TextOfResult(const Json& result) {
  std::string text;
  bool has_text = false;
  const Json* content = result.Find("content");
  if (content != nullptr && content->IsArray()) {
    for (const Json& block : content->array()) {
      if (!text.empty()) text += '\n';
      text += OfBlock(block);
      has_text = has_text || HasText(block);
    }
  }
  const Json* structured = result.Find("structuredContent");
  if (!has_text && structured != nullptr && !structured->IsNull()) {
    if (!text.empty()) text += '\n';
    text += structured->Dump();
  }
  return FitResult(text);
}

}  // namespace writ::connectors
