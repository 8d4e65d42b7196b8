package main

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
)

// BenchmarkCachedCheck is a check that is answered from memory, with a permission and an audience.
func BenchmarkCachedCheck(b *testing.B) {
	api, request := live(b)
	needed := latchkey.RequirePermission("notes:write")
	b.ReportAllocs()
	for b.Loop() {
		if _, refusal := api.Verify(request, needed); refusal != nil {
			b.Fatal(refusal.Reason)
		}
	}
}

// BenchmarkCachedCheckAtOnce is the same on all processors.
func BenchmarkCachedCheckAtOnce(b *testing.B) {
	api, request := live(b)
	needed := latchkey.RequirePermission("notes:write")
	b.RunParallel(func(each *testing.PB) {
		for each.Next() {
			if _, refusal := api.Verify(request, needed); refusal != nil {
				b.Error(refusal.Reason)
			}
		}
	})
}

// BenchmarkGolangJWT verifies a token with a signature of RSA with 2048 bits, and the same facts.
func BenchmarkGolangJWT(b *testing.B) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		b.Fatal(err)
	}
	signed, err := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{
		"iss": "https://id.example", "aud": "https://api.example", "sub": "account-1", "client_id": "app-1",
		"scope": "notes:read notes:write", "exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix(),
	}).SignedString(key)
	if err != nil {
		b.Fatal(err)
	}
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithIssuer("https://id.example"),
		jwt.WithAudience("https://api.example"), jwt.WithExpirationRequired())
	public := func(*jwt.Token) (any, error) { return &key.PublicKey, nil }
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parser.Parse(signed, public); err != nil {
			b.Fatal(err)
		}
	}
}

// live returns a kit with the answer of a request in memory.
func live(b *testing.B) (*latchkey.Server, *http.Request) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "packages", "vectors", "conduct.json"))
	if err != nil {
		b.Fatal(err)
	}
	var vectors struct{ Tokens map[string]string }
	if err := json.Unmarshal(text, &vectors); err != nil {
		b.Fatal(err)
	}
	var service *httptest.Server
	service = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, "id: 1\nevent: ready\ndata: {}\n\n")
			for r.Context().Err() == nil {
				_ = http.NewResponseController(w).Flush()
				time.Sleep(time.Second)
				_, _ = io.WriteString(w, ":\n\n")
			}
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"active": true, "iss": service.URL, "sub": "account-1", "username": "alice", "client_id": "app-1",
			"token_id": "credential-1", "scope": "notes:read notes:write", "aud": "https://api.example",
			"iat": time.Now().Unix(), "exp": time.Now().Unix() + 3600,
		})
	}))
	b.Cleanup(service.Close)
	api, err := latchkey.New(latchkey.Options{
		Issuer: service.URL, ClientID: "api-1", ClientSecret: "secret", Resource: "https://api.example",
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(api.Close)
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set("Authorization", "Bearer "+vectors.Tokens["alice"])
	for !api.IsLive() {
		api.Verify(request)
		time.Sleep(time.Millisecond)
	}
	api.Verify(request)
	return api, request
}
