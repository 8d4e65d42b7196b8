package latchkey

import (
	"bytes"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// The expressions are those of the Node kit.
var (
	formExpression = regexp.MustCompile(`^lka_[0-9a-hjkmnp-tv-z]{26}[A-Za-z0-9_-]{43}(?:[A-Za-z0-9_-]{11})?[A-Za-z0-9_-]{6}\z`)
	jwtExpression  = regexp.MustCompile(`^eyJhbGciOiJ[SF]UzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6[A-Za-z0-9_-]{39}\.eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86,}\z`)
	bearerToken    = regexp.MustCompile(`(?i)^Bearer +([A-Za-z0-9\-._~+/]+=*) *\z`)
	bearerScheme   = regexp.MustCompile(`(?i)^[\t\n\v\f\r ]*Bearer(?:\z|[\t\n\v\f\r ,])`)
)

func FuzzTokenForm(f *testing.F) {
	var file struct{ Cases []struct{ Token string } }
	readVectors(f, "token-form.json", &file)
	for _, one := range file.Cases {
		f.Add(one.Token)
	}
	f.Fuzz(func(t *testing.T, token string) {
		expected := len(token) <= jwtLengthAtMost && jwtExpression.MatchString(token)
		if formExpression.MatchString(token) {
			body := token[:len(token)-checksumLength]
			sum := checksum([]byte(body))
			expected = token == body+string(sum[:])
		}
		if got := isAccessTokenForm([]byte(token)); got != expected {
			t.Errorf("%q: %v", token, got)
		}
	})
}

func FuzzBearerHeader(f *testing.F) {
	var file struct {
		Cases []struct{ Authorization []string }
	}
	readVectors(f, "bearer-header.json", &file)
	for _, one := range file.Cases {
		f.Add(strings.Join(one.Authorization, ", "))
	}
	f.Fuzz(func(t *testing.T, header string) {
		token, kind := presented([]string{header})
		expected := presentedMissing
		if match := bearerToken.FindStringSubmatch(header); match != nil {
			expected = presentedToken
			if token != match[1] {
				t.Errorf("%q: %q", header, token)
			}
		} else if bearerScheme.MatchString(header) {
			expected = presentedMalformed
		}
		if kind != expected {
			t.Errorf("%q: %v", header, kind)
		}
		if _, both := presented([]string{header, header}); both != presentedMalformed {
			t.Errorf("%q twice: %v", header, both)
		}
	})
}

func FuzzEventParser(f *testing.F) {
	var file eventsFile
	readVectors(f, "events.json", &file)
	for _, one := range file.Streams {
		f.Add([]byte(one.Stream), 3)
	}
	f.Fuzz(func(t *testing.T, stream []byte, size int) {
		whole, wholeErr := parsed(stream, len(stream)+1)
		pieces, piecesErr := parsed(stream, max(1, min(size, len(stream))))
		if (wholeErr == nil) != (piecesErr == nil) {
			t.Fatalf("%v, in pieces %v", wholeErr, piecesErr)
		}
		if wholeErr == nil && !reflect.DeepEqual(whole, pieces) {
			t.Errorf("%v, in pieces %v", whole, pieces)
		}
		for _, event := range whole {
			if event.event == "" || len(event.data) > maxDataLength {
				t.Errorf("%+v", event)
			}
			readInvalidation(event.event, event.data)
		}
	})
}

func parsed(stream []byte, size int) (events []streamEvent, err error) {
	var parser eventParser
	for len(stream) > 0 && err == nil {
		piece := stream[:min(size, len(stream))]
		stream = stream[len(piece):]
		err = parser.take(bytes.Clone(piece), func(event streamEvent) { events = append(events, event) })
	}
	return events, err
}

func FuzzIntrospection(f *testing.F) {
	var file struct {
		Cases []struct{ Response scriptedResponse }
	}
	readVectors(f, "introspection.json", &file)
	for _, one := range file.Cases {
		f.Add([]byte(one.Response.Body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		access, err := readIntrospection(body, "https://id.example")
		if access != nil && (err != nil || access.ExpiresAt.IsZero()) {
			t.Errorf("%+v, %v", access, err)
		}
	})
}
