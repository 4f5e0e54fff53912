#include "bot/config/read_texts.h"

#include <string>
#include <utility>

namespace writ::bot {

router::TextsByLanguage ReadTexts(const Node& node) {
  router::TextsByLanguage::Said said;
  for (const std::string& language : node.Keys()) {
    const Node texts = node[language];
    for (const std::string& name : texts.Keys()) {
      const Node entry = texts[name];
      std::string text = entry.Text();
      if (auto fault = router::Texts::FaultOf(name, text)) {
        entry.Fault(*std::move(fault));
      } else {
        said[language][name] = std::move(text);
      }
    }
  }
  return router::TextsByLanguage(said);
}

}  // namespace writ::bot
