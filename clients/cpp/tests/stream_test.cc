// The stream, against a service in this process: hello, batches on the wire, and all the ways it may end.
#include "stream.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <vector>

#include "croupier/run.h"

namespace croupier {
namespace {

using Server = grpc::ServerReaderWriter<v1::PlayResponse, v1::PlayRequest>;
using Call = std::function<grpc::Status(grpc::ServerContext&, Server&)>;

/// Answers each call as the next entry of its script says.
class ScriptedService : public v1::BotService::Service {
 public:
  explicit ScriptedService(std::deque<Call> script) : script_(std::move(script)) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }

  Settings settings() const {
    return {.target = "127.0.0.1:" + std::to_string(port_), .token = "secret", .name = "ada"};
  }
  bool played_out() const { return script_.empty(); }

  grpc::Status Play(grpc::ServerContext* context, Server* stream) override {
    const Call call = script_.front();
    script_.pop_front();
    v1::PlayRequest hello;
    stream->Read(&hello);
    EXPECT_EQ(hello.hello().name(), "ada");
    v1::PlayResponse welcome;
    welcome.mutable_welcome();
    stream->Write(welcome);
    return call(*context, *stream);
  }

 private:
  std::deque<Call> script_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

class FirstChoice : public Bot {
 public:
  Choice play(const Turn&) override { return 0; }
};

grpc::Status close(grpc::ServerContext&, Server&) { return grpc::Status::OK; }

TEST(Stream, ShowsItsTokenAndEndsWhenTheServiceCloses) {
  std::string token;
  ScriptedService service({[&](grpc::ServerContext& context, Server&) {
    const grpc::string_ref shown = context.client_metadata().find("authorization")->second;
    token.assign(shown.begin(), shown.end());
    return grpc::Status::OK;
  }});
  FirstChoice bot;
  play_until_closed(bot, {}, service.settings(), {});
  EXPECT_EQ(token, "Bearer secret");
}

TEST(Stream, NoMessageHasMoreAnswersThanTheServiceTakes) {
  std::vector<int> sizes;
  ScriptedService service({[&](grpc::ServerContext&, Server& stream) {
    v1::PlayResponse response;
    for (int i = 0; i < 2500; ++i) response.add_turns()->set_legal_count(1);
    stream.Write(response);
    v1::PlayRequest request;
    for (int received = 0; received < 2500 && stream.Read(&request); received += request.answers_size()) {
      sizes.push_back(request.answers_size());
    }
    return grpc::Status::OK;
  }});
  FirstChoice bot;
  play_until_closed(bot, {}, service.settings(), {});
  int all = 0;
  for (const int size : sizes) {
    EXPECT_LE(size, most_answers);
    all += size;
  }
  EXPECT_EQ(all, 2500);
}

TEST(Stream, ComesBackWhenCutOff) {
  ScriptedService service({
      [](auto&, auto&) { return grpc::Status(grpc::StatusCode::UNAVAILABLE, "draining"); },
      close,
  });
  FirstChoice bot;
  play_until_closed(bot, {}, service.settings(), {});
  EXPECT_TRUE(service.played_out());
}

TEST(Stream, AnyOtherEndIsToldWithTheReasonOfTheService) {
  // A google.rpc.Status with one ErrorInfo, whose reason is "TOKEN_MISSING".
  const std::string info = std::string("\x0a\x0d") + "TOKEN_MISSING";
  const std::string url = "type.googleapis.com/google.rpc.ErrorInfo";
  const std::string any = "\x0a" + std::string(1, static_cast<char>(url.size())) + url + "\x12" +
                          std::string(1, static_cast<char>(info.size())) + info;
  const std::string rich = "\x1a" + std::string(1, static_cast<char>(any.size())) + any;
  ScriptedService service(
      {[&](auto&, auto&) { return grpc::Status(grpc::StatusCode::UNAUTHENTICATED, "show a token", rich); }});
  FirstChoice bot;
  try {
    play_until_closed(bot, {}, service.settings(), {});
    FAIL() << "expected a refusal";
  } catch (const StreamRefused& refused) {
    EXPECT_EQ(refused.reason(), "TOKEN_MISSING");
    EXPECT_STREQ(refused.what(), "TOKEN_MISSING: show a token");
  }
}

TEST(Stream, EndsWhenAskedToStop) {
  std::stop_source stop;
  ScriptedService service({[&](grpc::ServerContext&, Server& stream) {
    stop.request_stop();
    v1::PlayRequest request;
    while (stream.Read(&request)) {
    }
    return grpc::Status::OK;
  }});
  FirstChoice bot;
  play_until_closed(bot, {}, service.settings(), stop.get_token());
  EXPECT_TRUE(stop.stop_requested());
}

TEST(Stream, WhatABotThrowsPassesThrough) {
  ScriptedService service({[](grpc::ServerContext&, Server& stream) {
    v1::PlayResponse response;
    response.add_turns();  // with no legal action at all
    stream.Write(response);
    v1::PlayRequest request;
    stream.Read(&request);
    return grpc::Status::OK;
  }});
  FirstChoice bot;
  EXPECT_THROW(play_until_closed(bot, {}, service.settings(), {}), std::out_of_range);
}

}  // namespace
}  // namespace croupier
