package latchkey

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RefusalReason is why a request is refused.
type RefusalReason string

const (
	TokenMissing       RefusalReason = "token_missing"
	TokenMalformed     RefusalReason = "token_malformed"
	TokenInvalid       RefusalReason = "token_invalid"
	AudienceMissing    RefusalReason = "audience_missing"
	AudienceOther      RefusalReason = "audience_other"
	PermissionLacking  RefusalReason = "permission_lacking"
	ElevationLacking   RefusalReason = "elevation_lacking"
	ServiceUnavailable RefusalReason = "service_unavailable"
)

// Refusal is why a request is refused, with the complete answer for its sender.
type Refusal struct {
	Reason RefusalReason
	// Status is the HTTP status. It is also the code in the body.
	Status int
	// Code is the status in the body, such as PERMISSION_DENIED.
	Code    string
	Message string
	// Challenge is the WWW-Authenticate header. It is empty if the service did not answer.
	Challenge string
	// RetryAfter is zero unless the service did not answer.
	RetryAfter time.Duration
}

// Header returns the headers of the answer.
func (r *Refusal) Header() http.Header {
	header := http.Header{
		"Content-Type":           {"application/json"},
		"Cache-Control":          {"no-store"},
		"X-Content-Type-Options": {"nosniff"},
	}
	if r.Challenge != "" {
		header.Set("WWW-Authenticate", r.Challenge)
	}
	if r.Reason == ElevationLacking {
		header.Set("Service-Elevation-Required", "1")
	}
	if r.RetryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(int(r.RetryAfter/time.Second)))
	}
	return header
}

// Body returns the JSON body of the answer.
func (r *Refusal) Body() []byte {
	type problem struct {
		Code    int    `json:"code"`
		Status  string `json:"status"`
		Message string `json:"message"`
	}
	body, _ := json.Marshal(map[string]problem{"error": {r.Status, r.Code, r.Message}})
	return body
}

// ServeHTTP answers the request with the refusal.
func (r *Refusal) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for name, values := range r.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(r.Status)
	_, _ = w.Write(r.Body())
}

type refusalRow struct {
	status int
	code   string
	// err is the error code of RFC 6750 §3.1. A request without a token gets a challenge without one.
	err     string
	message string
}

var refusalRows = map[RefusalReason]refusalRow{
	TokenMissing:       {401, "UNAUTHENTICATED", "", "The request carries no access token."},
	TokenMalformed:     {400, "INVALID_ARGUMENT", "invalid_request", "The Authorization header is malformed."},
	TokenInvalid:       {401, "UNAUTHENTICATED", "invalid_token", "The access token is not valid."},
	AudienceMissing:    {401, "UNAUTHENTICATED", "invalid_token", "The access token names no resource."},
	AudienceOther:      {401, "UNAUTHENTICATED", "invalid_token", "The access token was issued for another resource."},
	PermissionLacking:  {403, "PERMISSION_DENIED", "insufficient_scope", "The credential lacks a permission that this needs."},
	ElevationLacking:   {400, "FAILED_PRECONDITION", "insufficient_user_authentication", "This needs a factor proven recently."},
	ServiceUnavailable: {503, "UNAVAILABLE", "", "The access token cannot be checked right now."},
}

const defaultRetryAfter = 2 * time.Second

// newRefusal makes the answer of RFC 6750 §3, RFC 9470 §3 and RFC 9728 §5.1. needed has all permissions of the route,
// including those that the token has. Without a retryAfter, the default is used.
func newRefusal(reason RefusalReason, needed []string, metadataURL string, retryAfter time.Duration) *Refusal {
	row := refusalRows[reason]
	refusal := &Refusal{Reason: reason, Status: row.status, Code: row.code, Message: row.message}
	if reason != ServiceUnavailable {
		refusal.Challenge = challenge(row, needed, metadataURL)
	} else if refusal.RetryAfter = retryAfter; retryAfter == 0 {
		refusal.RetryAfter = defaultRetryAfter
	}
	return refusal
}

func challenge(row refusalRow, needed []string, metadataURL string) string {
	var text strings.Builder
	text.WriteString("Bearer ")
	if row.err != "" {
		text.WriteString(`error="` + row.err + `", error_description="` + row.message + `", `)
	}
	if len(needed) > 0 {
		text.WriteString(`scope="` + strings.Join(needed, " ") + `", `)
	}
	text.WriteString(`resource_metadata="` + metadataURL + `"`)
	return text.String()
}
