// Starts the MCP server: see README.md.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
)

func main() {
	log.SetFlags(0)
	port := cmp.Or(os.Getenv("PORT"), "8796")
	api, err := latchkey.New(latchkey.Options{
		Issuer:          cmp.Or(os.Getenv("LATCHKEY_ISSUER"), "http://localhost:8787"),
		ClientID:        required("LATCHKEY_CLIENT_ID"),
		ClientSecret:    required("LATCHKEY_CLIENT_SECRET"),
		Resource:        "http://localhost:" + port + "/mcp",
		RequireAudience: true,
		Permissions:     []string{"notes:read", "notes:write"},
		ResourceName:    "Notes over MCP",
		OnTrouble:       func(trouble latchkey.Trouble) { log.Printf("%s: %v", trouble.Of, trouble.Err) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer api.Close()
	mux := http.NewServeMux()
	mux.Handle("/mcp", notesServer(api))
	server := &http.Server{Addr: "127.0.0.1:" + port, Handler: api.WithMetadata(mux)}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	fmt.Printf("MCP at http://localhost:%s/mcp\n", port)
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Print(err)
	}
}

func required(name string) string {
	value := os.Getenv(name)
	if value == "" {
		log.Fatalf("%s is not set. README.md explains where it comes from.", name)
	}
	return value
}
