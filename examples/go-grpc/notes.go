package main

import (
	"context"
	"sync"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
	latchkeygrpc "github.com/latchkey/latchkey/packages/resource-server-go/grpc"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// notesServer has four methods. Their messages are well-known types, so that the example needs no generated code.
//
//	List    notes:read                            each note as a message of a stream
//	Add     notes:write
//	Clear   notes:write, and an elevated credential
//	Watch   notes:read                            each note that is added from now on
func notesServer(api *latchkey.Server) *grpc.Server {
	read := latchkey.RequirePermission("notes:read")
	write := latchkey.RequirePermission("notes:write")
	methods := latchkeygrpc.Methods{
		"/notes.Notes/List":  latchkeygrpc.Needs(read),
		"/notes.Notes/Add":   latchkeygrpc.Needs(write),
		"/notes.Notes/Clear": latchkeygrpc.Needs(write, latchkey.RequireElevation()),
		"/notes.Notes/Watch": latchkeygrpc.Needs(read),
	}
	server := grpc.NewServer(
		grpc.UnaryInterceptor(latchkeygrpc.UnaryInterceptor(api, methods)),
		grpc.StreamInterceptor(latchkeygrpc.StreamInterceptor(api, methods)),
	)
	server.RegisterService(&notesService, &notes{of: make(map[string][]string), added: make(chan struct{})})
	return server
}

// notesService is what protoc would generate from:
//
//	service Notes {
//	  rpc List(google.protobuf.Empty) returns (stream google.protobuf.StringValue);
//	  rpc Add(google.protobuf.StringValue) returns (google.protobuf.Empty);
//	  rpc Clear(google.protobuf.Empty) returns (google.protobuf.Empty);
//	  rpc Watch(google.protobuf.Empty) returns (stream google.protobuf.StringValue);
//	}
var notesService = grpc.ServiceDesc{
	ServiceName: "notes.Notes",
	HandlerType: (*any)(nil),
	Methods: []grpc.MethodDesc{
		{MethodName: "Add", Handler: unary("/notes.Notes/Add", (*notes).add)},
		{MethodName: "Clear", Handler: unary("/notes.Notes/Clear", (*notes).clear)},
	},
	Streams: []grpc.StreamDesc{
		{StreamName: "List", ServerStreams: true, Handler: serverStream((*notes).list)},
		{StreamName: "Watch", ServerStreams: true, Handler: serverStream((*notes).watch)},
	},
}

// notes are those of each account. The channel is closed and replaced when a note is added.
type notes struct {
	mutex sync.Mutex
	of    map[string][]string
	added chan struct{}
}

func (n *notes) list(stream grpc.ServerStream) error {
	own, _ := n.own(stream.Context(), 0)
	return sendAll(stream, own)
}

func (n *notes) watch(stream grpc.ServerStream) error {
	known, _ := n.own(stream.Context(), 0)
	for seen := len(known); ; {
		more, added := n.own(stream.Context(), seen)
		if err := sendAll(stream, more); err != nil {
			return err
		}
		seen += len(more)
		select {
		case <-added:
		case <-stream.Context().Done():
			return stream.Context().Err()
		}
	}
}

func sendAll(stream grpc.ServerStream, texts []string) error {
	for _, text := range texts {
		if err := stream.SendMsg(wrapperspb.String(text)); err != nil {
			return err
		}
	}
	return nil
}

func (n *notes) add(ctx context.Context, text *wrapperspb.StringValue) (*emptypb.Empty, error) {
	access, _ := latchkey.FromContext(ctx)
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.of[access.AccountID] = append(n.of[access.AccountID], text.Value)
	close(n.added)
	n.added = make(chan struct{})
	return &emptypb.Empty{}, nil
}

func (n *notes) clear(ctx context.Context, _ *emptypb.Empty) (*emptypb.Empty, error) {
	access, _ := latchkey.FromContext(ctx)
	n.mutex.Lock()
	defer n.mutex.Unlock()
	delete(n.of, access.AccountID)
	return &emptypb.Empty{}, nil
}

// own returns the notes of the caller after the first ones, and a channel that is closed when there are more.
func (n *notes) own(ctx context.Context, after int) ([]string, <-chan struct{}) {
	access, _ := latchkey.FromContext(ctx)
	n.mutex.Lock()
	defer n.mutex.Unlock()
	own := n.of[access.AccountID]
	return append([]string{}, own[min(after, len(own)):]...), n.added
}

func unary[Request any, Response any](
	name string, method func(*notes, context.Context, *Request) (*Response, error),
) grpc.MethodHandler {
	return func(service any, ctx context.Context, decode func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
		request := new(Request)
		if err := decode(request); err != nil {
			return nil, err
		}
		info := &grpc.UnaryServerInfo{Server: service, FullMethod: name}
		return interceptor(ctx, request, info, func(ctx context.Context, request any) (any, error) {
			return method(service.(*notes), ctx, request.(*Request))
		})
	}
}

func serverStream(method func(*notes, grpc.ServerStream) error) grpc.StreamHandler {
	return func(service any, stream grpc.ServerStream) error {
		if err := stream.RecvMsg(new(emptypb.Empty)); err != nil {
			return err
		}
		return method(service.(*notes), stream)
	}
}
