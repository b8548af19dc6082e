"""The gRPC API. The only part of the service that knows gRPC: check, delegate, answer."""
