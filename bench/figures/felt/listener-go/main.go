// Kits of Go in one process: see host.ts.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"sync"
	"time"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
)

type options struct {
	Issuer     string
	Permission string
	// A listener asks again after this many milliseconds.
	AskedEvery int
	APIs       []struct{ ClientID, ClientSecret string }
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	if !input.Scan() {
		log.Fatal("there are no options")
	}
	var given options
	if err := json.Unmarshal(input.Bytes(), &given); err != nil {
		log.Fatal(err)
	}
	kits := make([]*latchkey.Server, len(given.APIs))
	for i, api := range given.APIs {
		kit, err := latchkey.New(latchkey.Options{
			Issuer:       given.Issuer,
			ClientID:     api.ClientID,
			ClientSecret: api.ClientSecret,
			Resource:     "https://api.example",
		})
		if err != nil {
			log.Fatal(err)
		}
		kits[i] = kit
		defer kit.Close()
	}
	needed := latchkey.RequirePermission(given.Permission)
	for input.Scan() {
		var asked struct{ Token string }
		if err := json.Unmarshal(input.Bytes(), &asked); err != nil {
			log.Fatal(err)
		}
		until(kits, asked.Token, needed, given.AskedEvery, true)
		fmt.Println("{}")
		refused, err := json.Marshal(map[string]any{"refused": until(kits, asked.Token, needed, given.AskedEvery, false)})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(refused))
	}
}

// until returns the time at which each kit first answered as expected, in milliseconds since 1970.
func until(kits []*latchkey.Server, token string, needed latchkey.Requirement, every int, expected bool) []int64 {
	times := make([]int64, len(kits))
	var all sync.WaitGroup
	for i, kit := range kits {
		all.Add(1)
		go func() {
			defer all.Done()
			for {
				_, refusal := kit.VerifyHeader(context.Background(), []string{"Bearer " + token}, needed)
				// At first, the stream must be connected too.
				if (refusal == nil) == expected && (kit.IsLive() || !expected) {
					times[i] = time.Now().UnixMilli()
					return
				}
				time.Sleep(time.Duration(every) * time.Millisecond)
			}
		}()
	}
	all.Wait()
	return times
}
