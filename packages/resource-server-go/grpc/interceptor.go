// Package latchkeygrpc protects a gRPC server with Latchkey.
//
//	methods := latchkeygrpc.Methods{
//		"/notes.Notes/List":             latchkeygrpc.Needs(latchkey.RequirePermission("notes:read")),
//		"/grpc.health.v1.Health/Check": latchkeygrpc.Public(),
//	}
//	server := grpc.NewServer(
//		grpc.UnaryInterceptor(latchkeygrpc.UnaryInterceptor(api, methods)),
//		grpc.StreamInterceptor(latchkeygrpc.StreamInterceptor(api, methods)),
//	)
//
// Handlers get the access by [latchkey.FromContext]. A refusal has the challenge of HTTP in its trailer.
package latchkeygrpc

import (
	"context"
	"strconv"
	"sync"
	"time"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Methods has what each method needs, by its full name. A method that is not in it is refused.
type Methods map[string]Rule

// Rule is what a method needs.
type Rule struct {
	isPublic     bool
	requirements []latchkey.Requirement
}

// Needs is the rule of a method that needs a token which meets every requirement.
func Needs(requirements ...latchkey.Requirement) Rule { return Rule{requirements: requirements} }

// Public is the rule of a method for everyone. A token is not looked at.
func Public() Rule { return Rule{isPublic: true} }

// UnaryInterceptor checks each call.
func UnaryInterceptor(api *latchkey.Server, methods Methods) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, request any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		check := checker{api, methods, info.FullMethod}
		checked, trailer, err := check.check(ctx)
		if err != nil {
			_ = grpc.SetTrailer(ctx, trailer)
			return nil, err
		}
		return next(checked, request)
	}
}

// StreamInterceptor checks each stream when it begins, and again with its messages, so that a stream ends soon after its
// token is revoked.
func StreamInterceptor(api *latchkey.Server, methods Methods) grpc.StreamServerInterceptor {
	return func(service any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
		check := checker{api, methods, info.FullMethod}
		checked, trailer, err := check.check(stream.Context())
		if err != nil {
			stream.SetTrailer(trailer)
			return err
		}
		return next(service, &checkedStream{ServerStream: stream, ctx: checked, check: check, checkedAt: time.Now()})
	}
}

// recheckAfter bounds the cost of checks where messages are many and the service has to be asked each time.
const recheckAfter = 500 * time.Millisecond

// checkedStream checks the token with the messages of a stream.
type checkedStream struct {
	grpc.ServerStream
	ctx   context.Context
	check checker

	mutex     sync.Mutex
	checkedAt time.Time
}

func (s *checkedStream) Context() context.Context { return s.ctx }

func (s *checkedStream) SendMsg(message any) error {
	if err := s.recheck(); err != nil {
		return err
	}
	return s.ServerStream.SendMsg(message)
}

func (s *checkedStream) RecvMsg(message any) error {
	if err := s.ServerStream.RecvMsg(message); err != nil {
		return err
	}
	return s.recheck()
}

func (s *checkedStream) recheck() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if time.Since(s.checkedAt) < recheckAfter {
		return nil
	}
	_, trailer, err := s.check.check(s.ServerStream.Context())
	if err != nil {
		s.SetTrailer(trailer)
		return err
	}
	s.checkedAt = time.Now()
	return nil
}

// checker checks the calls of one method.
type checker struct {
	api     *latchkey.Server
	methods Methods
	method  string
}

// check returns the context for the handler, or a refusal with its trailer.
func (c checker) check(ctx context.Context) (context.Context, metadata.MD, error) {
	rule, isDeclared := c.methods[c.method]
	if !isDeclared {
		return nil, nil, status.Error(codes.PermissionDenied, "This method is not declared.")
	}
	if rule.isPublic {
		return ctx, nil, nil
	}
	access, refusal := c.api.VerifyHeader(ctx, metadata.ValueFromIncomingContext(ctx, "authorization"), rule.requirements...)
	if refusal != nil {
		return nil, trailerOf(refusal), status.Error(codeOf(refusal), refusal.Message)
	}
	return latchkey.NewContext(ctx, access), nil, nil
}

func trailerOf(refusal *latchkey.Refusal) metadata.MD {
	trailer := metadata.MD{}
	if refusal.Challenge != "" {
		trailer.Set("www-authenticate", refusal.Challenge)
	}
	if refusal.Reason == latchkey.ElevationLacking {
		trailer.Set("service-elevation-required", "1")
	}
	if refusal.RetryAfter > 0 {
		trailer.Set("retry-after", strconv.Itoa(int(refusal.RetryAfter/time.Second)))
	}
	return trailer
}

func codeOf(refusal *latchkey.Refusal) codes.Code {
	switch refusal.Reason {
	case latchkey.TokenMalformed:
		return codes.InvalidArgument
	case latchkey.PermissionLacking:
		return codes.PermissionDenied
	case latchkey.ElevationLacking:
		return codes.FailedPrecondition
	case latchkey.ServiceUnavailable:
		return codes.Unavailable
	}
	return codes.Unauthenticated
}
