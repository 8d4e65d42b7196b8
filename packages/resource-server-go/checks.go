package latchkey

import (
	"context"
	"time"
)

// maxAttempts is the maximum number of questions to get an answer that is not outdated. If the last one is outdated, it is
// used but not kept.
const maxAttempts = 3

const maxKnown = 10_000

// flight is a question that is under way. All checks of its token wait for it. The result is set before done is closed.
type flight struct {
	done   chan struct{}
	answer answer
	err    error
}

// checks asks the service. Concurrent checks of one token share one question.
type checks struct {
	memory  *memory
	service *service
	// The others are guarded by the lock of the memory.
	running map[tokenKey]*flight
	// known has the tokens that were active at their last check. They do not wait behind tokens that anyone can make up.
	known recent
}

// answer returns the answer in memory, or a new one of the service. The error is an unavailableError.
func (c *checks) answer(ctx context.Context, key tokenKey, token string) (kept answer, isKept bool, err error) {
	c.memory.mutex.Lock()
	if kept, ok := c.memory.keptLocked(key); ok {
		c.memory.mutex.Unlock()
		return kept, true, nil
	}
	shared := c.flightLocked(key, token)
	c.memory.mutex.Unlock()
	fresh, err := shared.wait(ctx)
	return fresh, false, err
}

// fresh returns a new answer of the service.
func (c *checks) fresh(ctx context.Context, key tokenKey, token string) (answer, error) {
	c.memory.mutex.Lock()
	shared := c.flightLocked(key, token)
	c.memory.mutex.Unlock()
	return shared.wait(ctx)
}

func (c *checks) flightLocked(key tokenKey, token string) *flight {
	shared := c.running[key]
	if shared == nil {
		shared = &flight{done: make(chan struct{})}
		c.running[key] = shared
		go c.run(shared, key, token)
	}
	return shared
}

// wait waits for the result. The question goes on if ctx ends, because other checks may wait for it.
func (f *flight) wait(ctx context.Context) (answer, error) {
	select {
	case <-f.done:
		return f.answer, f.err
	case <-ctx.Done():
		return answer{}, unavailableError{defaultRetryAfter}
	}
}

func (c *checks) run(shared *flight, key tokenKey, token string) {
	for attempt := 1; ; attempt++ {
		asked := c.begin(key)
		asked.isLast = attempt == maxAttempts
		access, err := c.service.introspect(token, asked.isKnown)
		if c.finish(shared, key, asked, access, err) {
			close(shared.done)
			return
		}
	}
}

type question struct {
	session int
	askedAt time.Duration
	begun   int
	isKnown bool
	isLast  bool
}

func (c *checks) begin(key tokenKey) question {
	m := c.memory
	m.mutex.Lock()
	defer m.mutex.Unlock()
	_, isKnown := c.known.get(key)
	return question{session: m.liveSession(), askedAt: m.clock.monotonic(), begun: m.changes.begin(), isKnown: isKnown}
}

// finish keeps the answer if it may. It returns false if the service has to be asked again.
func (c *checks) finish(shared *flight, key tokenKey, asked question, access *Access, err error) bool {
	m := c.memory
	m.mutex.Lock()
	defer m.mutex.Unlock()
	defer m.changes.end()
	isOutdated := err == nil && m.changes.isOutdated(asked.begun, access)
	if isOutdated && !asked.isLast {
		return false
	}
	delete(c.running, key)
	shared.answer = answer{access: access, askedAt: asked.askedAt, until: asked.askedAt}
	shared.err = err
	if err == nil {
		c.note(key, access != nil)
	}
	switch {
	case err != nil:
	case access == nil:
		m.answers.keepRefused(key, asked.askedAt)
	case !isOutdated && asked.session != 0 && asked.session == m.liveSession():
		m.answers.keepLive(key, access, asked.askedAt)
	default:
		m.answers.forget(key)
	}
	return true
}

// note remembers whether a token is active. The caller holds the lock.
func (c *checks) note(key tokenKey, isActive bool) {
	c.known.remove(key)
	if !isActive {
		return
	}
	c.known.add(key, answer{})
	if c.known.len() > maxKnown {
		c.known.remove(c.known.oldest())
	}
}
