package latchkey

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// readVectors reads a file of packages/vectors, which define the conduct of every kit.
func readVectors(t testing.TB, name string, file any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, file); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

type optionsVector struct {
	Issuer                *string  `json:"issuer"`
	Resource              *string  `json:"resource"`
	ClientID              *string  `json:"client_id"`
	ClientSecret          *string  `json:"client_secret"`
	Permissions           []string `json:"permissions"`
	ResourceName          string   `json:"resource_name"`
	ResourceDocumentation string   `json:"resource_documentation"`
	RequireAudience       bool     `json:"require_audience"`
	CacheEntries          *int     `json:"cache_entries"`
	Concurrency           *int     `json:"concurrency"`
	TimeoutSeconds        *float64 `json:"timeout_seconds"`
	Stream                *bool    `json:"stream"`
}

func (v optionsVector) options() Options {
	return Options{
		Issuer:                orElse(v.Issuer, "https://id.example"),
		Resource:              orElse(v.Resource, "https://api.example"),
		ClientID:              orElse(v.ClientID, "api-1"),
		ClientSecret:          orElse(v.ClientSecret, "lks_secret"),
		Permissions:           v.Permissions,
		ResourceName:          v.ResourceName,
		ResourceDocumentation: v.ResourceDocumentation,
		RequireAudience:       v.RequireAudience,
		CacheEntries:          bound(v.CacheEntries),
		Concurrency:           bound(v.Concurrency),
		Timeout:               time.Duration(orElse(v.TimeoutSeconds, 0) * float64(time.Second)),
		AskAlways:             !orElse(v.Stream, true),
	}
}

func orElse[T any](given *T, otherwise T) T {
	if given == nil {
		return otherwise
	}
	return *given
}

// bound returns a bound of the vectors. In Go a zero is the default, so -1 takes the place of an explicit zero.
func bound(given *int) int {
	if given != nil && *given == 0 {
		return -1
	}
	return orElse(given, 0)
}

type requirementVector struct {
	Permissions []string `json:"permissions"`
	Elevation   bool     `json:"elevation"`
}

func (v requirementVector) requirements() []Requirement {
	requirements := []Requirement{RequirePermission(v.Permissions...)}
	if v.Elevation {
		requirements = append(requirements, RequireElevation())
	}
	return requirements
}

type conductFile struct {
	Issuer       string                     `json:"issuer"`
	Resource     string                     `json:"resource"`
	ClientID     string                     `json:"client_id"`
	ClientSecret string                     `json:"client_secret"`
	Now          int64                      `json:"now"`
	Tokens       map[string]string          `json:"tokens"`
	Answers      map[string]json.RawMessage `json:"answers"`
	Sequences    []sequence                 `json:"sequences"`
}

func readConduct(t testing.TB) (file conductFile) {
	t.Helper()
	readVectors(t, "conduct.json", &file)
	if len(file.Sequences) == 0 {
		t.Fatal("conduct.json has no sequences")
	}
	return file
}

// newServer returns a kit that asks the service of the script. Its clock stands still.
func newServer(t *testing.T, options Options, service *scriptedService) *Server {
	t.Helper()
	service.t = t
	options.HTTPClient = service.client()
	if options.clock == nil {
		options.clock = &testClock{wall: time.Unix(readConduct(t).Now, 0)}
	}
	server, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return server
}

func answering(given scriptedResponse) *scriptedService {
	return &scriptedService{respond: func(string) scriptedResponse { return given }}
}

func bearerRequest(token string) *http.Request {
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set("Authorization", "Bearer "+token)
	return request
}

func reasonOf(refusal *Refusal) string {
	if refusal == nil {
		return "ok"
	}
	return string(refusal.Reason)
}

func TestTokenForm(t *testing.T) {
	var file struct {
		Cases []struct {
			Name, Token string
			Valid       bool
		}
	}
	readVectors(t, "token-form.json", &file)
	for _, one := range file.Cases {
		if got := isAccessTokenForm([]byte(one.Token)); got != one.Valid {
			t.Errorf("%s: %v", one.Name, got)
		}
	}
}

func TestBearerHeader(t *testing.T) {
	var file struct {
		Cases []struct {
			Name          string
			Authorization []string
			Expect        json.RawMessage
		}
	}
	readVectors(t, "bearer-header.json", &file)
	for _, one := range file.Cases {
		token, kind := presented(one.Authorization)
		got := any(map[presentedKind]string{presentedMissing: "missing", presentedMalformed: "malformed"}[kind])
		if kind == presentedToken {
			got = map[string]any{"token": token}
		}
		expectJSON(t, one.Name, got, one.Expect)
	}
}

func TestAudience(t *testing.T) {
	var file struct {
		Cases []struct {
			Name, Resource  string
			Aud             any
			RequireAudience bool `json:"require_audience"`
			Accepted        bool
		}
	}
	readVectors(t, "audience.json", &file)
	conduct := readConduct(t)
	for _, one := range file.Cases {
		var body map[string]any
		if err := json.Unmarshal(conduct.Answers["alice"], &body); err != nil {
			t.Fatal(err)
		}
		if one.Aud != nil {
			body["aud"] = one.Aud
		}
		text, _ := json.Marshal(body)
		options := optionsVector{Resource: &one.Resource, RequireAudience: one.RequireAudience}.options()
		options.AskAlways = true
		server := newServer(t, options, answering(scriptedResponse{Status: 200, Body: text}))
		_, refusal := server.Verify(bearerRequest(conduct.Tokens["alice"]))
		expected := string(AudienceOther)
		if list, isList := one.Aud.([]any); one.Aud == nil || isList && len(list) == 0 {
			expected = string(AudienceMissing)
		}
		if one.Accepted {
			expected = "ok"
		}
		if got := reasonOf(refusal); got != expected {
			t.Errorf("%s: %s", one.Name, got)
		}
	}
}

func TestChallenges(t *testing.T) {
	var file struct {
		Cases []struct {
			Name, Resource string
			Requirement    requirementVector
			Outcome        RefusalReason
			RetryAfter     int `json:"retry_after"`
			Kit            struct {
				Status  int
				Headers map[string]string
				Body    json.RawMessage
			}
		}
	}
	readVectors(t, "challenges.json", &file)
	for _, one := range file.Cases {
		server, err := New(optionsVector{Resource: &one.Resource}.options())
		if err != nil {
			t.Fatal(err)
		}
		needed := combine(one.Requirement.requirements())
		retryAfter := time.Duration(one.RetryAfter) * time.Second
		refusal := newRefusal(one.Outcome, needed.permissions, server.MetadataURL(), retryAfter)
		recorder := httptest.NewRecorder()
		refusal.ServeHTTP(recorder, nil)
		if recorder.Code != one.Kit.Status || !reflect.DeepEqual(flat(recorder.Header()), one.Kit.Headers) {
			t.Errorf("%s: %d %v", one.Name, recorder.Code, flat(recorder.Header()))
		}
		expectJSON(t, one.Name, json.RawMessage(recorder.Body.Bytes()), one.Kit.Body)
	}
}

func TestMetadata(t *testing.T) {
	var file struct {
		Cases []struct {
			Name, Path, URL string
			Options         optionsVector
			Document        json.RawMessage
		}
		InvalidOptions []struct {
			Name    string
			Options optionsVector
		} `json:"invalid_options"`
		InvalidPermissions []struct{ Name, Permission string } `json:"invalid_permissions"`
		Requests           []struct {
			Name, Method string
			Status       int
			Headers      map[string]string
			Body         *string
		}
	}
	readVectors(t, "metadata.json", &file)
	for _, one := range file.Cases {
		server, err := New(one.Options.options())
		if err != nil {
			t.Fatalf("%s: %v", one.Name, err)
		}
		if server.MetadataPath() != one.Path || server.MetadataURL() != one.URL {
			t.Errorf("%s: %s %s", one.Name, server.MetadataPath(), server.MetadataURL())
		}
		expectJSON(t, one.Name, json.RawMessage(served(server, http.MethodGet).Body.Bytes()), one.Document)
	}
	for _, one := range file.InvalidOptions {
		options := one.Options.options()
		if given := one.Options.TimeoutSeconds; given != nil && *given == 0 {
			options.Timeout = -1
		}
		if _, err := New(options); err == nil {
			t.Errorf("%s: no error", one.Name)
		}
	}
	for _, one := range file.InvalidPermissions {
		if !panics(func() { RequirePermission(one.Permission) }) {
			t.Errorf("%s: no panic", one.Name)
		}
	}
	server, err := New(optionsVector{}.options())
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range file.Requests {
		got := served(server, one.Method)
		if got.Code != one.Status || !reflect.DeepEqual(flat(got.Header()), one.Headers) {
			t.Errorf("%s: %d %v", one.Name, got.Code, flat(got.Header()))
		}
		if hasBody := got.Body.Len() > 0; hasBody != (one.Body != nil) {
			t.Errorf("%s: %s", one.Name, got.Body)
		}
	}
}

// served requests the metadata of a kit.
func served(server *Server, method string) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	request := httptest.NewRequest(method, server.MetadataPath(), nil)
	server.WithMetadata(http.NotFoundHandler()).ServeHTTP(recorder, request)
	return recorder
}

func panics(act func()) (did bool) {
	defer func() { did = recover() != nil }()
	act()
	return false
}

func TestIntrospection(t *testing.T) {
	var file struct {
		Issuer   string
		Requests []struct {
			Name, Issuer, Token, Method, URL string
			ClientID                         string `json:"client_id"`
			ClientSecret                     string `json:"client_secret"`
			Headers, Form                    map[string]string
		}
		Cases []struct {
			Name     string
			Response scriptedResponse
			Expect   json.RawMessage
		}
	}
	readVectors(t, "introspection.json", &file)
	for _, one := range file.Requests {
		service := answering(scriptedResponse{Status: 500})
		options := optionsVector{Issuer: &one.Issuer, ClientID: &one.ClientID, ClientSecret: &one.ClientSecret}.options()
		options.AskAlways = true
		newServer(t, options, service).Verify(bearerRequest(one.Token))
		sent := service.questions[0]
		if sent.method != one.Method || sent.url != one.URL || !reflect.DeepEqual(sent.headers, one.Headers) {
			t.Errorf("%s: %+v", one.Name, sent)
		}
		if !reflect.DeepEqual(flat(http.Header(sent.form)), one.Form) {
			t.Errorf("%s: %v", one.Name, sent.form)
		}
	}
	token := readConduct(t).Tokens["alice"]
	resource := "https://api.example/mcp"
	for _, one := range file.Cases {
		options := optionsVector{Issuer: &file.Issuer, Resource: &resource}.options()
		options.AskAlways = true
		access, refusal := newServer(t, options, answering(one.Response)).Verify(bearerRequest(token))
		var got any
		switch {
		case refusal == nil:
			got = map[string]any{"access": accessVector(access)}
		case refusal.Reason == TokenInvalid:
			got = "inactive"
		case refusal.Reason == ServiceUnavailable:
			got = map[string]any{"unavailable": map[string]any{"retry_after": refusal.RetryAfter.Seconds()}}
		}
		expectJSON(t, one.Name, got, one.Expect)
	}
}

func accessVector(access Access) map[string]any {
	var elevatedUntil any
	if !access.ElevatedUntil.IsZero() {
		elevatedUntil = access.ElevatedUntil.Unix()
	}
	identities := []map[string]string{}
	for _, one := range access.Identities() {
		identities = append(identities, map[string]string{"provider": one.Provider, "subject": one.Subject})
	}
	return map[string]any{
		"account_id":     access.AccountID,
		"username":       access.Username,
		"account_type":   access.AccountType,
		"client_id":      access.ClientID,
		"token_id":       access.TokenID,
		"permissions":    append([]string{}, access.Permissions()...),
		"groups":         append([]string{}, access.Groups()...),
		"audience":       append([]string{}, access.Audience()...),
		"issued_at":      access.IssuedAt.Unix(),
		"expires_at":     access.ExpiresAt.Unix(),
		"elevated_until": elevatedUntil,
		"identities":     identities,
	}
}

type eventsFile struct {
	Streams []struct {
		Name, Stream string
		Events       json.RawMessage
	}
	Cached map[string]*struct {
		TokenID   string `json:"token_id"`
		ClientID  string `json:"client_id"`
		AccountID string `json:"account_id"`
	}
	Invalidations []struct {
		Name, Event, Data string
		Dropped           []string
	}
}

func TestEventStreams(t *testing.T) {
	var file eventsFile
	readVectors(t, "events.json", &file)
	for _, one := range file.Streams {
		for size := 1; size <= len(one.Stream); size++ {
			events := []map[string]any{}
			var parser eventParser
			for piece := range slices.Chunk([]byte(one.Stream), size) {
				err := parser.take(piece, func(event streamEvent) {
					var id any
					if event.hasID {
						id = event.id
					}
					events = append(events, map[string]any{"id": id, "event": event.event, "data": event.data})
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			expectJSON(t, one.Name, events, one.Events)
		}
	}
}

func TestInvalidations(t *testing.T) {
	var file eventsFile
	readVectors(t, "events.json", &file)
	conduct := readConduct(t)
	var alice map[string]any
	if err := json.Unmarshal(conduct.Answers["alice"], &alice); err != nil {
		t.Fatal(err)
	}
	tokens := map[string]string{}
	answers := map[string]json.RawMessage{}
	names := slices.Sorted(maps.Keys(file.Cached))
	for at, name := range names {
		entry := file.Cached[name]
		// Each cached answer belongs to one token of conduct.json.
		tokens[name] = conduct.Tokens[[]string{"alice", "bob", "carol", "unknown1", "unknown2"}[at]]
		if entry == nil {
			answers[name] = json.RawMessage(`{"active":false}`)
			continue
		}
		alice["token_id"], alice["client_id"], alice["sub"] = entry.TokenID, entry.ClientID, entry.AccountID
		answers[name], _ = json.Marshal(alice)
	}
	conduct.Tokens, conduct.Answers = tokens, answers
	check := func(name string, asks int) step {
		expect := "ok"
		if file.Cached[name] == nil {
			expect = string(TokenInvalid)
		}
		return step{Check: &checkVector{Token: &name}, Expect: expect, Asks: &asks}
	}
	for _, one := range file.Invalidations {
		t.Run(one.Name, func(t *testing.T) {
			t.Parallel()
			steps := []step{check(names[0], 1), {Opens: &opensVector{}}, {Send: sendVector{text: ready}}}
			for _, name := range names {
				steps = append(steps, check(name, 1))
			}
			event := "id: 2\nevent: " + one.Event + "\ndata: " + one.Data + "\n\n"
			steps = append(steps, step{Send: sendVector{text: event}})
			for _, name := range names {
				asks := 0
				if slices.Contains(one.Dropped, name) {
					asks = 1
				}
				steps = append(steps, check(name, asks))
			}
			play(t, conduct, sequence{Name: one.Name, Steps: steps})
		})
	}
}

const ready = "id: 1\nevent: ready\ndata: {}\n\n"

func TestConduct(t *testing.T) {
	conduct := readConduct(t)
	for _, one := range conduct.Sequences {
		t.Run(one.Name, func(t *testing.T) {
			t.Parallel()
			play(t, conduct, one)
		})
	}
}

// TestEveryVectorIsUsed fails if a file is added that no test of this package reads.
func TestEveryVectorIsUsed(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "vectors", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var source []byte
	for _, name := range []string{"vectors_test.go", "sign_in_test.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, text...)
	}
	for _, file := range files {
		if name := filepath.Base(file); !strings.Contains(string(source), `"`+name+`"`) {
			t.Errorf("%s is not used", name)
		}
	}
	if len(files) < 7 {
		t.Errorf("only %d files", len(files))
	}
}

// expectJSON compares two values as JSON.
func expectJSON(t *testing.T, name string, got any, expected json.RawMessage) {
	t.Helper()
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var one, other any
	if err := json.Unmarshal(text, &one); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(expected, &other); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one, other) {
		t.Errorf("%s: %s", name, text)
	}
}
