package main

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
)

const workers = 16

// fillCache checks the tokens of the input once, so that the service is asked, and then again from memory.
func fillCache() error {
	api, err := newAPI()
	if err != nil {
		return err
	}
	defer api.Close()
	var tokens []string
	for line := nextLine(); line != nil; line = nextLine() {
		tokens = append(tokens, line[0])
	}
	api.VerifyHeader(context.Background(), nil)
	for end := time.Now().Add(10 * time.Second); !api.IsLive() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	before := heap()
	asked, accepted := checkAll(api, tokens)
	again, acceptedAgain := checkAll(api, tokens)
	say(map[string]any{
		"accepted":      accepted,
		"acceptedAgain": acceptedAgain,
		"askedSeconds":  asked.Seconds(),
		"againSeconds":  again.Seconds(),
		"heapBytes":     heap() - before,
		"isLive":        api.IsLive(),
	})
	return nil
}

func checkAll(api *latchkey.Server, tokens []string) (time.Duration, int64) {
	begun := time.Now()
	var accepted, next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for at := next.Add(1) - 1; at < int64(len(tokens)); at = next.Add(1) - 1 {
				if _, refusal := api.VerifyHeader(context.Background(), []string{"Bearer " + tokens[at]}); refusal == nil {
					accepted.Add(1)
				}
			}
		})
	}
	group.Wait()
	return time.Since(begun), accepted.Load()
}

func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
