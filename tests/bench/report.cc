#include "tests/bench/report.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

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

}  // namespace

Report::Line& Report::Find(const std::string& figure, const std::string& unit) {
  const auto line = std::ranges::find(lines_, figure, &Line::figure);
  if (line != lines_.end()) return *line;
  return lines_.emplace_back(Line{figure, unit, {}, {}});
}

void Report::Take(const std::string& figure, const std::string& unit, double value,
                  const std::vector<Against>& against) {
  Line& line = Find(figure, unit);
  line.values.push_back(value);
  line.ratios.resize(against.size());
  for (std::size_t i = 0; i < against.size(); ++i) {
    line.ratios[i].baseline = against[i].baseline;
    line.ratios[i].values.push_back(value / against[i].value);
  }
  std::printf("  %-66s %10.2f %s\n", figure.c_str(), value, unit.c_str());
  (void)std::fflush(stdout);  // a run takes minutes
}

void Report::Print() const {
  std::printf("\n%-66s %10s %10s %10s  %-6s %s\n", "figure (median of the rounds)", "median",
              "lowest", "highest", "unit", "ratio");
  for (const Line& line : lines_) {
    std::printf("%-66s %10.2f %10.2f %10.2f  %-6s", line.figure.c_str(), Quantile(line.values, 0.5),
                std::ranges::min(line.values), std::ranges::max(line.values), line.unit.c_str());
    for (const Ratio& ratio : line.ratios) {
      std::printf(" %.2f of %s", Quantile(ratio.values, 0.5), ratio.baseline.c_str());
    }
    std::printf("\n");
  }
}

void Report::Write(const std::filesystem::path& json) const {
  Json figures = Json::MakeArray();
  for (const Line& line : lines_) {
    Json figure = Json::MakeObject({{"figure", line.figure},
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
    figures.Push(std::move(figure));
  }
  const Json report =
      Json::MakeObject({{"taken_at", router::FormatTime(bot::SystemClock().Now())},
                        {"processors", static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))},
                        {"figures", std::move(figures)}});
  std::ofstream(json) << report.Dump() << '\n';
}

}  // namespace writ::bench
