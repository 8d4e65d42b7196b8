package latchkeymcp_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
	latchkeymcp "github.com/latchkey/latchkey/packages/resource-server-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// service is a Latchkey service by script, with one active token.
type service struct {
	*httptest.Server
	token    string
	audience string
	isDown   atomic.Bool
}

func newService(t *testing.T) *service {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "vectors", "conduct.json"))
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct{ Tokens map[string]string }
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	s := &service{token: vectors.Tokens["alice"], audience: resource}
	s.Server = httptest.NewServer(http.HandlerFunc(s.introspect))
	t.Cleanup(s.Close)
	return s
}

func (s *service) introspect(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.isDown.Load():
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.FormValue("token") != s.token:
		_, _ = io.WriteString(w, `{"active":false}`)
	default:
		answer := map[string]any{
			"active": true, "iss": s.URL, "sub": "account-1", "username": "alice", "client_id": "app-1",
			"token_id": "credential-1", "scope": "notes:read", "iat": time.Now().Unix(), "exp": time.Now().Unix() + 3600,
		}
		if s.audience != "" {
			answer["aud"] = s.audience
		}
		_ = json.NewEncoder(w).Encode(answer)
	}
}

const resource = "https://api.example/mcp"

const metadata = `resource_metadata="https://api.example/.well-known/oauth-protected-resource/mcp"`

func newAPI(t *testing.T, s *service) *latchkey.Server {
	t.Helper()
	api, err := latchkey.New(latchkey.Options{
		Issuer: s.URL, ClientID: "api-1", ClientSecret: "secret", Resource: resource, AskAlways: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// notes starts an MCP server with three tools. One of them is not declared.
func notes(t *testing.T, s *service, options *mcp.StreamableHTTPOptions) *httptest.Server {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1.0.0"}, nil)
	for _, name := range []string{"list_notes", "add_note", "undeclared"} {
		mcp.AddTool(server, &mcp.Tool{Name: name}, whose)
	}
	handler := latchkeymcp.Handler(newAPI(t, s), server, latchkeymcp.Tools{
		"list_notes": latchkey.RequirePermission("notes:read"),
		"add_note":   latchkey.RequirePermission("notes:write"),
	}, options)
	started := httptest.NewServer(handler)
	t.Cleanup(started.Close)
	return started
}

func whose(_ context.Context, request *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	access, _ := latchkeymcp.FromTokenInfo(request.Extra.TokenInfo)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: request.Params.Name + " " + access.Username}}}, nil, nil
}

func post(t *testing.T, url, body string, headers map[string]string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response, string(text)
}

func call(tool string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":{}}}`
}

func TestAnswers(t *testing.T) {
	s := newService(t)
	stateless := &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true, MaxRequestBodyBytes: 10_000}
	started := notes(t, s, stateless)
	token := map[string]string{"Authorization": "Bearer " + s.token}
	lacking := `Bearer error="insufficient_scope", error_description="The credential lacks a permission that this needs.", `
	for _, one := range []struct {
		name, body string
		headers    map[string]string
		status     int
		challenge  string
		contains   string
	}{
		{"a tool", call("list_notes"), token, 200, "", "alice"},
		{"no token", call("list_notes"), nil, 401, `Bearer scope="notes:write notes:read", ` + metadata, ""},
		{"another permission", call("add_note"), token, 403, lacking + `scope="notes:write", ` + metadata, ""},
		{"a tool that is not declared", call("undeclared"), token, 403, lacking + `scope="notes:write notes:read", ` + metadata, ""},
		{"a batch", "[" + call("list_notes") + "," + call("add_note") + "]", token, 403,
			lacking + `scope="notes:read notes:write", ` + metadata, ""},
		{"no JSON", "{", token, 400, "", ""},
		{"a long body", call(strings.Repeat("x", 20_000)), token, 413, "", ""},
		{"a page of another site", call("list_notes"),
			map[string]string{"Authorization": "Bearer " + s.token, "Origin": "https://attacker.example"}, 403, "", ""},
		{"a page of this site", call("list_notes"),
			map[string]string{"Authorization": "Bearer " + s.token, "Origin": "https://api.example"}, 200, "", "alice"},
		// The name that the SDK reads decides, whichever of two it takes.
		{"two names", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_note","name":"list_notes","arguments":{}}}`,
			token, 200, "", "alice"},
	} {
		response, text := post(t, started.URL, one.body, one.headers)
		if response.StatusCode != one.status || response.Header.Get("WWW-Authenticate") != one.challenge {
			t.Errorf("%s: %d %q %s", one.name, response.StatusCode, response.Header.Get("WWW-Authenticate"), text)
		}
		if !strings.Contains(text, one.contains) {
			t.Errorf("%s: %s", one.name, text)
		}
	}
	s.isDown.Store(true)
	if response, _ := post(t, started.URL, call("list_notes"), token); response.StatusCode != 503 || response.Header.Get("Retry-After") != "2" {
		t.Errorf("down: %d", response.StatusCode)
	}
	s.isDown.Store(false)
	s.audience = ""
	if response, text := post(t, started.URL, call("list_notes"), token); response.StatusCode != 401 || !strings.Contains(text, "names no resource") {
		t.Errorf("no resource: %d %s", response.StatusCode, text)
	}
	s.audience = "https://other.example"
	if response, text := post(t, started.URL, call("list_notes"), token); response.StatusCode != 401 || !strings.Contains(text, "another resource") {
		t.Errorf("another resource: %d %s", response.StatusCode, text)
	}
}

// TestNamesThatOnlyOneParserReads sends names that the check over HTTP does not see, but a careless parser might.
func TestNamesThatOnlyOneParserReads(t *testing.T) {
	s := newService(t)
	started := notes(t, s, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_notes","Name":"add_note","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_notes"},"Params":{"name":"add_note"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"add_note"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_note"},"params":{"name":"list_notes"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["add_note"]}}`,
	} {
		response, text := post(t, started.URL, body, map[string]string{"Authorization": "Bearer " + s.token})
		if strings.Contains(text, "add_note") {
			t.Errorf("%s: %d %s", body, response.StatusCode, text)
		}
	}
}

// TestAnotherTransport calls a tool past the check over HTTP.
func TestAnotherTransport(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "list_notes"}, whose)
	latchkeymcp.Handler(newAPI(t, newService(t)), server, nil, nil)
	near, far := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), near, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1.0.0"}, nil).Connect(t.Context(), far, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list_notes"})
	if err == nil || !strings.Contains(err.Error(), "no access token") {
		t.Error(err)
	}
}

func TestClientOfTheSDK(t *testing.T) {
	s := newService(t)
	started := notes(t, s, nil)
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1.0.0"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint:   started.URL,
		HTTPClient: &http.Client{Transport: bearing("Bearer " + s.token)},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list_notes"})
	if err != nil || result.Content[0].(*mcp.TextContent).Text != "list_notes alice" {
		t.Error(result, err)
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "add_note"}); err == nil {
		t.Error("a tool without its permission was called")
	}
}

type bearing string

func (b bearing) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", string(b))
	return http.DefaultTransport.RoundTrip(request)
}

func TestVerifier(t *testing.T) {
	s := newService(t)
	protected := auth.RequireBearerToken(latchkeymcp.Verifier(newAPI(t, s)), nil)(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, auth.TokenInfoFromContext(r.Context()).UserID)
		}))
	started := httptest.NewServer(protected)
	t.Cleanup(started.Close)
	token := map[string]string{"Authorization": "Bearer " + s.token}
	if response, text := post(t, started.URL, "", token); response.StatusCode != 200 || text != "account-1" {
		t.Error(response.StatusCode, text)
	}
	unknown := map[string]string{"Authorization": "Bearer unknown"}
	if response, _ := post(t, started.URL, "", unknown); response.StatusCode != 401 {
		t.Error(response.StatusCode)
	}
	s.audience = "https://other.example"
	if response, _ := post(t, started.URL, "", token); response.StatusCode != 401 {
		t.Error(response.StatusCode)
	}
	s.isDown.Store(true)
	if response, _ := post(t, started.URL, "", token); response.StatusCode != 500 {
		t.Error(response.StatusCode)
	}
}
