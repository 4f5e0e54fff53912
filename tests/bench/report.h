#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace writ::bench {

// The figures of a run. Each is taken once a round; a table shows the median, and the median of its
// ratios to a baseline of the same round: the machine's other work changes both alike.
class Report {
 public:
  struct Against {
    std::string baseline;  // what it is called
    double value = 0;
  };

  void Take(const std::string& figure, const std::string& unit, double value,
            const std::vector<Against>& against = {});

  void Print() const;
  void Write(const std::filesystem::path& json) const;

 private:
  struct Ratio {
    std::string baseline;
    std::vector<double> values;
  };
  struct Line {
    std::string figure;
    std::string unit;
    std::vector<double> values;
    std::vector<Ratio> ratios;  // each to the same baseline in all rounds
  };
  Line& Find(const std::string& figure, const std::string& unit);

  std::vector<Line> lines_;  // in the order of their first value
};

}  // namespace writ::bench
