package latchkey

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

type signInPerson struct {
	Sub           string          `json:"sub"`
	Username      string          `json:"username"`
	Name          string          `json:"name"`
	Email         string          `json:"email"`
	EmailVerified bool            `json:"email_verified"`
	Groups        json.RawMessage `json:"groups"`
	AuthTime      *float64        `json:"auth_time"`
	AMR           []string        `json:"amr"`
}

type signInCase struct {
	Name       string            `json:"name"`
	Issuer     *string           `json:"issuer"`
	Provider   *string           `json:"provider"`
	Secret     json.RawMessage   `json:"secret"`
	PrivateKey string            `json:"private_key"`
	Query      map[string]string `json:"query"`
	Person     *signInPerson     `json:"person"`
	Claims     map[string]any    `json:"claims"`
	Callback   string            `json:"callback"`
}

type signInFile struct {
	Now             int64             `json:"now"`
	Secret          string            `json:"secret"`
	Issuer          string            `json:"issuer"`
	Provider        string            `json:"provider"`
	Query           map[string]string `json:"query"`
	Cases           []signInCase      `json:"cases"`
	RefusedRequests []signInCase      `json:"refused_requests"`
	RefusedCalls    []signInCase      `json:"refused_calls"`
	MaxAge          []struct {
		Name     string            `json:"name"`
		Query    map[string]string `json:"query"`
		AuthTime *float64          `json:"auth_time"`
		Needs    bool              `json:"needs"`
	} `json:"max_age"`
}

func readSignIn(t *testing.T) signInFile {
	var file signInFile
	readVectors(t, "sign-in.json", &file)
	return file
}

func (f signInFile) url(t *testing.T, one signInCase) (string, error) {
	t.Helper()
	product := SignIn{
		Issuer:   orElse(one.Issuer, f.Issuer),
		Provider: orElse(one.Provider, f.Provider),
		Secret:   f.Secret,
		now:      func() time.Time { return time.Unix(f.Now, 0) },
	}
	if one.Secret != nil {
		product.Secret = ""
		if err := json.Unmarshal(one.Secret, &product.Secret); err != nil {
			t.Fatal(err)
		}
	}
	query := one.Query
	if query == nil {
		query = f.Query
	}
	person := SignInPerson{Sub: "4711"}
	if one.Person != nil {
		person = one.Person.person(t)
	}
	return SignInURL(valuesOf(query), person, product)
}

func (p signInPerson) person(t *testing.T) SignInPerson {
	t.Helper()
	person := SignInPerson{Sub: p.Sub, Username: p.Username, Name: p.Name, Email: p.Email, EmailVerified: p.EmailVerified, AMR: p.AMR}
	if p.AuthTime != nil {
		person.AuthTime = time.UnixMilli(int64(*p.AuthTime * 1000))
	}
	if string(p.Groups) == `"many"` {
		for at := range 1000 {
			person.Groups = append(person.Groups, fmt.Sprintf("group-%d", at))
		}
	} else if p.Groups != nil {
		if err := json.Unmarshal(p.Groups, &person.Groups); err != nil {
			t.Fatal(err)
		}
	}
	return person
}

func valuesOf(query map[string]string) url.Values {
	values := url.Values{}
	for name, value := range query {
		values.Set(name, value)
	}
	return values
}

func TestSignIn(t *testing.T) {
	file := readSignIn(t)
	for _, one := range file.Cases {
		t.Run(one.Name, func(t *testing.T) {
			address, err := file.url(t, one)
			if err != nil {
				t.Fatal(err)
			}
			page, assertion, _ := strings.Cut(address, "?assertion=")
			if callback := orElse(notEmpty(one.Callback), file.Issuer+"/sign-in/with/shop/callback"); page != callback {
				t.Errorf("the browser goes to %s", page)
			}
			text, signature, header, claims := parts(t, assertion)
			mac := hmac.New(sha256.New, []byte(file.Secret))
			mac.Write([]byte(text))
			if !hmac.Equal(mac.Sum(nil), signature) {
				t.Error("the signature is wrong")
			}
			if !reflect.DeepEqual(header, map[string]any{"alg": "HS256", "typ": "JWT"}) {
				t.Errorf("the header is %v", header)
			}
			if id, _ := claims["jti"].(string); len(id) < 22 {
				t.Errorf("the jti is %q", id)
			}
			delete(claims, "jti")
			if !reflect.DeepEqual(claims, one.Claims) {
				t.Errorf("the claims are %v", claims)
			}
			if again, _ := file.url(t, one); again == address {
				t.Error("two assertions are the same")
			}
		})
	}
}

func TestSignInIsRefused(t *testing.T) {
	file := readSignIn(t)
	for _, one := range file.RefusedRequests {
		if address, err := file.url(t, one); address != "" || !errors.Is(err, ErrSignInRequest) {
			t.Errorf("%s: %q, %v", one.Name, address, err)
		}
	}
	for _, one := range file.RefusedCalls {
		// A private key is parsed by the standard library, before the kit.
		if one.PrivateKey != "" {
			continue
		}
		if address, err := file.url(t, one); address != "" || err == nil || errors.Is(err, ErrSignInRequest) {
			t.Errorf("%s: %q, %v", one.Name, address, err)
		}
	}
}

func TestNeedsNewSignIn(t *testing.T) {
	file := readSignIn(t)
	for _, one := range file.MaxAge {
		var authTime time.Time
		if one.AuthTime != nil {
			authTime = time.Unix(int64(*one.AuthTime), 0)
		}
		if needs := needsNewSignIn(valuesOf(one.Query), authTime, time.Unix(file.Now, 0)); needs != one.Needs {
			t.Errorf("%s: %v", one.Name, needs)
		}
	}
	if !NeedsNewSignIn(url.Values{"max_age": {"0"}}, time.Now().Add(-time.Hour)) {
		t.Error("a sign-in of an hour ago is not new")
	}
}

func TestSignInWithPrivateKeys(t *testing.T) {
	file := readSignIn(t)
	signed := func(key crypto.Signer) (text []byte, signature []byte, header map[string]any) {
		product := SignIn{Issuer: file.Issuer, Provider: file.Provider, PrivateKey: key, KeyID: "k1"}
		address, err := SignInURL(valuesOf(file.Query), SignInPerson{Sub: "4711"}, product)
		if err != nil {
			t.Fatal(err)
		}
		_, assertion, _ := strings.Cut(address, "?assertion=")
		parsed, signature, header, _ := parts(t, assertion)
		return []byte(parsed), signature, header
	}
	curve, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	text, signature, header := signed(curve)
	digest := sha256.Sum256(text)
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	if !ecdsa.Verify(&curve.PublicKey, digest[:], r, s) {
		t.Error("ES256: the signature is wrong")
	}
	if !reflect.DeepEqual(header, map[string]any{"alg": "ES256", "typ": "JWT", "kid": "k1"}) {
		t.Errorf("the header is %v", header)
	}
	public, edwards, _ := ed25519.GenerateKey(rand.Reader)
	if text, signature, header = signed(edwards); header["alg"] != "EdDSA" || !ed25519.Verify(public, text, signature) {
		t.Error("EdDSA: the signature is wrong")
	}
	rivest, _ := rsa.GenerateKey(rand.Reader, 2048)
	text, signature, header = signed(rivest)
	digest = sha256.Sum256(text)
	if err := rsa.VerifyPKCS1v15(&rivest.PublicKey, crypto.SHA256, digest[:], signature); err != nil || header["alg"] != "RS256" {
		t.Error("RS256: the signature is wrong")
	}
	other, _ := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	for _, product := range []SignIn{
		{Issuer: file.Issuer, Provider: file.Provider, PrivateKey: other},
		{Issuer: file.Issuer, Provider: file.Provider, PrivateKey: curve, Secret: file.Secret},
	} {
		if address, err := SignInURL(valuesOf(file.Query), SignInPerson{Sub: "4711"}, product); err == nil {
			t.Errorf("%s is not refused", address)
		}
	}
}

func parts(t *testing.T, assertion string) (text string, signature []byte, header, claims map[string]any) {
	t.Helper()
	three := strings.Split(assertion, ".")
	if len(three) != 3 {
		t.Fatalf("%q is not a JWT", assertion)
	}
	for at, into := range []*map[string]any{&header, &claims} {
		data, err := base64.RawURLEncoding.DecodeString(three[at])
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, into); err != nil {
			t.Fatal(err)
		}
	}
	signature, err := base64.RawURLEncoding.DecodeString(three[2])
	if err != nil {
		t.Fatal(err)
	}
	return three[0] + "." + three[1], signature, header, claims
}

func notEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
