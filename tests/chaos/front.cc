#include "tests/chaos/front.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace writ::chaos {
namespace {

constexpr const char* kProgram = "/usr/sbin/nginx";
constexpr std::chrono::seconds kLongestStart{30};

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("there is no " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::string FrontConfig(const std::string& example, const std::vector<int>& ports, int port,
                        const std::string& folder) {
  std::string servers;
  for (const int node : ports) {
    servers += "server 127.0.0.1:" + std::to_string(node) + " max_fails=1 fail_timeout=2s;\n";
  }
  std::ostringstream http;
  std::istringstream lines(example);
  bool told = false;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, std::regex(R"(^\s*server\s+[0-9])"))) {
      if (!std::exchange(told, true)) http << servers;  // its own nodes' place
    } else if (std::regex_search(line, std::regex(R"(^\s*listen\s+443)"))) {
      http << "listen 127.0.0.1:" << port << ";\n";
    } else if (!std::regex_search(line, std::regex(R"(^\s*(ssl_|listen|return\s+301))"))) {
      http << line << '\n';
    }
  }
  if (!told) throw std::runtime_error("config/nginx.conf names no node");
  std::ostringstream config;
  config << "daemon off;\nmaster_process off;\npid " << folder << "/nginx.pid;\nerror_log "
         << folder << "/nginx.log;\nevents {}\nhttp {\naccess_log off;\n";
  for (const char* kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
    config << kind << "_temp_path " << folder << "/nginx-" << kind << ";\n";
  }
  config << http.str() << "}\n";
  return config.str();
}

Front::Front(const std::vector<int>& ports, const std::string& folder) : port_(tests::FreePort()) {
  if (!std::filesystem::exists(kProgram)) {
    throw std::runtime_error("nginx is missing: `./dev test` installs it");
  }
  const std::string config = folder + "/nginx.conf";
  std::ofstream(config) << FrontConfig(ReadFile("config/nginx.conf"), ports, port_, folder);
  nginx_ = std::make_unique<tests::ChildProcess>(
      std::vector<std::string>{"/usr/bin/setpriv", "--pdeathsig=KILL", "--", kProgram, "-c", config,
                               "-e", folder + "/nginx.log"},
      folder + "/nginx.out");
  if (!nginx_->WaitForPort(port_, kLongestStart)) {
    throw std::runtime_error("nginx did not start: " + ReadFile(folder + "/nginx.log"));
  }
}

std::string Front::url() const { return "http://127.0.0.1:" + std::to_string(port_); }

}  // namespace writ::chaos
