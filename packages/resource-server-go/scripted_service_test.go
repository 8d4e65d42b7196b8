package latchkey

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// scriptedResponse is an answer of the service: a JSON value, or a text as it is.
type scriptedResponse struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body"`
	Text    *string           `json:"text"`
}

// sentQuestion is an introspection as the kit sent it.
type sentQuestion struct {
	method, url string
	headers     map[string]string
	form        url.Values
}

// scriptedService answers by script, in place of a network. The vectors use it for answers that no real service gives.
type scriptedService struct {
	t       *testing.T
	respond func(token string) scriptedResponse

	mutex          sync.Mutex
	questions      []sentQuestion
	streams        []*scriptedStream
	refusedStreams int
	streamStatus   int
	isUnreachable  bool
	lost           int
	isHolding      bool
	held           []chan struct{}
}

func (s *scriptedService) client() *http.Client { return &http.Client{Transport: s} }

// locked runs act while no request changes the state.
func (s *scriptedService) locked(act func()) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	act()
}

func (s *scriptedService) RoundTrip(request *http.Request) (*http.Response, error) {
	if strings.HasSuffix(request.URL.Path, "/stream") {
		return s.open(request)
	}
	return s.introspect(request)
}

func (s *scriptedService) introspect(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	s.questions = append(s.questions, sentQuestion{request.Method, request.URL.String(), flat(request.Header), form})
	if s.isUnreachable {
		s.mutex.Unlock()
		return nil, syscall.ECONNREFUSED
	}
	if s.lost > 0 {
		s.lost--
		s.mutex.Unlock()
		return nil, syscall.ECONNRESET
	}
	given := s.respond(form.Get("token"))
	released := make(chan struct{})
	if s.isHolding {
		s.held = append(s.held, released)
	} else {
		close(released)
	}
	s.mutex.Unlock()
	select {
	case <-released:
	case <-request.Context().Done():
		return nil, request.Context().Err()
	}
	text := string(given.Body)
	if given.Text != nil {
		text = *given.Text
	}
	header := http.Header{}
	for name, value := range given.Headers {
		header.Set(name, value)
	}
	return response(request, given.Status, header, io.NopCloser(strings.NewReader(text))), nil
}

func (s *scriptedService) open(request *http.Request) (*http.Response, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.streamStatus != 0 {
		s.refusedStreams++
		return response(request, s.streamStatus, http.Header{}, io.NopCloser(strings.NewReader(""))), nil
	}
	stream := &scriptedStream{
		lastEventIDs: request.Header.Values("Last-Event-ID"),
		pieces:       make(chan []byte),
		over:         make(chan error, 1),
		closed:       make(chan struct{}),
		request:      request,
	}
	s.streams = append(s.streams, stream)
	return response(request, http.StatusOK, http.Header{}, stream), nil
}

func (s *scriptedService) release() {
	s.locked(func() {
		for _, released := range s.held {
			close(released)
		}
		s.held = nil
	})
}

func (s *scriptedService) last() *scriptedStream {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.streams) == 0 {
		s.t.Fatal("no stream is open")
	}
	return s.streams[len(s.streams)-1]
}

// send sends a piece of the stream. It returns when the kit asks for the next piece or has given up the stream.
func (s *scriptedService) send(text string) {
	s.t.Helper()
	stream := s.last()
	for _, piece := range [][]byte{[]byte(text), nil} {
		select {
		case stream.pieces <- piece:
		case <-stream.closed:
			return
		case <-time.After(patience):
			s.t.Fatal("the kit does not read")
		}
	}
}

// scriptedStream is the body of a stream. A piece that is nil only shows that the kit reads.
type scriptedStream struct {
	lastEventIDs []string
	pieces       chan []byte
	over         chan error
	closed       chan struct{}
	closeOnce    sync.Once
	rest         []byte
	request      *http.Request
}

func (s *scriptedStream) Read(buffer []byte) (int, error) {
	for len(s.rest) == 0 {
		select {
		case s.rest = <-s.pieces:
		case err := <-s.over:
			return 0, err
		case <-s.request.Context().Done():
			return 0, s.request.Context().Err()
		}
	}
	n := copy(buffer, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func (s *scriptedStream) Close() error {
	s.closeOnce.Do(func() { close(s.closed) })
	return nil
}

func response(request *http.Request, status int, header http.Header, body io.ReadCloser) *http.Response {
	return &http.Response{StatusCode: status, Header: header, Body: body, Request: request, ProtoMajor: 1, ProtoMinor: 1}
}

func flat(header http.Header) map[string]string {
	headers := make(map[string]string, len(header))
	for _, name := range slices.Sorted(maps.Keys(header)) {
		headers[strings.ToLower(name)] = strings.Join(header[name], ", ")
	}
	return headers
}

const patience = 15 * time.Second

// until waits for a condition, for a bounded time.
func until(t *testing.T, what string, isSo func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !isSo(); {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
		time.Sleep(time.Millisecond)
	}
}

// testClock moves only when the test says so.
type testClock struct {
	mutex sync.Mutex
	wall  time.Time
	since time.Duration
}

func (c *testClock) now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.wall
}

func (c *testClock) monotonic() time.Duration {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.since
}

func (c *testClock) advance(wall, monotonic time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.wall = c.wall.Add(wall)
	c.since += monotonic
}
