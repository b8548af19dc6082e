#include "croupier/settings.h"

#include <algorithm>
#include <cstdlib>
#include <regex>

namespace croupier {

namespace {

constexpr int highest_port = 65535;

std::string or_from_environment(std::string given, const char* variable) {
  if (!given.empty()) return given;
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

/// Whether it can be an address: gRPC would try a wrong one for ever.
bool is_target(const std::string& target) {
  static const std::regex with_scheme("(unix|unix-abstract|dns|ipv4|ipv6|xds|vsock):.+");
  static const std::regex host_and_port(R"((\[[^\]\s]+\]|[^\[\]:/\s]+):(\d{1,5}))");
  if (std::regex_match(target, with_scheme)) return true;
  std::smatch parts;
  if (!std::regex_match(target, parts, host_and_port)) return false;
  const int port = std::stoi(parts[2]);
  return 0 < port && port <= highest_port;
}

/// Whether a call's metadata can carry it.
bool is_token(const std::string& token) {
  return std::all_of(token.begin(), token.end(), [](char c) { return ' ' <= c && c <= '~'; });
}

}  // namespace

Settings completed(Settings given) {
  Settings settings{
      .target = or_from_environment(std::move(given.target), "CROUPIER_TARGET"),
      .token = or_from_environment(std::move(given.token), "CROUPIER_TOKEN"),
      .name = or_from_environment(std::move(given.name), "CROUPIER_NAME"),
  };
  if (settings.target.empty()) {
    throw SettingsError("where to play? set CROUPIER_TARGET to host:port or unix:/path, or pass Settings{.target = …}");
  }
  if (settings.token.empty()) {
    throw SettingsError("who plays? set CROUPIER_TOKEN to the bot's token, or pass Settings{.token = …}");
  }
  if (!is_target(settings.target)) {
    throw SettingsError("expected the service's address as host:port or unix:/path, got '" + settings.target +
                        "'; see CROUPIER_TARGET");
  }
  if (!is_token(settings.token)) {
    throw SettingsError(
        "expected a token of printable ASCII characters, got others; use one as the service made it; see "
        "CROUPIER_TOKEN");
  }
  return settings;
}

v1::TurnDetail turn_detail(const Wants& wants) {
  v1::TurnDetail detail;
  detail.set_omit_view(!wants.view);
  detail.set_omit_events(!wants.events);
  switch (wants.legal) {
    case Legal::notations:
      detail.set_legal(v1::LEGAL_DETAIL_NOTATION);
      break;
    case Legal::typed:
      detail.set_legal(v1::LEGAL_DETAIL_TYPED);
      break;
    case Legal::count:
      detail.set_legal(v1::LEGAL_DETAIL_COUNT);
      break;
  }
  return detail;
}

}  // namespace croupier
