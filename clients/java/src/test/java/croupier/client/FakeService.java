package croupier.client;

import croupier.v1.BotServiceGrpc.BotServiceImplBase;
import croupier.v1.Bots.PlayRequest;
import croupier.v1.Bots.PlayResponse;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A service that answers what a script says, and keeps what it was sent. */
final class FakeService extends BotServiceImplBase implements AutoCloseable, ServerInterceptor {
  /** What the service does with each message of the bot. */
  interface Script {
    void received(PlayRequest request, StreamObserver<PlayResponse> replies);
  }

  private final Script script;
  private final List<PlayRequest> received = new CopyOnWriteArrayList<>();
  private volatile String authorization;
  private Server server;
  private String target;

  private FakeService(Script script) {
    this.script = script;
  }

  static FakeService onTcp(Script script) throws IOException {
    FakeService service = new FakeService(script);
    service.start(NettyServerBuilder.forPort(0));
    service.target = "localhost:" + service.server.getPort();
    return service;
  }

  static FakeService onUnixSocket(Script script) throws IOException {
    Path socket = Files.createTempDirectory("croupier test").resolve("a socket");
    FakeService service = new FakeService(script);
    service.start(
        NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
            .channelType(EpollServerDomainSocketChannel.class)
            .bossEventLoopGroup(new EpollEventLoopGroup(1))
            .workerEventLoopGroup(new EpollEventLoopGroup(1)));
    service.target = "unix:" + socket;
    return service;
  }

  private void start(ServerBuilder<?> builder) throws IOException {
    server = builder.directExecutor().addService(this).intercept(this).build().start();
  }

  String target() {
    return target;
  }

  List<PlayRequest> received() {
    return received;
  }

  String authorization() {
    return authorization;
  }

  @Override
  public StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> replies) {
    return new StreamObserver<>() {
      @Override
      public void onNext(PlayRequest request) {
        received.add(request);
        script.received(request, replies);
      }

      @Override
      public void onError(Throwable gone) {} // the bot has left

      @Override
      public void onCompleted() {}
    };
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    authorization = headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
    return next.startCall(call, headers);
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
