package latchkey

const maxRememberedChanges = 10_000

// concurrentChanges detects outdated answers. An answer is outdated if the event stream reported a change after its
// question was sent. Changes are recorded only while questions are under way. The caller holds the lock.
type concurrentChanges struct {
	count   int
	running int
	// floor: answers to all questions that were sent before this change are outdated.
	floor int
	// revival is the last change that may have made a token active again.
	revival int
	changes map[subject]int
}

// begin is called before a question, isOutdated with its answer, and end at the end.
func (c *concurrentChanges) begin() int {
	c.running++
	return c.count
}

func (c *concurrentChanges) isOutdated(begun int, access *Access) bool {
	if begun < c.floor {
		return true
	}
	if access == nil {
		return begun < c.revival
	}
	for _, about := range subjectsOf(access) {
		if c.changes[about] > begun {
			return true
		}
	}
	return false
}

func (c *concurrentChanges) end() {
	c.running--
	if c.running == 0 {
		clear(c.changes)
	}
}

func (c *concurrentChanges) note(about subject) {
	c.count++
	// A credential never becomes active again, but an account or an app can be enabled again.
	if about.kind != aboutCredential {
		c.revival = c.count
	}
	switch {
	case c.running == 0:
	case len(c.changes) >= maxRememberedChanges:
		c.noteAll()
	default:
		c.changes[about] = c.count
	}
}

// noteAll marks every question that is under way as outdated.
func (c *concurrentChanges) noteAll() {
	c.count++
	c.floor = c.count
	clear(c.changes)
}
