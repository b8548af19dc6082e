#include "croupier/errors.h"

#include <array>
#include <cstddef>
#include <string_view>

#include "croupier/client/rich_status.pb.h"

namespace croupier {

namespace {

constexpr std::array code_names = {
    "OK",        "CANCELLED",       "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS",  "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",    "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED",
};

std::string name_of(grpc::StatusCode code) {
  const auto number = static_cast<std::size_t>(code);
  return number < code_names.size() ? code_names[number] : "STATUS_" + std::to_string(code);
}

std::string sentence_of(const grpc::Status& status) {
  const std::string reason = reason_of(status);
  return status.error_message().empty() ? reason : reason + ": " + status.error_message();
}

}  // namespace

std::string reason_of(const grpc::Status& status) {
  client::RichStatus rich;
  if (rich.ParseFromString(status.error_details())) {
    for (const auto& detail : rich.details()) {
      client::ErrorInfo info;
      const bool is_info = std::string_view(detail.type_url()).ends_with("/google.rpc.ErrorInfo");
      if (is_info && info.ParseFromString(detail.value()) && !info.reason().empty()) return info.reason();
    }
  }
  return name_of(status.error_code());
}

StreamRefused::StreamRefused(const grpc::Status& status)
    : std::runtime_error(sentence_of(status)), reason_(reason_of(status)) {}

}  // namespace croupier
