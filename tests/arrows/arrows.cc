#include "tests/arrows/arrows.h"

#include <sstream>
#include <stdexcept>

namespace writ::tests {

namespace {

// Whether `path` is `place` or within it.
bool IsWithin(std::string_view path, std::string_view place) {
  return path.starts_with(place) &&
         (path.size() == place.size() || place.ends_with('/') || path[place.size()] == '/');
}

std::string_view FolderOf(std::string_view path) { return path.substr(0, path.rfind('/')); }

bool IsStandard(std::string_view target) {
  return target.starts_with('<') && target.find_first_of("./") == std::string_view::npos;
}

bool Allows(std::string_view to, std::string_view target) {
  if (!to.starts_with('<') || !target.starts_with('<')) {
    return IsWithin(target, to);
  }
  return to == target || (to.ends_with("/>") && target.starts_with(to.substr(0, to.size() - 1)));
}

}  // namespace

std::vector<Arrow> ReadArrows(std::string_view text) {
  std::vector<Arrow> arrows;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string from;
    std::string arrow;
    if (!(words >> from) || from.starts_with('#')) {
      continue;
    }
    words >> arrow;
    const std::size_t before = arrows.size();
    for (std::string to; words >> to;) {
      arrows.push_back({from, to});
    }
    if (arrow != "->" || arrows.size() == before) {
      throw std::runtime_error("arrows.txt: not `FROM -> TO ...`: " + line);
    }
  }
  return arrows;
}

std::vector<Include> IncludesOf(std::string_view source) {
  std::vector<Include> includes;
  std::istringstream lines{std::string(source)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::string directive;
    words >> directive;
    if (directive == "#") {  // `# include`
      words >> directive;
      directive.insert(0, "#");
    }
    const std::size_t begin = line.find_first_of("\"<");
    if (!directive.starts_with("#include") || begin == std::string::npos) {
      continue;
    }
    const bool angled = line[begin] == '<';
    const std::size_t end = line.find(angled ? '>' : '"', begin + 1);
    if (end != std::string::npos) {
      includes.push_back({number, angled ? line.substr(begin, end + 1 - begin)
                                         : line.substr(begin + 1, end - begin - 1)});
    }
  }
  return includes;
}

bool MayInclude(const std::vector<Arrow>& arrows, std::string_view file, std::string_view target) {
  if (IsStandard(target) || FolderOf(file) == FolderOf(target)) {
    return true;
  }
  for (const Arrow& arrow : arrows) {
    if (IsWithin(file, arrow.from) && Allows(arrow.to, target)) {
      return true;
    }
  }
  return false;
}

std::vector<std::string> ForbiddenIncludes(const std::vector<Arrow>& arrows, std::string_view file,
                                           std::string_view source) {
  std::vector<std::string> faults;
  for (const Include& include : IncludesOf(source)) {
    if (MayInclude(arrows, file, include.target)) {
      continue;
    }
    const std::string to(include.target.starts_with('<') ? include.target
                                                         : FolderOf(include.target));
    faults.push_back(std::string(file) + ':' + std::to_string(include.line) + ": includes " +
                     include.target + "; tests/arrows/arrows.txt has no `" +
                     std::string(FolderOf(file)) + " -> " + to + '`');
  }
  return faults;
}

}  // namespace writ::tests
