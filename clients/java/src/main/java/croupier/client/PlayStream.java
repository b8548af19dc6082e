package croupier.client;

import croupier.v1.BotServiceGrpc;
import croupier.v1.Bots.Hello;
import croupier.v1.Bots.PlayRequest;
import croupier.v1.Bots.PlayResponse;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One stream, from the greeting to its end.
 *
 * <p>gRPC's own thread moves the bytes; whatever it has to tell is run by the thread that called
 * {@link #play}, so a bot that thinks long delays no answer that was sent before.
 */
final class PlayStream implements StreamObserver<PlayResponse> {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final BlockingQueue<Runnable> arrivals = new LinkedBlockingQueue<>();
  private final Bot bot;
  private Player player;
  private boolean greeted;
  private boolean ended;
  private Throwable streamFailure;
  private RuntimeException botFailure;

  PlayStream(Bot bot) {
    this.bot = bot;
  }

  /** Whether the service has welcomed the bot. */
  boolean greeted() {
    return greeted;
  }

  /** Plays until the service closes the stream. */
  void play(Settings settings, Hello hello) throws StreamEndedException, InterruptedException {
    ManagedChannel channel = Channels.open(settings.target(), arrivals::add);
    try {
      StreamObserver<PlayRequest> requests =
          BotServiceGrpc.newStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(bearer(settings.token())))
              .play(this);
      player = new Player(bot, requests::onNext, System::nanoTime);
      requests.onNext(PlayRequest.newBuilder().setHello(hello).build());
      while (!ended) {
        arrivals.take().run();
      }
    } finally {
      channel.shutdownNow();
    }
    if (botFailure != null) {
      throw botFailure;
    }
    if (streamFailure != null) {
      throw new StreamEndedException(streamFailure);
    }
  }

  @Override
  public void onNext(PlayResponse response) {
    greeted |= response.hasWelcome();
    try {
      player.receive(response);
    } catch (RuntimeException failure) { // gRPC would take it for a failure of the stream
      botFailure = failure;
      ended = true;
    }
  }

  @Override
  public void onError(Throwable failure) {
    streamFailure = failure;
    ended = true;
  }

  @Override
  public void onCompleted() {
    ended = true;
  }

  private static Metadata bearer(String token) {
    Metadata headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + token);
    return headers;
  }
}
