package latchkey

import (
	"container/list"
	"crypto/sha256"
	"time"
)

const (
	// liveTTL is the maximum age of an answer about an active token.
	liveTTL = time.Minute
	// refusedTTL is short, because a refused token becomes active again when its account or app is enabled.
	refusedTTL = time.Second
	maxRefused = 1000
)

// tokenKey is the digest of a token, so that the memory of an API contains tokens only briefly.
type tokenKey [sha256.Size]byte

type answer struct {
	// access is nil if the token is not active.
	access *Access
	// askedAt is when the question was sent, and until when the answer expires. Both are monotonic.
	askedAt, until time.Duration
}

// answerCache keeps answers by the digest of the token. If it is full, the least recently used answer is removed. Inactive
// tokens have a separate small cache, so that a flood of them cannot push out active tokens. The caller holds the lock.
type answerCache struct {
	maxLive int
	live    recent
	refused recent
	// bySubject has the digests of the tokens whose answers depend on a credential, an app or an account.
	bySubject map[subject]map[tokenKey]struct{}
}

func newAnswerCache(maxLive int) *answerCache {
	cache := &answerCache{maxLive: maxLive}
	cache.clear()
	return cache
}

// keptLive returns the answer about an active token. It is used for up to a minute, but not after the token has expired.
func (c *answerCache) keptLive(key tokenKey, now time.Time, monotonic time.Duration) (answer, bool) {
	kept, ok := c.live.get(key)
	if !ok {
		return answer{}, false
	}
	if monotonic >= kept.until || !now.Before(kept.access.ExpiresAt) {
		c.forget(key)
		return answer{}, false
	}
	c.live.touch(key)
	return kept, true
}

func (c *answerCache) keptRefused(key tokenKey, monotonic time.Duration) (answer, bool) {
	kept, ok := c.refused.get(key)
	if ok && monotonic >= kept.until {
		c.refused.remove(key)
		return answer{}, false
	}
	return kept, ok
}

func (c *answerCache) keepRefused(key tokenKey, askedAt time.Duration) {
	c.forget(key)
	c.refused.add(key, answer{askedAt: askedAt, until: askedAt + refusedTTL})
	if c.refused.len() > maxRefused {
		c.refused.remove(c.refused.oldest())
	}
}

func (c *answerCache) keepLive(key tokenKey, access *Access, askedAt time.Duration) {
	c.forget(key)
	c.live.add(key, answer{access: access, askedAt: askedAt, until: askedAt + liveTTL})
	for _, about := range subjectsOf(access) {
		keys := c.bySubject[about]
		if keys == nil {
			keys = make(map[tokenKey]struct{}, 1)
			c.bySubject[about] = keys
		}
		keys[key] = struct{}{}
	}
	if c.live.len() > c.maxLive {
		c.forget(c.live.oldest())
	}
}

func (c *answerCache) forget(key tokenKey) {
	c.refused.remove(key)
	kept, ok := c.live.get(key)
	if !ok {
		return
	}
	c.live.remove(key)
	for _, about := range subjectsOf(kept.access) {
		keys := c.bySubject[about]
		delete(keys, key)
		if len(keys) == 0 {
			delete(c.bySubject, about)
		}
	}
}

// invalidate removes the answers about a credential, an app or an account.
func (c *answerCache) invalidate(about subject) {
	// The account and app of a refused token are unknown. Any refused token may therefore be active again.
	if about.kind != aboutCredential {
		c.refused = newRecent()
	}
	for key := range c.bySubject[about] {
		c.forget(key)
	}
}

func (c *answerCache) clear() {
	c.live = newRecent()
	c.refused = newRecent()
	c.bySubject = make(map[subject]map[tokenKey]struct{})
}

// recent is a map that knows which answer was used least recently.
type recent struct {
	order   *list.List
	entries map[tokenKey]*list.Element
}

type recentEntry struct {
	key    tokenKey
	answer answer
}

func newRecent() recent {
	return recent{order: list.New(), entries: make(map[tokenKey]*list.Element)}
}

func (r recent) len() int { return len(r.entries) }

func (r recent) get(key tokenKey) (answer, bool) {
	element, ok := r.entries[key]
	if !ok {
		return answer{}, false
	}
	return element.Value.(*recentEntry).answer, true
}

func (r recent) touch(key tokenKey) { r.order.MoveToBack(r.entries[key]) }

func (r recent) add(key tokenKey, kept answer) {
	r.entries[key] = r.order.PushBack(&recentEntry{key, kept})
}

func (r recent) remove(key tokenKey) {
	if element, ok := r.entries[key]; ok {
		r.order.Remove(element)
		delete(r.entries, key)
	}
}

func (r recent) oldest() tokenKey { return r.order.Front().Value.(*recentEntry).key }
