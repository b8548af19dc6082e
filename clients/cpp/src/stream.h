// One call of BotService.Play, from hello to its end.
#pragma once

#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "croupier/bot.h"
#include "croupier/settings.h"
#include "croupier/v1/bots.grpc.pb.h"
#include "player.h"

namespace croupier {

/// The most answers that the service takes in one message.
constexpr int most_answers = 1024;

/// A stream on a channel of its own, served by the one thread that calls `play`.
///
/// Nothing blocks but the wait for whatever comes next: were reading to wait for writing, the bot and a service doing
/// the same could wait for each other for ever. And no thread hands over to another one, which costs more than a move.
class Stream {
 public:
  /// A stream that is cancelled when `stop` asks for it.
  Stream(const Settings& settings, std::stop_token stop);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  /// Greets, plays until the stream ends, and says how it ended.
  grpc::Status play(Bot& bot, const v1::Hello& hello);

  /// Whether the service has welcomed the bot.
  bool greeted() const { return greeted_; }

 private:
  enum class Step : std::intptr_t { started, read, wrote, finished };
  struct Done {
    Step step;
    bool ok;
  };

  static void* tag(Step step);
  Done next();
  void greet(const v1::Hello& hello);
  void receive(Player& player);
  void send(v1::PlayRequest& ready);
  void write(const v1::PlayRequest& request);
  void note_written(bool ok);
  bool can_write();

  std::shared_ptr<grpc::Channel> channel_;
  grpc::ClientContext context_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<grpc::ClientAsyncReaderWriter<v1::PlayRequest, v1::PlayResponse>> call_;
  v1::PlayResponse response_;
  grpc::Status status_;
  bool greeted_ = false;
  bool writing_ = false;
  bool broken_ = false;
  std::stop_callback<std::function<void()>> on_stop_;
};

}  // namespace croupier
