package croupier.bots;

import static java.nio.charset.StandardCharsets.UTF_8;

import croupier.client.Turn;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Chance that falls the same way whenever a deal comes to the same decision again. */
final class Chance {
  private Chance() {}

  /** 32 random bytes for this decision of this deal, different for every prefix. */
  static byte[] of(byte[] prefix, Turn turn) {
    MessageDigest digest = sha256();
    digest.update(prefix);
    digest.update(turn.seating().getSeedCommitment().asReadOnlyByteBuffer());
    digest.update(("/" + turn.seat() + "/" + turn.decisionId()).getBytes(UTF_8));
    return digest.digest();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) { // every Java has it
      throw new AssertionError(impossible);
    }
  }
}
