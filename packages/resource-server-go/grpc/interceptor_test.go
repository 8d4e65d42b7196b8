package latchkeygrpc_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
	latchkeygrpc "github.com/latchkey/latchkey/packages/resource-server-go/grpc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// service is a Latchkey service by script: one active token, which can be revoked, and an event stream.
type service struct {
	*httptest.Server
	token     string
	isRevoked atomic.Bool
	isDown    atomic.Bool
	events    chan string
}

func newService(t *testing.T) *service {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "vectors", "conduct.json"))
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct{ Tokens map[string]string }
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	s := &service{token: vectors.Tokens["alice"], events: make(chan string, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /oauth/introspect", s.introspect)
	mux.HandleFunc("GET /oauth/introspect/stream", s.stream)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *service) introspect(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.isDown.Load():
		w.WriteHeader(http.StatusServiceUnavailable)
	case s.isRevoked.Load() || r.FormValue("token") != s.token:
		_, _ = io.WriteString(w, `{"active":false}`)
	default:
		_ = json.NewEncoder(w).Encode(map[string]any{
			"active": true, "iss": s.URL, "sub": "account-1", "username": "alice", "client_id": "app-1",
			"token_id": "credential-1", "scope": "notes:read", "iat": time.Now().Unix(), "exp": time.Now().Unix() + 3600,
		})
	}
}

func (s *service) stream(w http.ResponseWriter, r *http.Request) {
	event := "id: 1\nevent: ready\ndata: {}\n\n"
	for {
		_, _ = io.WriteString(w, event)
		_ = http.NewResponseController(w).Flush()
		select {
		case event = <-s.events:
		case <-r.Context().Done():
			return
		}
	}
}

func (s *service) revoke() {
	s.isRevoked.Store(true)
	s.events <- "id: 2\nevent: credential\ndata: {\"token_id\":\"credential-1\"}\n\n"
}

// notes is a service without generated code.
var notes = grpc.ServiceDesc{
	ServiceName: "notes.Notes",
	HandlerType: (*any)(nil),
	Methods:     []grpc.MethodDesc{unary("Read"), unary("Write"), unary("Elevated"), unary("Public"), unary("Undeclared")},
	Streams:     []grpc.StreamDesc{{StreamName: "Watch", ServerStreams: true, ClientStreams: true, Handler: watch}},
}

// unary is a method that answers who calls.
func unary(name string) grpc.MethodDesc {
	return grpc.MethodDesc{
		MethodName: name,
		Handler: func(_ any, ctx context.Context, decode func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
			request := new(emptypb.Empty)
			if err := decode(request); err != nil {
				return nil, err
			}
			info := &grpc.UnaryServerInfo{FullMethod: "/notes.Notes/" + name}
			return interceptor(ctx, request, info, func(ctx context.Context, _ any) (any, error) { return caller(ctx), nil })
		},
	}
}

func watch(_ any, stream grpc.ServerStream) error {
	for {
		if err := stream.RecvMsg(new(emptypb.Empty)); err != nil {
			return err
		}
		if err := stream.SendMsg(caller(stream.Context())); err != nil {
			return err
		}
	}
}

func caller(ctx context.Context) *wrapperspb.StringValue {
	access, ok := latchkey.FromContext(ctx)
	return wrapperspb.String(fmt.Sprint(access.Username, " ", ok))
}

// connected starts a server and returns a connection to it.
func connected(t *testing.T, s *service) (*grpc.ClientConn, *latchkey.Server) {
	t.Helper()
	api, err := latchkey.New(latchkey.Options{
		Issuer: s.URL, ClientID: "api-1", ClientSecret: "secret", Resource: "https://api.example",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(api.Close)
	read := latchkey.RequirePermission("notes:read")
	methods := latchkeygrpc.Methods{
		"/notes.Notes/Read":     latchkeygrpc.Needs(read),
		"/notes.Notes/Write":    latchkeygrpc.Needs(latchkey.RequirePermission("notes:write")),
		"/notes.Notes/Elevated": latchkeygrpc.Needs(read, latchkey.RequireElevation()),
		"/notes.Notes/Public":   latchkeygrpc.Public(),
		"/notes.Notes/Watch":    latchkeygrpc.Needs(read),
	}
	server := grpc.NewServer(
		grpc.UnaryInterceptor(latchkeygrpc.UnaryInterceptor(api, methods)),
		grpc.StreamInterceptor(latchkeygrpc.StreamInterceptor(api, methods)),
	)
	server.RegisterService(&notes, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	connection, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return connection, api
}

func bearing(ctx context.Context, authorization ...string) context.Context {
	for _, value := range authorization {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", value)
	}
	return ctx
}

func TestUnary(t *testing.T) {
	s := newService(t)
	connection, _ := connected(t, s)
	token := "Bearer " + s.token
	challenge := `scope="notes:read", resource_metadata="https://api.example/.well-known/oauth-protected-resource"`
	for _, one := range []struct {
		method        string
		authorization []string
		code          codes.Code
		answer        string
		challenge     string
		elevation     int
	}{
		{"Read", []string{token}, codes.OK, "alice true", "", 0},
		{"Read", nil, codes.Unauthenticated, "", "Bearer " + challenge, 0},
		{"Read", []string{token, token}, codes.InvalidArgument, "",
			`Bearer error="invalid_request", error_description="The Authorization header is malformed.", ` + challenge, 0},
		{"Read", []string{"Bearer x"}, codes.Unauthenticated, "",
			`Bearer error="invalid_token", error_description="The access token is not valid.", ` + challenge, 0},
		{"Write", []string{token}, codes.PermissionDenied, "",
			`Bearer error="insufficient_scope", error_description="The credential lacks a permission that this needs.", ` +
				`scope="notes:write", resource_metadata="https://api.example/.well-known/oauth-protected-resource"`, 0},
		{"Elevated", []string{token}, codes.FailedPrecondition, "",
			`Bearer error="insufficient_user_authentication", error_description="This needs a factor proven recently.", ` + challenge, 1},
		{"Public", nil, codes.OK, " false", "", 0},
		{"Public", []string{token}, codes.OK, " false", "", 0},
		{"Undeclared", []string{token}, codes.PermissionDenied, "", "", 0},
	} {
		answer := new(wrapperspb.StringValue)
		var trailer metadata.MD
		err := connection.Invoke(bearing(t.Context(), one.authorization...), "/notes.Notes/"+one.method,
			new(emptypb.Empty), answer, grpc.Trailer(&trailer))
		if status.Code(err) != one.code || answer.Value != one.answer {
			t.Errorf("%s: %v %q", one.method, err, answer.Value)
		}
		if got := fmt.Sprint(trailer["www-authenticate"]); one.challenge != "" && got != "["+one.challenge+"]" {
			t.Errorf("%s: %s", one.method, got)
		}
		if len(trailer["service-elevation-required"]) != one.elevation {
			t.Errorf("%s: %v", one.method, trailer)
		}
	}
}

func TestServiceIsDown(t *testing.T) {
	s := newService(t)
	s.isDown.Store(true)
	connection, _ := connected(t, s)
	var trailer metadata.MD
	err := connection.Invoke(bearing(t.Context(), "Bearer "+s.token), "/notes.Notes/Read",
		new(emptypb.Empty), new(wrapperspb.StringValue), grpc.Trailer(&trailer))
	if status.Code(err) != codes.Unavailable || fmt.Sprint(trailer["retry-after"]) != "[2]" {
		t.Error(err, trailer)
	}
}

func TestStreamEndsWithItsToken(t *testing.T) {
	s := newService(t)
	connection, api := connected(t, s)
	ctx, cancel := context.WithTimeout(bearing(t.Context(), "Bearer "+s.token), 30*time.Second)
	defer cancel()
	stream, err := connection.NewStream(ctx, &notes.Streams[0], "/notes.Notes/Watch")
	if err != nil {
		t.Fatal(err)
	}
	exchange := func() (string, error) {
		// If the stream has ended, RecvMsg returns why.
		_ = stream.SendMsg(new(emptypb.Empty))
		answer := new(wrapperspb.StringValue)
		err := stream.RecvMsg(answer)
		return answer.Value, err
	}
	if answer, err := exchange(); err != nil || answer != "alice true" {
		t.Fatal(answer, err)
	}
	for !api.IsLive() {
		time.Sleep(time.Millisecond)
	}
	s.revoke()
	begun := time.Now()
	for err == nil {
		_, err = exchange()
		time.Sleep(time.Millisecond)
	}
	if status.Code(err) != codes.Unauthenticated || len(stream.Trailer()["www-authenticate"]) != 1 {
		t.Error(err, stream.Trailer())
	}
	t.Logf("the stream ended after %v", time.Since(begun))
}

func TestStreamWithoutAToken(t *testing.T) {
	connection, _ := connected(t, newService(t))
	stream, err := connection.NewStream(t.Context(), &notes.Streams[0], "/notes.Notes/Watch")
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.RecvMsg(new(wrapperspb.StringValue)); status.Code(err) != codes.Unauthenticated {
		t.Error(err)
	}
}
