package latchkey

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// If this many questions are waiting, further checks get 503.
	maxWaiting = 1000
	// Answers of the service have a few hundred bytes.
	maxAnswerLength = 1 << 20

	maxRetryAfter = time.Minute
)

// service is the connection to the authorization service.
type service struct {
	// issuer is the base URL without a trailing slash.
	issuer        string
	authorization string
	// client has the time limit of the caller. streamClient has none, because a stream does not end.
	client, streamClient *http.Client
	timeout              time.Duration
	turns                turns
	trouble              *reporter
}

// unavailableError: the service did not answer, or its answer is not valid.
type unavailableError struct{ retryAfter time.Duration }

func (unavailableError) Error() string { return "the authorization service did not answer" }

// statusError: the service refused this API or answered with an unexpected status.
type statusError struct{ status int }

func (e statusError) Error() string {
	text := fmt.Sprintf("the service answered %d", e.status)
	switch e.status {
	case http.StatusUnauthorized:
		text += ": the client id or secret is wrong, or the app is disabled"
	case http.StatusForbidden:
		text += ": the app is not marked as a resource server"
	}
	return text
}

// introspect asks the service about a token (RFC 7662 §2.1). It returns nil for a token that is not active. The time limit
// includes the wait for other questions. With isFirst, it waits only behind others with it.
func (s *service) introspect(token string, isFirst bool) (*Access, error) {
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	if err := s.turns.take(ctx, isFirst); errors.Is(err, errManyWaiting) {
		return nil, unavailableError{time.Second}
	} else if err != nil {
		return nil, s.unavailable(0, err, "")
	}
	defer s.turns.give()
	response, err := s.ask(ctx, token)
	if err != nil {
		return nil, s.unavailable(0, err, "")
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		err := statusError{response.StatusCode}
		return nil, s.unavailable(response.StatusCode, err, response.Header.Get("Retry-After"))
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, response.Body, maxAnswerLength))
	if err != nil {
		return nil, s.unavailable(0, err, "")
	}
	access, err := readIntrospection(body, s.issuer)
	if err != nil {
		return nil, s.unavailable(0, err, "")
	}
	return access, nil
}

// ask sends the question. If the connection was lost, it asks once more, because the service may have closed an idle
// connection.
func (s *service) ask(ctx context.Context, token string) (*http.Response, error) {
	response, err := s.askOnce(ctx, token)
	if err != nil && isConnectionLost(err) {
		return s.askOnce(ctx, token)
	}
	return response, err
}

func (s *service) askOnce(ctx context.Context, token string) (*http.Response, error) {
	form := "token=" + url.QueryEscape(token) + "&token_type_hint=access_token"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.issuer+"/oauth/introspect", strings.NewReader(form))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", s.authorization)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.client.Do(request)
}

func isConnectionLost(err error) bool {
	for _, lost := range []error{syscall.ECONNRESET, syscall.EPIPE, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, lost) {
			return true
		}
	}
	return false
}

// unavailable reports the problem.
func (s *service) unavailable(status int, err error, retryAfter string) error {
	s.trouble.take(TroubleIntrospection, status, err)
	seconds, parseErr := strconv.ParseFloat(strings.TrimSpace(retryAfter), 64)
	if parseErr != nil || math.IsNaN(seconds) || math.IsInf(seconds, 0) || seconds < 1 {
		return unavailableError{defaultRetryAfter}
	}
	seconds = min(math.Ceil(seconds), maxRetryAfter.Seconds())
	return unavailableError{time.Duration(seconds) * time.Second}
}

// basicAuthorization makes the header of RFC 6749 §2.3.1. Id and secret are form-encoded before they are encoded as base64.
func basicAuthorization(clientID, clientSecret string) string {
	pair := formEncoded(clientID) + ":" + formEncoded(clientSecret)
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
}

func formEncoded(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
