#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/digest.h"
#include "router/model/model.h"

namespace writ::router {
namespace {

constexpr std::size_t kMaxName = 64;
constexpr std::size_t kMarkDigits = 8;

bool IsTaken(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool FitsAsItIs(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && std::all_of(name.begin(), name.end(), IsTaken);
}

// `round` is 0 but where a name was in use already.
std::string Cleaned(const std::string& true_name, int round) {
  std::string name = true_name.substr(0, kMaxName - kMarkDigits - 1);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !IsTaken(c); }, '_');
  const std::string marked = round == 0 ? true_name : true_name + "#" + std::to_string(round);
  return name + "_" + Sha256Hex(marked).substr(0, kMarkDigits);
}

}  // namespace

std::vector<std::string> OfferNames(const std::vector<std::string>& true_names) {
  std::vector<std::string> offered(true_names.size());
  std::set<std::string> used;
  // By name, so that the order in which the tools were listed does not matter; those that keep
  // their name first, so that no made name can take one away.
  std::vector<std::size_t> order(true_names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    const bool left_fits = FitsAsItIs(true_names[left]);
    const bool right_fits = FitsAsItIs(true_names[right]);
    if (left_fits != right_fits) return left_fits;
    return true_names[left] < true_names[right];
  });
  for (const std::size_t at : order) {
    const std::string& true_name = true_names[at];
    std::string name = FitsAsItIs(true_name) ? true_name : Cleaned(true_name, 0);
    for (int round = 1; !used.insert(name).second; ++round) name = Cleaned(true_name, round);
    offered[at] = std::move(name);
  }
  return offered;
}

}  // namespace writ::router
