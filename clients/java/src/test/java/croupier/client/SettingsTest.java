package croupier.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static final String TOKEN = "a-token-of-many-letters";

  @Test
  void argumentsWinOverTheEnvironment() {
    Map<String, String> environment =
        Map.of(
            "CROUPIER_TARGET", "there:1", "CROUPIER_TOKEN", "other", "CROUPIER_NAME", "somebody");
    Settings settings = Settings.of("here:7017", TOKEN, null, environment);
    assertEquals(new Settings("here:7017", TOKEN, "somebody"), settings);
  }

  @Test
  void aMissingTargetIsNamed() {
    assertTrue(complaint(null, TOKEN).contains("CROUPIER_TARGET"));
  }

  @Test
  void aMissingTokenIsNamed() {
    assertTrue(complaint("here:7017", null).contains("CROUPIER_TOKEN"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"here", "here:0", "here:65536", "http://here:1", ":7017", "unix:", "a b:1"})
  void anAddressThatCannotBeOneIsRefused(String target) {
    assertTrue(complaint(target, TOKEN).contains("\"" + target + "\""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"here:7017", "[::1]:7017", "127.0.0.1:1", "unix:/run/a b.sock", "dns:here"})
  void anAddressThatMayBeOneIsTaken(String target) {
    assertEquals(target, Settings.of(target, TOKEN, null, Map.of()).target());
  }

  @Test
  void aTokenThatNoCallCanCarryIsRefusedButNotShown() {
    String complaint = complaint("here:7017", "sécret");
    assertTrue(complaint.contains("CROUPIER_TOKEN"));
    assertFalse(complaint.contains("cret\""));
  }

  @Test
  void theTokenIsNotPrinted() {
    assertFalse(Settings.of("here:7017", TOKEN, null, Map.of()).toString().contains(TOKEN));
  }

  private static String complaint(String target, String token) {
    return assertThrows(SettingsException.class, () -> Settings.of(target, token, null, Map.of()))
        .getMessage();
  }
}
