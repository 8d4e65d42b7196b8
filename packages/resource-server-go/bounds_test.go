package latchkey

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"
)

// madeToken makes a token of the right form.
func madeToken(number int) string {
	body := fmt.Sprintf("lka_%026dVq7nL2pXw9Zb4Rk8Tm1Yc6Ud3Jf5Hg0Es-AiOoQv_NxkT9fQ2_mZ-a", number)
	sum := checksum([]byte(body))
	return body + string(sum[:])
}

// accessOf makes an answer about one of many credentials.
func accessOf(number int, expiresAt time.Time) *Access {
	return &Access{
		AccountID:   fmt.Sprint("account-", number%100),
		ClientID:    fmt.Sprint("app-", number%10),
		TokenID:     fmt.Sprint("credential-", number),
		ExpiresAt:   expiresAt,
		permissions: []string{"notes:read"},
	}
}

func TestWaitingQuestionsAreBounded(t *testing.T) {
	service := answering(scriptedResponse{Status: 200, Body: json.RawMessage(`{"active":false}`)})
	service.isHolding = true
	server := newServer(t, Options{
		Issuer: "https://id.example", ClientID: "a", ClientSecret: "b", Resource: "https://api.example",
		Concurrency: 1, Timeout: time.Minute, AskAlways: true,
	}, service)
	results := make(chan *Refusal, maxWaiting+2)
	for number := range maxWaiting + 2 {
		go func() {
			_, refusal := server.Verify(bearerRequest(madeToken(number)))
			results <- refusal
		}()
	}
	// One question is under way and maxWaiting wait, so that exactly one is refused at once.
	if refusal := <-results; refusal.Reason != ServiceUnavailable || refusal.RetryAfter != time.Second {
		t.Errorf("%+v", refusal)
	}
	service.locked(func() { service.isHolding = false })
	until(t, "every check ends", func() bool {
		service.release()
		return len(results) == maxWaiting+1
	})
	for range maxWaiting + 1 {
		if refusal := <-results; refusal.Reason != TokenInvalid {
			t.Errorf("%+v", refusal)
		}
	}
}

// TestKnownTokensGoFirst: tokens that anyone can make up do not keep out one that was active before.
func TestKnownTokensGoFirst(t *testing.T) {
	issuer := "https://id.example"
	known := madeToken(maxWaiting + 10)
	active := fmt.Sprintf(`{"active":true,"iss":%q,"sub":"a","username":"a","client_id":"c","token_id":"t","scope":"","iat":1,"exp":99999999999}`, issuer)
	service := &scriptedService{respond: func(token string) scriptedResponse {
		if token == known {
			return scriptedResponse{Status: 200, Body: json.RawMessage(active)}
		}
		return scriptedResponse{Status: 200, Body: json.RawMessage(`{"active":false}`)}
	}}
	server := newServer(t, Options{
		Issuer: issuer, ClientID: "a", ClientSecret: "b", Resource: "https://api.example",
		Concurrency: 1, Timeout: time.Minute, AskAlways: true,
	}, service)
	if _, refusal := server.Verify(bearerRequest(known)); refusal != nil {
		t.Fatalf("%+v", refusal)
	}
	service.locked(func() { service.isHolding = true })
	results := make(chan string, maxWaiting+3)
	check := func(token string) {
		_, refusal := server.Verify(bearerRequest(token))
		results <- reasonOf(refusal)
	}
	for number := range maxWaiting + 2 {
		go check(madeToken(number))
	}
	// The refusal says that all places to wait are taken.
	if reason := <-results; reason != string(ServiceUnavailable) {
		t.Fatal(reason)
	}
	asked := func() (questions int) {
		service.locked(func() { questions = len(service.questions) })
		return questions
	}
	until(t, "a question is under way", func() bool { return asked() == 2 })
	go check(known)
	until(t, "the known token waits", func() bool { return server.checks.service.turns.waiting() == maxWaiting+1 })
	service.release()
	until(t, "the next question", func() bool { return asked() == 3 })
	service.locked(func() {
		if token := service.questions[2].form.Get("token"); token != known {
			t.Errorf("%s was asked first", token)
		}
		service.isHolding = false
	})
	until(t, "every check ends", func() bool {
		service.release()
		return len(results) == maxWaiting+2
	})
}

func TestCheckEndsWithItsRequest(t *testing.T) {
	service := answering(scriptedResponse{Status: 200, Body: json.RawMessage(`{"active":false}`)})
	service.isHolding = true
	server := newServer(t, optionsVector{}.options(), service)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, refusal := server.Verify(bearerRequest(madeToken(1)).WithContext(ctx))
	if refusal == nil || refusal.Reason != ServiceUnavailable {
		t.Errorf("%+v", refusal)
	}
	service.release()
}

func TestCacheIsBounded(t *testing.T) {
	const entries = 100
	cache := newAnswerCache(entries)
	expiresAt := time.Now().Add(time.Hour)
	for number := range 20 * entries {
		key := tokenKey(sha256.Sum256([]byte(madeToken(number))))
		cache.keepLive(key, accessOf(number, expiresAt), 0)
		cache.keepRefused(tokenKey(sha256.Sum256(key[:])), 0)
		switch {
		case number%7 == 0:
			cache.invalidate(subject{aboutCredential, fmt.Sprint("credential-", number)})
		case number%97 == 0:
			cache.invalidate(subject{aboutAccount, fmt.Sprint("account-", number%100)})
		}
		checkCache(t, cache)
	}
	cache.clear()
	checkCache(t, cache)
}

// checkCache checks that the parts of a cache agree.
func checkCache(t *testing.T, cache *answerCache) {
	t.Helper()
	indexed := 0
	for about, keys := range cache.bySubject {
		indexed += len(keys)
		if len(keys) == 0 {
			t.Fatalf("%v has no keys", about)
		}
		for key := range keys {
			if _, ok := cache.live.get(key); !ok {
				t.Fatalf("%v has a key that is not kept", about)
			}
		}
	}
	if indexed != 3*cache.live.len() || cache.live.len() > cache.maxLive || cache.refused.len() > maxRefused {
		t.Fatalf("%d indexed, %d live, %d refused", indexed, cache.live.len(), cache.refused.len())
	}
	if cache.live.order.Len() != cache.live.len() || cache.refused.order.Len() != cache.refused.len() {
		t.Fatal("the order has other answers than the map")
	}
}

func TestManyTokensHaveBoundedMemory(t *testing.T) {
	const entries = 10_000
	cache := newAnswerCache(entries)
	expiresAt := time.Now().Add(time.Hour)
	before := heap()
	for number := range 3 * entries {
		cache.keepLive(sha256.Sum256([]byte(madeToken(number))), accessOf(number, expiresAt), 0)
	}
	used := heap() - before
	t.Logf("%d answers take %.1f MiB", cache.live.len(), float64(used)/(1<<20))
	if cache.live.len() != entries || used > 20<<20 {
		t.Errorf("%d answers take %d bytes", cache.live.len(), used)
	}
}

func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func TestRememberedChangesAreBounded(t *testing.T) {
	changes := concurrentChanges{changes: make(map[subject]int)}
	begun := changes.begin()
	for number := range maxRememberedChanges + 1 {
		changes.note(subject{aboutCredential, fmt.Sprint("credential-", number)})
	}
	if len(changes.changes) > maxRememberedChanges {
		t.Errorf("%d changes", len(changes.changes))
	}
	if !changes.isOutdated(begun, accessOf(1, time.Time{})) {
		t.Error("a change was forgotten")
	}
	changes.end()
}

func TestReportsAreLimited(t *testing.T) {
	clock := &testClock{}
	var reports []Trouble
	reporter := newReporter(func(trouble Trouble) { reports = append(reports, trouble) }, clock)
	problem := errors.New("problem")
	for range 5 {
		reporter.take(TroubleStream, 500, problem)
	}
	reporter.take(TroubleStream, 401, problem)
	clock.advance(time.Second, time.Second)
	reporter.take(TroubleStream, 500, problem)
	expected := []Trouble{
		{TroubleStream, 500, problem, 1},
		{TroubleStream, 401, problem, 1},
		{TroubleStream, 500, problem, 5},
	}
	if fmt.Sprint(reports) != fmt.Sprint(expected) {
		t.Error(reports)
	}
}

// TestChecksAndChangesAtOnce is for the race detector: checks, changes and the end of the kit at the same time.
func TestChecksAndChangesAtOnce(t *testing.T) {
	conduct := readConduct(t)
	service := &scriptedService{}
	answers := map[string]json.RawMessage{}
	for name, body := range conduct.Answers {
		answers[conduct.Tokens[name]] = body
	}
	service.respond = func(token string) scriptedResponse {
		return scriptedResponse{Status: 200, Body: answers[token]}
	}
	server := newServer(t, optionsVector{Issuer: &conduct.Issuer, Resource: &conduct.Resource}.options(), service)
	server.Verify(bearerRequest(conduct.Tokens["alice"]))
	until(t, "a stream is opened", func() (isOpen bool) {
		service.locked(func() { isOpen = len(service.streams) == 1 })
		return isOpen
	})
	service.send(ready)
	var checks sync.WaitGroup
	for range 8 {
		checks.Add(1)
		go func() {
			defer checks.Done()
			for range 200 {
				name := []string{"alice", "alice_laptop", "bob", "carol"}[rand.N(4)]
				if _, refusal := server.Verify(bearerRequest(conduct.Tokens[name])); refusal != nil {
					t.Errorf("%+v", refusal)
				}
			}
		}()
	}
	for number := range 200 {
		service.send(fmt.Sprintf("id: %d\nevent: account\ndata: {\"user_id\":\"account-%d\"}\n\n", number, number%4))
	}
	checks.Wait()
	if !server.IsLive() {
		t.Error("the stream is not live")
	}
	server.Close()
	if server.IsLive() {
		t.Error("the stream is live")
	}
}
