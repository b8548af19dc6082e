package croupier.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;

/** The stream ended with an error; the message says which, with the reason for programs first. */
final class StreamEndedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Status.Code code;

  StreamEndedException(Throwable cause) {
    super(sentence(cause), cause);
    this.code = Status.fromThrowable(cause).getCode();
  }

  /** Whether the service was not there, or went away: worth another try. */
  boolean isUnavailable() {
    return code == Status.Code.UNAVAILABLE;
  }

  private static String sentence(Throwable cause) {
    Status status = Status.fromThrowable(cause);
    String reason = reason(cause);
    String message = status.getDescription();
    Throwable root = status.getCause();
    return (reason.isEmpty() ? status.getCode().name() : reason)
        + (message == null ? "" : ": " + message)
        + (root == null ? "" : " (" + root + ")"); // such as "Connection refused"
  }

  /** The reason of the call's ErrorInfo; empty if it has none, as when nobody was reached. */
  private static String reason(Throwable cause) {
    com.google.rpc.Status status = StatusProto.fromThrowable(cause);
    if (status == null) {
      return "";
    }
    for (Any detail : status.getDetailsList()) {
      if (detail.is(ErrorInfo.class)) {
        try {
          return detail.unpack(ErrorInfo.class).getReason();
        } catch (InvalidProtocolBufferException garbled) {
          return ""; // the status itself still tells
        }
      }
    }
    return "";
  }
}
