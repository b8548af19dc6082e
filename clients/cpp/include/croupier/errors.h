// Why a stream ended that should not have.
#pragma once

#include <grpcpp/support/status.h>

#include <stdexcept>
#include <string>

namespace croupier {

/// The service refuses this bot: trying again would change nothing.
class StreamRefused : public std::runtime_error {
 public:
  explicit StreamRefused(const grpc::Status& status);

  /// Why, for programs: an UPPER_SNAKE word of docs/errors.md, or the name of gRPC's status code.
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/// The reason the service gave for a failed call, or else the name of the status code.
std::string reason_of(const grpc::Status& status);

}  // namespace croupier
