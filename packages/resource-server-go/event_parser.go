package latchkey

import (
	"bytes"
	"errors"
)

// streamEvent is an event of the stream. hasID tells whether it has an id.
type streamEvent struct {
	id    string
	hasID bool
	event string
	data  string
}

const (
	// Longer lines are invalid. Events of the service have only a few dozen characters.
	maxLineLength = 4096
	maxDataLength = 4 * maxLineLength
)

var errLineTooLong = errors.New("a line of the stream is too long")
var errDataTooLong = errors.New("an event of the stream is too long")

// eventParser parses the part of server-sent events that the service uses (HTML standard §9.2.6), piece by piece.
type eventParser struct {
	rest    []byte
	current streamEvent
	hasData bool
}

// take adds a piece of the stream and calls each with the events that it completes.
func (p *eventParser) take(piece []byte, each func(streamEvent)) error {
	for {
		end := bytes.IndexByte(piece, '\n')
		if end < 0 {
			p.rest = append(p.rest, piece...)
			if len(p.rest) > maxLineLength {
				return errLineTooLong
			}
			return nil
		}
		line := append(p.rest, piece[:end]...)
		piece = piece[end+1:]
		p.rest = p.rest[:0]
		if len(line) > maxLineLength {
			return errLineTooLong
		}
		if err := p.line(string(bytes.TrimSuffix(line, []byte("\r"))), each); err != nil {
			return err
		}
	}
}

func (p *eventParser) line(line string, each func(streamEvent)) error {
	if line == "" {
		if p.current.event != "" {
			each(p.current)
		}
		p.current, p.hasData = streamEvent{}, false
		return nil
	}
	name, value := cutField(line)
	switch name {
	case "id":
		p.current.id, p.current.hasID = value, true
	case "event":
		p.current.event = value
	case "data":
		if p.hasData {
			value = p.current.data + "\n" + value
		}
		p.current.data, p.hasData = value, true
		if len(value) > maxDataLength {
			return errDataTooLong
		}
	}
	return nil
}

// cutField splits a line at its first colon and removes one space after it.
func cutField(line string) (name, value string) {
	for i := range len(line) {
		if line[i] != ':' {
			continue
		}
		value := line[i+1:]
		if value != "" && value[0] == ' ' {
			value = value[1:]
		}
		return line[:i], value
	}
	return line, ""
}
