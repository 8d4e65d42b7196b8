package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// call calls a method with the access token of the environment: list, add TEXT, clear or watch.
func call(address string, args []string) error {
	// On another machine, both sides need TLS.
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx := context.Background()
	if token := os.Getenv("ACCESS_TOKEN"); token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	}
	var trailer metadata.MD
	switch args[0] {
	case "list":
		trailer, err = readAll(ctx, connection, "/notes.Notes/List")
	case "watch":
		trailer, err = readAll(ctx, connection, "/notes.Notes/Watch")
	case "add":
		note := wrapperspb.String(strings.Join(args[1:], " "))
		err = connection.Invoke(ctx, "/notes.Notes/Add", note, new(emptypb.Empty), grpc.Trailer(&trailer))
	case "clear":
		err = connection.Invoke(ctx, "/notes.Notes/Clear", new(emptypb.Empty), new(emptypb.Empty), grpc.Trailer(&trailer))
	default:
		return fmt.Errorf("there is no method %s: list, add TEXT, clear, watch", args[0])
	}
	for name, values := range trailer {
		fmt.Printf("%s: %s\n", name, strings.Join(values, ", "))
	}
	return err
}

func readAll(ctx context.Context, connection *grpc.ClientConn, method string) (metadata.MD, error) {
	stream, err := connection.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, method)
	if err != nil {
		return nil, err
	}
	if err := stream.SendMsg(new(emptypb.Empty)); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if err := stream.CloseSend(); err != nil {
		return nil, err
	}
	for {
		note := new(wrapperspb.StringValue)
		err := stream.RecvMsg(note)
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return stream.Trailer(), err
		}
		fmt.Println(note.Value)
	}
}
