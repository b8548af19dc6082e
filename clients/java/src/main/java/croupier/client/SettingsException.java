package croupier.client;

/** Nothing says where to play, or as whom. */
final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SettingsException(String message) {
    super(message);
  }
}
