// Starts the notes service over gRPC, or calls it: see README.md.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
)

func main() {
	log.SetFlags(0)
	address := "localhost:" + cmp.Or(os.Getenv("PORT"), "8793")
	if len(os.Args) > 1 {
		if err := call(address, os.Args[1:]); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := serve(address); err != nil {
		log.Fatal(err)
	}
}

func serve(address string) error {
	api, err := latchkey.New(latchkey.Options{
		Issuer:          cmp.Or(os.Getenv("LATCHKEY_ISSUER"), "http://localhost:8787"),
		ClientID:        required("LATCHKEY_CLIENT_ID"),
		ClientSecret:    required("LATCHKEY_CLIENT_SECRET"),
		Resource:        "http://" + address,
		RequireAudience: true,
		OnTrouble:       func(trouble latchkey.Trouble) { log.Printf("%s: %v", trouble.Of, trouble.Err) },
	})
	if err != nil {
		return err
	}
	defer api.Close()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	server := notesServer(api)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	go func() {
		<-ctx.Done()
		server.Stop()
	}()
	fmt.Printf("Notes over gRPC at %s\n", address)
	return server.Serve(listener)
}

func required(name string) string {
	value := os.Getenv(name)
	if value == "" {
		log.Fatalf("%s is not set. README.md explains where it comes from.", name)
	}
	return value
}
