package latchkey

import (
	"sync"
	"time"
)

// silence: if no data arrives for this long, the connection counts as lost. The service sends data at least every ten
// seconds.
const silence = 25 * time.Second

// memory is what checks and the event stream share: the answers, and whether the stream reports every change.
type memory struct {
	clock clock

	mutex   sync.Mutex
	answers *answerCache
	changes concurrentChanges
	// session is the number of the current connection. It is 0 while the stream is disconnected.
	session  int
	sessions int
	heardAt  time.Duration
	isClosed bool
}

func newMemory(clock clock, maxAnswers int) *memory {
	return &memory{
		clock:   clock,
		answers: newAnswerCache(maxAnswers),
		changes: concurrentChanges{changes: make(map[subject]int)},
	}
}

// liveSession returns a number while the stream reports every change, and 0 during an interruption. Each connection has a
// new number. The caller holds the lock.
func (m *memory) liveSession() int {
	if m.isSilent() {
		return 0
	}
	return m.session
}

func (m *memory) isSilent() bool { return m.clock.monotonic()-m.heardAt >= silence }

func (m *memory) isLive() bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.liveSession() != 0
}

// keptLocked returns the answer in memory if it may be used. The caller holds the lock.
func (m *memory) keptLocked(key tokenKey) (answer, bool) {
	if m.liveSession() != 0 {
		if kept, ok := m.answers.keptLive(key, m.clock.now(), m.clock.monotonic()); ok {
			return kept, true
		}
	}
	return m.answers.keptRefused(key, m.clock.monotonic())
}

// connecting is called before a connection is opened. The time to open it counts as silence.
func (m *memory) connecting() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.heardAt = m.clock.monotonic()
}

// heard is called with each piece of the stream. It returns false if the stream was silent for too long before.
func (m *memory) heard() bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.isSilent() {
		return false
	}
	m.heardAt = m.clock.monotonic()
	return true
}

// ready: the service sent all missed changes. Without a last id it cannot know what was missed.
func (m *memory) ready(isComplete bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if !isComplete {
		m.missedLocked()
	}
	if m.isClosed {
		return
	}
	m.sessions++
	m.session = m.sessions
}

func (m *memory) invalidated(about subject) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.changes.note(about)
	m.answers.invalidate(about)
}

// missed: changes were missed. Every answer may be stale.
func (m *memory) missed() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.missedLocked()
}

func (m *memory) missedLocked() {
	m.changes.noteAll()
	m.answers.clear()
}

func (m *memory) disconnected() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.session = 0
}

func (m *memory) close() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.session = 0
	m.isClosed = true
}
