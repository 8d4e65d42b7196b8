package latchkey

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

var errManyWaiting = errors.New("too many questions are waiting")

// turns limits how many questions are under way and how many wait.
type turns struct {
	maxWaiting int

	mutex         sync.Mutex
	free          int
	first, others list.List
}

// take waits for a turn. With isFirst, a question waits only behind others with it. Call give after a result of nil.
func (t *turns) take(ctx context.Context, isFirst bool) error {
	t.mutex.Lock()
	if t.free > 0 {
		t.free--
		t.mutex.Unlock()
		return nil
	}
	queue := &t.others
	if isFirst {
		queue = &t.first
	}
	if queue.Len() >= t.maxWaiting {
		t.mutex.Unlock()
		return errManyWaiting
	}
	turn := make(chan struct{})
	place := queue.PushBack(turn)
	t.mutex.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	select {
	case <-turn:
		// The turn came at the same moment.
		t.giveLocked()
	default:
		queue.Remove(place)
	}
	return ctx.Err()
}

func (t *turns) give() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.giveLocked()
}

func (t *turns) giveLocked() {
	for _, queue := range []*list.List{&t.first, &t.others} {
		if place := queue.Front(); place != nil {
			close(queue.Remove(place).(chan struct{}))
			return
		}
	}
	t.free++
}

func (t *turns) waiting() int {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.first.Len() + t.others.Len()
}
