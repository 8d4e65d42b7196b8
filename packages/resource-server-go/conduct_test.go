package latchkey

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

type sequence struct {
	Name    string
	Options optionsVector
	Steps   []step
}

type checkVector struct {
	requirementVector
	Token *string `json:"token"`
	Raw   *string `json:"raw"`
}

type beginVector struct {
	requirementVector
	Name   string   `json:"name"`
	Tokens []string `json:"tokens"`
}

type opensVector struct {
	LastEventID *string `json:"last_event_id"`
}

type serviceVector struct {
	Introspection *serviceState `json:"introspection"`
	Stream        *serviceState `json:"stream"`
	Lost          *int          `json:"lost"`
}

// serviceState is up, unreachable, or a status.
type serviceState struct {
	word   string
	status struct {
		Status     int    `json:"status"`
		RetryAfter string `json:"retry_after"`
	}
}

func (s *serviceState) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &s.word)
	}
	return json.Unmarshal(text, &s.status)
}

// sendVector is a text, or a text and how often it is repeated.
type sendVector struct{ text string }

func (s *sendVector) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &s.text)
	}
	var repeated struct {
		Text  string
		Times int
	}
	err := json.Unmarshal(text, &repeated)
	s.text = strings.Repeat(repeated.Text, repeated.Times)
	return err
}

// step has one of the actions, and what is expected.
type step struct {
	Check   *checkVector   `json:"check"`
	Begin   *beginVector   `json:"begin"`
	Finish  *string        `json:"finish"`
	Advance *int           `json:"advance"`
	Wall    *int           `json:"wall"`
	Answer  *answerVector  `json:"answer"`
	Service *serviceVector `json:"service"`
	Hold    *bool          `json:"hold"`
	Release bool           `json:"release"`
	Opens   *opensVector   `json:"opens"`
	Refused bool           `json:"refused"`
	Send    sendVector     `json:"send"`
	Breaks  bool           `json:"breaks"`
	Ends    bool           `json:"ends"`
	Live    *bool          `json:"live"`
	Streams *int           `json:"streams"`
	Close   bool           `json:"close"`

	Expect     string `json:"expect"`
	Asks       *int   `json:"asks"`
	RetryAfter *int   `json:"retry_after"`
}

type answerVector struct {
	Token string          `json:"token"`
	With  json.RawMessage `json:"with"`
}

// UnmarshalJSON refuses a step that this player does not know.
func (s *step) UnmarshalJSON(text []byte) error {
	type plain step
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode((*plain)(s))
}

// player plays a sequence of conduct.json.
type player struct {
	t       *testing.T
	conduct conductFile
	service *scriptedService
	clock   *testClock
	server  *Server
	answers map[string]json.RawMessage
	failure *serviceState
	begun   map[string]chan *Refusal
	counts  map[string]int
	asked   int
	opened  int
}

func play(t *testing.T, conduct conductFile, sequence sequence) {
	p := &player{
		t:       t,
		conduct: conduct,
		clock:   &testClock{wall: time.Unix(conduct.Now, 0)},
		answers: map[string]json.RawMessage{},
		begun:   map[string]chan *Refusal{},
		counts:  map[string]int{},
	}
	for name, body := range conduct.Answers {
		p.answers[conduct.Tokens[name]] = body
	}
	p.service = &scriptedService{t: t, respond: p.respond}
	options := sequence.Options.options()
	options.Issuer, options.Resource = conduct.Issuer, conduct.Resource
	options.ClientID, options.ClientSecret = conduct.ClientID, conduct.ClientSecret
	options.clock = p.clock
	p.server = newServer(t, options, p.service)
	t.Cleanup(func() {
		p.service.locked(func() { p.service.isHolding = false })
		p.service.release()
	})
	for at, one := range sequence.Steps {
		p.take(one)
		if t.Failed() {
			t.Fatalf("step %d", at)
		}
	}
}

func (p *player) take(one step) {
	switch {
	case one.Check != nil:
		p.check(one)
	case one.Begin != nil:
		p.begin(one.Begin)
	case one.Finish != nil:
		for range p.counts[*one.Finish] {
			p.expect(one, <-p.begun[*one.Finish])
		}
	case one.Advance != nil:
		passed := time.Duration(*one.Advance) * time.Second
		p.clock.advance(passed, passed)
	case one.Wall != nil:
		p.clock.advance(time.Duration(*one.Wall)*time.Second, 0)
	case one.Answer != nil:
		p.service.locked(func() { p.answers[p.token(one.Answer.Token)] = one.Answer.With })
	case one.Service != nil:
		p.service.locked(func() { p.change(one.Service) })
	case one.Hold != nil:
		p.service.locked(func() { p.service.isHolding = *one.Hold })
		if !*one.Hold {
			p.service.release()
		}
	case one.Release:
		p.service.release()
	default:
		p.takeStream(one)
	}
	p.expectAsks(one)
}

func (p *player) takeStream(one step) {
	switch {
	case one.Opens != nil:
		p.opens(one.Opens)
	case one.Refused:
		until(p.t, "a stream is refused", func() (refused bool) {
			p.service.locked(func() { refused = p.service.refusedStreams > 0 })
			return refused
		})
	case one.Send.text != "":
		p.service.send(one.Send.text)
	case one.Breaks:
		p.service.last().over <- errors.New("terminated")
	case one.Ends:
		p.service.last().over <- io.EOF
	case one.Live != nil:
		until(p.t, "the state of the stream", func() bool { return p.server.IsLive() == *one.Live })
	case one.Streams != nil:
		if got := len(p.service.streams); got != *one.Streams {
			p.t.Errorf("%d streams", got)
		}
	case one.Close:
		p.server.Close()
	default:
		p.t.Errorf("no such step: %+v", one)
	}
}

func (p *player) check(one step) {
	request := httptest.NewRequest("GET", "/", nil)
	if one.Check.Raw != nil {
		request.Header.Set("Authorization", "Bearer "+*one.Check.Raw)
	} else if one.Check.Token != nil {
		request.Header.Set("Authorization", "Bearer "+p.token(*one.Check.Token))
	}
	_, refusal := p.server.Verify(request, one.Check.requirements()...)
	p.expect(one, refusal)
}

// begin starts checks and returns when all of them wait for the service.
func (p *player) begin(begin *beginVector) {
	results := make(chan *Refusal, len(begin.Tokens))
	waiting := make(chan struct{}, len(begin.Tokens))
	for _, name := range begin.Tokens {
		request := bearerRequest(p.token(name))
		ctx := watchedContext{request.Context(), waiting}
		go func() {
			_, refusal := p.server.Verify(request.WithContext(ctx), begin.requirements()...)
			results <- refusal
		}()
	}
	for range begin.Tokens {
		<-waiting
	}
	p.begun[begin.Name], p.counts[begin.Name] = results, len(begin.Tokens)
}

// watchedContext says when a check begins to wait.
type watchedContext struct {
	context.Context
	waiting chan<- struct{}
}

func (c watchedContext) Done() <-chan struct{} {
	c.waiting <- struct{}{}
	return c.Context.Done()
}

func (p *player) opens(opens *opensVector) {
	index := p.opened
	p.opened++
	var ids []string
	until(p.t, "a stream is opened", func() (isOpen bool) {
		p.service.locked(func() {
			if isOpen = len(p.service.streams) > index; isOpen {
				ids = p.service.streams[index].lastEventIDs
			}
		})
		return isOpen
	})
	var expected []string
	if opens.LastEventID != nil {
		expected = []string{*opens.LastEventID}
	}
	if !slices.Equal(ids, expected) {
		p.t.Errorf("Last-Event-ID: %v", ids)
	}
}

func (p *player) change(service *serviceVector) {
	if given := service.Introspection; given != nil {
		p.service.isUnreachable = given.word == "unreachable"
		p.failure = nil
		if given.word == "" {
			p.failure = given
		}
	}
	if given := service.Stream; given != nil {
		p.service.streamStatus = given.status.Status
	}
	if service.Lost != nil {
		p.service.lost = *service.Lost
	}
}

// respond is called while the service is locked.
func (p *player) respond(token string) scriptedResponse {
	if p.failure != nil {
		headers := map[string]string{}
		if p.failure.status.RetryAfter != "" {
			headers["Retry-After"] = p.failure.status.RetryAfter
		}
		return scriptedResponse{Status: p.failure.status.Status, Headers: headers}
	}
	if body, ok := p.answers[token]; ok {
		return scriptedResponse{Status: 200, Body: body}
	}
	return scriptedResponse{Status: 200, Body: json.RawMessage(`{"active":false}`)}
}

// expectAsks waits for the introspections of the step. More of them are a mistake.
func (p *player) expectAsks(one step) {
	p.t.Helper()
	sinceLast := func() (count int) {
		p.service.locked(func() { count = len(p.service.questions) - p.asked })
		return count
	}
	if one.Asks == nil {
		if one.Check != nil {
			// A check without asks may ask any number of times.
			p.asked += sinceLast()
		}
		return
	}
	until(p.t, "the introspections of the step", func() bool { return sinceLast() >= *one.Asks })
	if got := sinceLast(); got != *one.Asks {
		p.t.Errorf("%d introspections in place of %d", got, *one.Asks)
	}
	p.asked += *one.Asks
}

func (p *player) expect(one step, refusal *Refusal) {
	p.t.Helper()
	if got := reasonOf(refusal); got != one.Expect {
		p.t.Errorf("%s in place of %s", got, one.Expect)
	}
	if one.RetryAfter != nil && !reflect.DeepEqual(refusal.RetryAfter, time.Duration(*one.RetryAfter)*time.Second) {
		p.t.Errorf("retry after %v", refusal.RetryAfter)
	}
}

func (p *player) token(name string) string {
	token, ok := p.conduct.Tokens[name]
	if !ok {
		p.t.Fatalf("no token %s", name)
	}
	return token
}
