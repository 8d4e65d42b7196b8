package latchkey

import "time"

// clock is the source of both times. Tests replace it.
type clock interface {
	// now returns the wall time.
	now() time.Time
	// monotonic returns the time since an arbitrary start. It never goes back.
	monotonic() time.Duration
}

type systemClock struct{ start time.Time }

func (c systemClock) now() time.Time           { return time.Now() }
func (c systemClock) monotonic() time.Duration { return time.Since(c.start) }
