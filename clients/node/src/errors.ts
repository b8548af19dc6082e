/** How a stream that did not end well ended. */
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { type Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { Any } from "./stubs/google/protobuf/any.js";

/** The stream ended with an error: why, for programs (`reason`, docs/errors.md) and for people (`details`). */
export class StreamEnded extends Error {
  readonly reason: string;
  readonly details: string;
  /** Whether trying again makes sense: the service could not be reached, or the connection broke. */
  readonly unavailable: boolean;

  constructor(error: ServiceError) {
    const reason = reasonIn(error.metadata) || status[error.code] || `status ${error.code}`;
    const details = error.details || reason;
    super(`${reason}: ${details}`);
    this.reason = reason;
    this.details = details;
    this.unavailable = error.code === status.UNAVAILABLE || endedWithoutStatus(error);
  }
}

/** grpc-js gives a stream that was torn off a status of its own, and only its text tells it from the service's word. */
function endedWithoutStatus({ code, details }: ServiceError): boolean {
  return (
    (code === status.INTERNAL && details.startsWith("Received RST_STREAM")) ||
    (code === status.CANCELLED && details === "Call cancelled")
  );
}

/** The reason of the google.rpc.ErrorInfo among the details of a google.rpc.Status; empty if there is none. */
function reasonIn(metadata: Metadata | undefined): string {
  for (const richStatus of metadata?.get("grpc-status-details-bin") ?? []) {
    for (const detail of texts(Buffer.from(richStatus), 3).map((bytes) => Any.decode(bytes))) {
      const reason = detail.typeUrl.endsWith("/google.rpc.ErrorInfo") && texts(detail.value, 1)[0];
      if (reason) {
        return Buffer.from(reason).toString();
      }
    }
  }
  return "";
}

/** The contents of one field of texts, bytes or messages: enough to read the two messages above without their stubs. */
function texts(message: Uint8Array, field: number): Uint8Array[] {
  const reader = new BinaryReader(message);
  const found: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number === field && type === WireType.LengthDelimited) {
      found.push(reader.bytes());
    } else {
      reader.skip(type, number);
    }
  }
  return found;
}
