package croupier.client;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** How the service is reached. */
final class Channels {
  private static final int MAX_RECEIVED_BYTES = 64 << 20; // a thousand turns with views
  private static final String UNIX = "unix:";

  /** Kept, for a logger that nobody holds forgets its level. */
  private static final Logger NETTY = Logger.getLogger("io.grpc.netty.shaded.io.netty.bootstrap");

  static {
    NETTY.setLevel(Level.SEVERE); // it warns of an option that gRPC sets and unix sockets lack
  }

  private Channels() {}

  /** A channel to host:port or unix:/path; the executor runs whatever arrives. */
  static ManagedChannel open(String target, Executor executor) {
    return Grpc.newChannelBuilder(quoted(target), InsecureChannelCredentials.create())
        .executor(executor)
        // The service permits a ping every 10 s; this notices a dead connection within 40.
        .keepAliveTime(30, TimeUnit.SECONDS)
        .keepAliveTimeout(10, TimeUnit.SECONDS)
        .maxInboundMessageSize(MAX_RECEIVED_BYTES)
        .build();
  }

  /** A target is a URI to gRPC, and a path may have blanks. */
  private static String quoted(String target) {
    if (!target.startsWith(UNIX)) {
      return target;
    }
    try {
      return new URI("unix", target.substring(UNIX.length()), null).toString();
    } catch (URISyntaxException wrong) {
      throw new SettingsException("expected a socket as unix:/path, got \"" + target + "\"");
    }
  }
}
