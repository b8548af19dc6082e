package croupier

import (
	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A StreamError is how the service, or the way to it, ended the stream. Match on Reason; messages may change.
type StreamError struct {
	// Reason is an UPPER_SNAKE word of docs/errors.md.
	Reason string
	// Message is for people.
	Message string
	// Code is gRPC's.
	Code codes.Code
}

// Error is the reason and the message.
func (e *StreamError) Error() string { return e.Reason + ": " + e.Message }

// streamError reads what a failed call says.
func streamError(err error) *StreamError {
	said := status.Convert(err)
	ended := &StreamError{Reason: code.Code(said.Code()).String(), Message: said.Message(), Code: said.Code()}
	for _, detail := range said.Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			ended.Reason = info.Reason
		}
	}
	return ended
}
