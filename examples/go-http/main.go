// Starts the notes API: see README.md.
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
	port := cmp.Or(os.Getenv("PORT"), "8792")
	api, err := latchkey.New(latchkey.Options{
		Issuer:          cmp.Or(os.Getenv("LATCHKEY_ISSUER"), "http://localhost:8787"),
		ClientID:        required("LATCHKEY_CLIENT_ID"),
		ClientSecret:    required("LATCHKEY_CLIENT_SECRET"),
		Resource:        "http://localhost:" + port,
		RequireAudience: true,
		Permissions:     []string{"notes:read", "notes:write"},
		ResourceName:    "Notes",
		OnTrouble:       func(trouble latchkey.Trouble) { log.Printf("%s: %v", trouble.Of, trouble.Err) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer api.Close()
	server := &http.Server{Addr: "127.0.0.1:" + port, Handler: notesAPI(api)}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	go func() {
		<-ctx.Done()
		_ = server.Shutdown(context.Background())
	}()
	fmt.Printf("Notes at http://localhost:%s/notes\n", port)
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
