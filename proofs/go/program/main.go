// The Go side of the proof. Each part is a process that the proof starts and talks to in lines.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
)

func main() {
	log.SetFlags(0)
	parts := map[string]func() error{"chi": serveChi, "grpc": callGRPC, "mcp": callMCP, "fill": fillCache}
	part, isKnown := parts[os.Args[1]]
	if !isKnown {
		log.Fatalf("there is no part %s", os.Args[1])
	}
	if err := part(); err != nil {
		log.Fatal(err)
	}
}

// newAPI makes a kit with the options of the environment.
func newAPI() (*latchkey.Server, error) {
	return latchkey.New(latchkey.Options{
		Issuer:       os.Getenv("LATCHKEY_ISSUER"),
		ClientID:     os.Getenv("LATCHKEY_CLIENT_ID"),
		ClientSecret: os.Getenv("LATCHKEY_CLIENT_SECRET"),
		Resource:     "http://localhost:" + os.Getenv("PORT"),
		Permissions:  []string{"notes:read", "notes:write"},
	})
}

var input = bufio.NewScanner(os.Stdin)

// nextLine returns the words of the next line. It returns nil at the end.
func nextLine() []string {
	if !input.Scan() {
		return nil
	}
	return strings.Fields(input.Text())
}

// say prints a value as one line.
func say(value any) {
	line, err := json.Marshal(value)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(line))
}
