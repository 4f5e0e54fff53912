#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace writ::bench {

// The figures of a run. Each is taken once a round; a table shows the median, the median of its
// ratios to a baseline of the same round (the machine's other work changes both alike), and, where
// there is a target, whether the median round met it.
class Report {
 public:
  struct Against {
    std::string baseline;  // what it is called
    double value = 0;
  };
  // What the figure is to be at most, or at least. `bound` is that of this round: of a target that
  // is said in baselines, their sum.
  struct Target {
    std::string words;
    double bound = 0;
    bool at_least = false;
  };

  // What follows stands in a table of its own.
  void Section(const std::string& title);
  void Take(const std::string& figure, const std::string& unit, double value,
            const std::vector<Against>& against = {},
            const std::optional<Target>& target = std::nullopt);
  // What has no figure: why something was not measured.
  void Say(const std::string& words);

  // As docs/measured.md has it: first the targets, then each section.
  [[nodiscard]] std::string Markdown() const;
  // `name`.md and `name`.json in the folder.
  void Write(const std::filesystem::path& folder, const std::string& name) const;

 private:
  struct Ratio {
    std::string baseline;
    std::vector<double> values;
  };
  struct Line {
    std::string section;
    std::string figure;
    std::string unit;
    std::vector<double> values;
    std::vector<Ratio> ratios;  // each to the same baseline in all rounds
    std::string target = {};    // empty: none
    bool at_least = false;
    std::vector<double> of_bound = {};  // the values as shares of their rounds' bounds

    [[nodiscard]] bool Met() const;
  };
  Line& Find(const std::string& figure, const std::string& unit);
  [[nodiscard]] std::string Rows(const std::string& section) const;
  [[nodiscard]] std::string TargetRows() const;

  std::string section_;
  std::vector<std::string> sections_;         // in the order of their first figure
  std::map<std::string, std::string> words_;  // by section
  std::vector<Line> lines_;                   // in the order of their first value
};

}  // namespace writ::bench
