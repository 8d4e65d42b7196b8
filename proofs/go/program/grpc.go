package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// callGRPC calls the example over one connection. Each line is a method and a token, and is answered with a code. The method
// until calls List until it is refused. The method watch opens a stream, and tells its code when it has ended.
func callGRPC() error {
	address := "localhost:" + os.Getenv("PORT")
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	for line := nextLine(); line != nil; line = nextLine() {
		ctx := context.Background()
		if len(line) > 1 {
			ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+line[1])
		}
		switch line[0] {
		case "list":
			say(read(ctx, connection, "/notes.Notes/List").String())
		case "add":
			err := connection.Invoke(ctx, "/notes.Notes/Add", wrapperspb.String("milk"), new(emptypb.Empty))
			say(status.Code(err).String())
		case "clear":
			err := connection.Invoke(ctx, "/notes.Notes/Clear", new(emptypb.Empty), new(emptypb.Empty))
			say(status.Code(err).String())
		case "until":
			code := codes.OK
			for code == codes.OK {
				code = read(ctx, connection, "/notes.Notes/List")
				time.Sleep(time.Millisecond)
			}
			say(code.String())
		case "watch":
			go func() { say("ended with " + read(ctx, connection, "/notes.Notes/Watch").String()) }()
		}
	}
	return nil
}

// read reads a stream to its end.
func read(ctx context.Context, connection *grpc.ClientConn, method string) codes.Code {
	stream, err := connection.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, method)
	if err != nil {
		return status.Code(err)
	}
	if err := stream.SendMsg(new(emptypb.Empty)); err != nil && !errors.Is(err, io.EOF) {
		return status.Code(err)
	}
	_ = stream.CloseSend()
	for {
		err := stream.RecvMsg(new(wrapperspb.StringValue))
		if errors.Is(err, io.EOF) {
			return codes.OK
		}
		if err != nil {
			return status.Code(err)
		}
	}
}
