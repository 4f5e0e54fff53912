#include "tests/bench/report.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string_view>

#include "bot/process/system_clock.h"
#include "router/base/json.h"
#include "tests/bench/load.h"

namespace writ::bench {
namespace {

using router::Json;

Json Numbers(const std::vector<double>& values) {
  Json array = Json::MakeArray();
  for (const double value : values) array.Push(value);
  return array;
}

// Three digits that say something, and the thousands apart.
std::string Shown(double value) {
  std::array<char, 64> text{};
  const double size = std::fabs(value);
  const int decimals = size >= 100 || size == std::floor(size) ? 0 : size >= 10 ? 1 : 2;
  (void)std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  std::string shown = text.data();
  const std::size_t whole = std::min(shown.find('.'), shown.size());
  const std::size_t sign = shown.starts_with('-') ? 1 : 0;
  for (std::size_t at = whole; at > sign + 3; at -= 3) shown.insert(at - 3, ",");
  return shown;
}

std::string Shown(double value, const std::string& unit) {
  if (unit.empty()) return Shown(value);
  return Shown(value) + (unit.starts_with('/') ? "" : " ") + unit;
}

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

// The day, and the machine that it was.
std::string Machine() {
  utsname system{};
  uname(&system);
  const long pages = sysconf(_SC_PHYS_PAGES);
  const double gigabytes =
      static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e9;
  return router::FormatTime(bot::SystemClock().Now()).substr(0, 16) + " UTC; " +
         std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) + " processors (" + TextOf("/proc/cpuinfo") +
         "), " + Shown(std::round(gigabytes)) + " GB, Linux " + system.release;
}

}  // namespace

bool Report::Line::Met() const {
  const double median = Quantile(of_bound, 0.5);
  return at_least ? median >= 1 : median <= 1;
}

Report::Line& Report::Find(const std::string& figure, const std::string& unit) {
  const auto line = std::ranges::find_if(
      lines_, [&](const Line& one) { return one.section == section_ && one.figure == figure; });
  if (line != lines_.end()) return *line;
  return lines_.emplace_back(Line{section_, figure, unit, {}, {}});
}

void Report::Section(const std::string& title) {
  section_ = title;
  if (std::ranges::find(sections_, title) == sections_.end()) sections_.push_back(title);
  std::printf("%s\n", title.c_str());
}

void Report::Take(const std::string& figure, const std::string& unit, double value,
                  const std::vector<Against>& against, const std::optional<Target>& target) {
  Line& line = Find(figure, unit);
  line.values.push_back(value);
  line.ratios.resize(against.size());
  for (std::size_t i = 0; i < against.size(); ++i) {
    line.ratios[i].baseline = against[i].baseline;
    if (against[i].value > 0) line.ratios[i].values.push_back(value / against[i].value);
  }
  if (target) {
    line.target = target->words;
    line.at_least = target->at_least;
    line.of_bound.push_back(value / target->bound);
  }
  std::printf("  %-72s %12s\n", figure.c_str(), Shown(value, unit).c_str());
  (void)std::fflush(stdout);  // a run takes minutes
}

void Report::Say(const std::string& words) {
  words_[section_] += (words_[section_].empty() ? "" : " ") + words;
  std::printf("  %s\n", words.c_str());
}

std::string Report::TargetRows() const {
  std::string rows;
  for (const Line& line : lines_) {
    if (line.target.empty()) continue;
    rows += "| " + line.section + ": " + line.figure + " | " +
            Shown(Quantile(line.values, 0.5), line.unit) + " | " + line.target + " | " +
            (line.Met() ? "met" : "**missed**") + ", " + Shown(Quantile(line.of_bound, 0.5)) +
            " of it |\n";
  }
  return rows;
}

std::string Report::Rows(const std::string& section) const {
  std::string rows;
  for (const Line& line : lines_) {
    if (line.section != section) continue;
    rows += "| " + line.figure + " | " + Shown(Quantile(line.values, 0.5), line.unit);
    if (line.values.size() > 1) {
      rows += " (" + Shown(std::ranges::min(line.values)) + "–" +
              Shown(std::ranges::max(line.values)) + ")";
    }
    rows += " |";
    bool first = true;
    for (const Ratio& ratio : line.ratios) {
      if (ratio.values.empty()) continue;
      rows += (first ? " " : ", ") + Shown(Quantile(ratio.values, 0.5)) + " of " + ratio.baseline;
      first = false;
    }
    rows += " |\n";
  }
  return rows;
}

std::string Report::Markdown() const {
  std::string text = Machine() + ".\n\n";
  if (const std::string targets = TargetRows(); !targets.empty()) {
    text += "| figure | median | target | |\n| --- | --- | --- | --- |\n" + targets + "\n";
  }
  for (const std::string& section : sections_) {
    text += "### " + section + "\n\n";
    if (const auto words = words_.find(section); words != words_.end()) {
      text += words->second + (words->second.ends_with('\n') ? "\n" : "\n\n");
    }
    if (const std::string rows = Rows(section); !rows.empty()) {
      text +=
          "| figure | median (lowest–highest) | ratio in the same round |\n"
          "| --- | --- | --- |\n" +
          rows + "\n";
    }
  }
  return text;
}

void Report::Write(const std::filesystem::path& folder, const std::string& name) const {
  std::ofstream(folder / (name + ".md")) << Markdown();
  Json figures = Json::MakeArray();
  for (const Line& line : lines_) {
    Json figure = Json::MakeObject({{"section", line.section},
                                    {"figure", line.figure},
                                    {"unit", line.unit},
                                    {"median", Quantile(line.values, 0.5)},
                                    {"rounds", Numbers(line.values)}});
    Json ratios = Json::MakeArray();
    for (const Ratio& ratio : line.ratios) {
      ratios.Push(Json::MakeObject({{"baseline", ratio.baseline},
                                    {"median", Quantile(ratio.values, 0.5)},
                                    {"rounds", Numbers(ratio.values)}}));
    }
    figure.Set("ratios", std::move(ratios));
    if (!line.target.empty()) {
      figure.Set("target", Json::MakeObject({{"words", line.target},
                                             {"of_bound", Numbers(line.of_bound)},
                                             {"met", line.Met()}}));
    }
    figures.Push(std::move(figure));
  }
  const Json report =
      Json::MakeObject({{"taken_at", router::FormatTime(bot::SystemClock().Now())},
                        {"processors", static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))},
                        {"figures", std::move(figures)}});
  std::ofstream(folder / (name + ".json")) << report.Dump() << '\n';
}

}  // namespace writ::bench
