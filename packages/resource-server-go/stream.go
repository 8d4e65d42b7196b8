package latchkey

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

const (
	watchInterval = time.Second
	firstPause    = 100 * time.Millisecond
	maxPause      = 10 * time.Second

	readLength = 4096
)

var errSilent = errors.New("the stream was silent for too long")

// stream reads the event stream of the service. It connects at the first check and reconnects with growing pauses. Answers
// are kept only while it reports every change.
type stream struct {
	service *service
	memory  *memory

	once sync.Once
	ctx  context.Context
	end  context.CancelFunc

	// The others are used by the goroutine of run alone.
	lastID   string
	hasID    bool
	failures int
}

func newStream(service *service, memory *memory) *stream {
	ctx, end := context.WithCancel(context.Background())
	return &stream{service: service, memory: memory, ctx: ctx, end: end}
}

func (s *stream) start() { s.once.Do(func() { go s.run() }) }

func (s *stream) close() {
	s.memory.close()
	s.end()
}

func (s *stream) run() {
	for s.ctx.Err() == nil {
		err := s.listen()
		s.memory.disconnected()
		if err != nil && s.ctx.Err() == nil {
			var refused statusError
			errors.As(err, &refused)
			s.service.trouble.take(TroubleStream, refused.status, err)
		}
		s.pause()
	}
}

// listen reads one connection until it ends or becomes silent.
func (s *stream) listen() error {
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	s.memory.connecting()
	go s.watch(ctx, cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.service.issuer+"/oauth/introspect/stream", nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", s.service.authorization)
	request.Header.Set("Accept", "text/event-stream")
	if s.hasID {
		request.Header.Set("Last-Event-ID", s.lastID)
	}
	response, err := s.service.streamClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return statusError{response.StatusCode}
	}
	return s.read(response.Body)
}

// watch ends a connection that became silent.
func (s *stream) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.memory.mutex.Lock()
			isSilent := s.memory.isSilent()
			s.memory.mutex.Unlock()
			if isSilent {
				cancel(errSilent)
			}
		}
	}
}

func (s *stream) read(body io.Reader) error {
	var parser eventParser
	piece := make([]byte, readLength)
	for {
		n, err := body.Read(piece)
		if n > 0 {
			if !s.memory.heard() {
				return errSilent
			}
			if err := parser.take(piece[:n], s.take); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *stream) take(event streamEvent) {
	switch event.event {
	case "ready":
		s.memory.ready(s.hasID)
		s.failures = 0
	case "reset":
		s.memory.missed()
	default:
		if about, isKnown := readInvalidation(event.event, event.data); isKnown {
			s.memory.invalidated(about)
		} else {
			s.memory.missed()
		}
	}
	if event.hasID {
		s.lastID, s.hasID = event.id, true
	}
}

// pause waits before the next attempt. It doubles after each failure. A random part prevents many APIs from reconnecting at
// the same moment.
func (s *stream) pause() {
	longest := min(maxPause, firstPause<<min(s.failures, 10))
	s.failures++
	timer := time.NewTimer(longest/2 + rand.N(longest/2))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.ctx.Done():
	}
}
