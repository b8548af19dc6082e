#include "stream.h"

#include <array>
#include <chrono>
#include <string>
#include <utility>

namespace croupier {

namespace {

std::shared_ptr<grpc::Channel> open_channel(const std::string& target) {
  grpc::ChannelArguments options;
  // The service permits a ping every 10 s; this notices a dead connection within 40, however long nothing is said.
  options.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
  options.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  options.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // A batch of a thousand turns with views outgrows the usual 4 MiB.
  options.SetMaxReceiveMessageSize(64 * 1024 * 1024);
  // A new channel is a new attempt: it must not inherit the waiting time of one that failed.
  options.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), options);
}

/// Takes as many answers out of the request as may go into one message.
v1::PlayRequest first_answers(v1::PlayRequest& ready) {
  std::array<v1::Answer*, most_answers> taken;
  ready.mutable_answers()->ExtractSubrange(0, most_answers, taken.data());
  v1::PlayRequest part;
  for (v1::Answer* answer : taken) part.mutable_answers()->AddAllocated(answer);
  return part;
}

}  // namespace

Stream::Stream(const Settings& settings, std::stop_token stop)
    : channel_(open_channel(settings.target)), on_stop_(std::move(stop), [this] { context_.TryCancel(); }) {
  context_.AddMetadata("authorization", "Bearer " + settings.token);
  call_ = v1::BotService::NewStub(channel_)->PrepareAsyncPlay(&context_, &queue_);
}

Stream::~Stream() {
  context_.TryCancel();
  queue_.Shutdown();
  void* step = nullptr;
  bool ok = false;
  while (queue_.Next(&step, &ok)) {
    // What is still under way refers to this object until it has come back.
  }
}

grpc::Status Stream::play(Bot& bot, const v1::Hello& hello) {
  Player player(bot, [this](v1::PlayRequest& ready) { send(ready); });
  call_->StartCall(tag(Step::started));
  while (true) {
    const auto [step, ok] = next();
    if (step == Step::finished) return status_;
    if (step == Step::wrote) {
      note_written(ok);
      player.send_rest();
    } else if (!ok) {
      call_->Finish(&status_, tag(Step::finished));
    } else if (step == Step::started) {
      greet(hello);
    } else {
      receive(player);
    }
  }
}

void* Stream::tag(Step step) { return reinterpret_cast<void*>(step); }

Stream::Done Stream::next() {
  void* step = nullptr;
  bool ok = false;
  queue_.Next(&step, &ok);
  return {static_cast<Step>(reinterpret_cast<std::intptr_t>(step)), ok};
}

void Stream::greet(const v1::Hello& hello) {
  v1::PlayRequest request;
  *request.mutable_hello() = hello;
  write(request);
  call_->Read(&response_, tag(Step::read));
}

void Stream::receive(Player& player) {
  greeted_ = greeted_ || response_.has_welcome();
  player.receive(response_);
  call_->Read(&response_, tag(Step::read));
}

void Stream::send(v1::PlayRequest& ready) {
  if (!can_write()) return;
  if (ready.answers_size() > most_answers) {
    write(first_answers(ready));
  } else {
    write(ready);
    ready.Clear();
  }
}

void Stream::write(const v1::PlayRequest& request) {
  writing_ = true;
  call_->Write(request, tag(Step::wrote));
}

void Stream::note_written(bool ok) {
  writing_ = false;
  broken_ = broken_ || !ok;  // how the stream ended, the next read says
}

/// Whether nothing is being written. While a message is handled no read is under way: only a write can have ended.
bool Stream::can_write() {
  if (writing_) {
    void* step = nullptr;
    bool ok = false;
    const auto at_once = std::chrono::system_clock::now();
    if (queue_.AsyncNext(&step, &ok, at_once) == grpc::CompletionQueue::GOT_EVENT) note_written(ok);
  }
  return !writing_ && !broken_;
}

}  // namespace croupier
