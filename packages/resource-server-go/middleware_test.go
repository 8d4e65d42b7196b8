package latchkey

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// networkService is a service on a loopback port that answers every question with one response.
func networkService(t *testing.T, introspect http.HandlerFunc) (issuer string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /oauth/introspect", introspect)
	mux.HandleFunc("GET /oauth/introspect/stream", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, ready)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	service := httptest.NewServer(mux)
	t.Cleanup(service.Close)
	return service.URL
}

// active answers that the token of alice is active.
func active(t *testing.T, issuer *string) http.HandlerFunc {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(readConduct(t).Answers["alice"], &body); err != nil {
		t.Fatal(err)
	}
	body["exp"] = time.Now().Add(time.Hour).Unix()
	return func(w http.ResponseWriter, _ *http.Request) {
		body["iss"] = *issuer
		_ = json.NewEncoder(w).Encode(body)
	}
}

func networkServer(t *testing.T, issuer string, change func(*Options)) *Server {
	t.Helper()
	options := optionsVector{Issuer: &issuer, Permissions: []string{"notes:read"}}.options()
	if change != nil {
		change(&options)
	}
	server, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return server
}

// notesAPI is an API with a protected route and a public one.
func notesAPI(server *Server) http.Handler {
	mux := http.NewServeMux()
	whose := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		access, ok := FromContext(r.Context())
		_ = json.NewEncoder(w).Encode(map[string]any{"username": access.Username, "protected": ok})
	})
	mux.Handle("GET /notes", server.Protect(RequirePermission("notes:read"))(whose))
	mux.Handle("DELETE /notes", server.Protect(RequirePermission("notes:read"), RequireElevation())(whose))
	mux.Handle("GET /public", whose)
	return server.WithMetadata(mux)
}

func TestMiddleware(t *testing.T) {
	var issuer string
	issuer = networkService(t, active(t, &issuer))
	server := networkServer(t, issuer, nil)
	api := httptest.NewServer(notesAPI(server))
	t.Cleanup(api.Close)
	token := readConduct(t).Tokens["alice"]
	challenge := `scope="notes:read", resource_metadata="https://api.example/.well-known/oauth-protected-resource"`
	for _, one := range []struct {
		method, path  string
		authorization []string
		status        int
		challenge     string
		body          string
	}{
		{"GET", "/notes", []string{"Bearer " + token}, 200, "", `{"protected":true,"username":"alice"}`},
		{"GET", "/notes", nil, 401, "Bearer " + challenge, ""},
		{"GET", "/notes", []string{"Bearer " + token, "Bearer " + token}, 400,
			`Bearer error="invalid_request", error_description="The Authorization header is malformed.", ` + challenge, ""},
		{"DELETE", "/notes", []string{"Bearer " + token}, 400,
			`Bearer error="insufficient_user_authentication", error_description="This needs a factor proven recently.", ` + challenge, ""},
		{"GET", "/notes?access_token=" + token, nil, 401, "Bearer " + challenge, ""},
		{"GET", "/public", nil, 200, "", `{"protected":false,"username":""}`},
		{"GET", "/.well-known/oauth-protected-resource", nil, 200, "",
			`{"resource":"https://api.example","authorization_servers":["` + issuer +
				`"],"bearer_methods_supported":["header"],"scopes_supported":["notes:read"]}`},
		{"GET", "/.well-known/oauth-protected-resource/other", nil, 404, "", ""},
	} {
		request, err := http.NewRequest(one.method, api.URL+one.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header["Authorization"] = one.authorization
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode != one.status || response.Header.Get("WWW-Authenticate") != one.challenge {
			t.Errorf("%s %s: %d %v", one.method, one.path, response.StatusCode, response.Header)
		}
		if one.body != "" {
			expectJSON(t, one.path, json.RawMessage(body), json.RawMessage(one.body))
		}
	}
	until(t, "the stream is live", server.IsLive)
}

func TestRedirectIsNotFollowed(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the redirect was followed")
	}))
	t.Cleanup(other.Close)
	issuer := networkService(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	troubles := make(chan Trouble, 10)
	server := networkServer(t, issuer, func(options *Options) {
		options.HTTPClient = &http.Client{}
		options.OnTrouble = func(trouble Trouble) { troubles <- trouble }
	})
	_, refusal := server.Verify(bearerRequest(readConduct(t).Tokens["alice"]))
	if reasonOf(refusal) != string(ServiceUnavailable) {
		t.Error(reasonOf(refusal))
	}
	if trouble := <-troubles; trouble.Of != TroubleIntrospection || trouble.Status != 307 || trouble.Times != 1 {
		t.Errorf("%+v", trouble)
	}
}

func TestTimeLimitOfTheClientDoesNotEndTheStream(t *testing.T) {
	var issuer string
	issuer = networkService(t, active(t, &issuer))
	client := &http.Client{Timeout: 300 * time.Millisecond}
	server := networkServer(t, issuer, func(options *Options) {
		options.HTTPClient = client
		options.OnTrouble = func(trouble Trouble) { t.Errorf("%+v", trouble) }
	})
	server.Verify(httptest.NewRequest("GET", "/", nil))
	until(t, "the stream is live", server.IsLive)
	for end := time.Now().Add(2 * client.Timeout); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if !server.IsLive() {
			t.Fatal("the stream has ended")
		}
	}
}

func TestSlowService(t *testing.T) {
	release := make(chan struct{})
	issuer := networkService(t, func(http.ResponseWriter, *http.Request) { <-release })
	t.Cleanup(func() { close(release) })
	server := networkServer(t, issuer, func(options *Options) { options.Timeout = 50 * time.Millisecond })
	_, refusal := server.Verify(bearerRequest(readConduct(t).Tokens["alice"]))
	if reasonOf(refusal) != string(ServiceUnavailable) {
		t.Error(reasonOf(refusal))
	}
}

func TestAnswerThatIsTooLong(t *testing.T) {
	issuer := networkService(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(make([]byte, maxAnswerLength+1))
	})
	_, refusal := networkServer(t, issuer, nil).Verify(bearerRequest(readConduct(t).Tokens["alice"]))
	if reasonOf(refusal) != string(ServiceUnavailable) {
		t.Error(reasonOf(refusal))
	}
}
