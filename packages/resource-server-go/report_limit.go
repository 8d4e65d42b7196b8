package latchkey

import (
	"sync"
	"time"
)

// TroubleKind tells which connection to the service has a problem.
type TroubleKind string

const (
	// TroubleIntrospection is a problem with a question about a token.
	TroubleIntrospection TroubleKind = "introspection"
	// TroubleStream is a problem with the event stream.
	TroubleStream TroubleKind = "stream"
)

// Trouble is a problem with the service, for a log.
type Trouble struct {
	Of TroubleKind
	// Status is that of the response, or 0 if there was none. With 401 or 403 the app of this API is not set up correctly.
	Status int
	Err    error
	// Times is the number of problems of this kind since the last report.
	Times int
}

const reportInterval = time.Second

type troubleGroup struct {
	of     TroubleKind
	status int
}

type lastReport struct {
	at      time.Duration
	skipped int
}

// reporter limits reports. During an outage every check fails, but each kind of problem is reported only once a second.
type reporter struct {
	report func(Trouble)
	clock  clock

	mutex sync.Mutex
	last  map[troubleGroup]lastReport
}

func newReporter(report func(Trouble), clock clock) *reporter {
	return &reporter{report: report, clock: clock, last: make(map[troubleGroup]lastReport)}
}

// take reports the first problem of each kind in a second. The others are counted for the next report.
func (r *reporter) take(of TroubleKind, status int, err error) {
	if r.report == nil {
		return
	}
	times, isDue := r.count(troubleGroup{of, status})
	if isDue {
		r.report(Trouble{Of: of, Status: status, Err: err, Times: times})
	}
}

func (r *reporter) count(group troubleGroup) (times int, isDue bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	last, isKnown := r.last[group]
	at := r.clock.monotonic()
	if isKnown && at-last.at < reportInterval {
		last.skipped++
		r.last[group] = last
		return 0, false
	}
	r.last[group] = lastReport{at: at}
	return 1 + last.skipped, true
}
