"""From the rules' values to protobuf and back. Knows protobuf, not gRPC."""
