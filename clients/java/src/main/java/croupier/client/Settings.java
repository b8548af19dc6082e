package croupier.client;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a bot plays, as whom, and under what name. */
record Settings(String target, String token, String name) {
  private static final Pattern SCHEME_AND_REST = Pattern.compile("(unix|dns):.+");
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(\\[[^]\\s]+]|[^\\[\\]:/\\s]+):(\\d{1,5})");
  private static final int PORTS = 1 << 16;

  /** What arguments and environment say together; arguments win, null means not given. */
  static Settings of(String target, String token, String name, Map<String, String> environment) {
    String where = target != null ? target : environment.getOrDefault("CROUPIER_TARGET", "");
    String who = token != null ? token : environment.getOrDefault("CROUPIER_TOKEN", "");
    String called = name != null ? name : environment.getOrDefault("CROUPIER_NAME", "");
    if (where.isEmpty()) {
      throw new SettingsException(
          "where to play? set CROUPIER_TARGET to host:port or unix:/path, or call target(…)");
    }
    if (who.isEmpty()) {
      throw new SettingsException(
          "who plays? set CROUPIER_TOKEN to the bot's token, or call token(…)");
    }
    return new Settings(checkedTarget(where), checkedToken(who), called);
  }

  /** The address, if it can be one: gRPC would try a wrong one for ever. */
  private static String checkedTarget(String target) {
    Matcher address = HOST_AND_PORT.matcher(target);
    if (address.matches() ? isPort(address.group(2)) : SCHEME_AND_REST.matcher(target).matches()) {
      return target;
    }
    throw new SettingsException(
        "expected the service's address as host:port or unix:/path, got \""
            + target
            + "\"; see CROUPIER_TARGET");
  }

  private static boolean isPort(String digits) {
    int port = Integer.parseInt(digits);
    return 0 < port && port < PORTS;
  }

  /** The token, if a call can carry it. */
  private static String checkedToken(String token) {
    if (token.chars().allMatch(letter -> ' ' <= letter && letter <= '~')) {
      return token;
    }
    throw new SettingsException(
        "expected a token of printable ASCII characters, got others; use one as the service made"
            + " it, see CROUPIER_TOKEN");
  }

  /** Says nothing of the token, which is a secret. */
  @Override
  public String toString() {
    return "Settings[target=" + target + ", name=" + name + "]";
  }
}
