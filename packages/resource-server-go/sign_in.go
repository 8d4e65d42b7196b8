package latchkey

import (
	"crypto"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// SignInPerson is who is signed in to the product. A zero member is left out of the assertion.
type SignInPerson struct {
	// Sub is the id of the user in the product, which never changes and is never given to another user.
	Sub      string
	Username string
	Name     string
	Email    string
	// EmailVerified says that the product has confirmed the address. Without it the address counts as unconfirmed.
	EmailVerified bool
	// Groups is nil if the product says nothing about groups. An empty list takes the last group away.
	Groups []string
	// AuthTime is when the person last proved who they are.
	AuthTime time.Time
	// AMR is how they proved it: values of RFC 8176, such as pwd or otp.
	AMR []string
}

// SignIn is what the service knows about the product. It has either Secret or PrivateKey.
type SignIn struct {
	// Issuer is the base URL of the service.
	Issuer string
	// Provider is the name of the product in sign_in_providers of the service.
	Provider string
	// Secret is the text of secret_file, at least 32 bytes. White space around it does not count.
	Secret string
	// PrivateKey is an *ecdsa.PrivateKey on P-256, an ed25519.PrivateKey, an *rsa.PrivateKey, or a signer of that kind
	// in hardware.
	PrivateKey crypto.Signer
	// KeyID is the kid of the public key, if jwks_uri of the provider has several.
	KeyID string

	now func() time.Time
}

// ErrSignInRequest is the error of a request that did not come from the service. Answer it with 400.
var ErrSignInRequest = errors.New("latchkey: not a sign-in request of the service")

const (
	assertionSeconds = 60
	// The service reads no more of a query.
	maxSignInURL = 8192
	// A person who comes back from the form of the product needs not fill it in again.
	signInGrace = 30 * time.Second
	maxSubject  = 255
)

var (
	providerName = regexp.MustCompile(`^[A-Za-z0-9_.~-]+$`)
	ageOfSignIn  = regexp.MustCompile(`^[0-9]{1,9}$`)
)

// SignInURL returns the URL to which the product redirects a person who is signed in. It is always the callback of the
// service, and carries an assertion that is valid once, for a minute, in this browser. It returns ErrSignInRequest if the
// service did not make the request with this query, and another error for wrong options and a person whose members are
// not valid.
func SignInURL(query url.Values, person SignInPerson, product SignIn) (string, error) {
	if _, err := parseAddress(product.Issuer, "Issuer"); err != nil {
		return "", err
	}
	if !providerName.MatchString(product.Provider) {
		return "", errors.New("latchkey: Provider: it is not the name of a provider")
	}
	sign, err := product.signer()
	if err != nil {
		return "", err
	}
	now := time.Now()
	if product.now != nil {
		now = product.now()
	}
	claims, err := claimsOf(person, now)
	if err != nil {
		return "", err
	}
	// The service publishes its issuer without a trailing slash.
	audience := strings.TrimSuffix(product.Issuer, "/")
	callback := audience + "/sign-in/with/" + product.Provider + "/callback"
	if query.Get("return_to") != callback {
		return "", fmt.Errorf("%w: return_to is not %s", ErrSignInRequest, callback)
	}
	challenge := query.Get("challenge")
	if challenge == "" {
		return "", fmt.Errorf("%w: challenge is missing", ErrSignInRequest)
	}
	claims["iss"], claims["aud"], claims["challenge"] = product.Provider, audience, challenge
	claims["iat"], claims["exp"] = now.Unix(), now.Unix()+assertionSeconds
	claims["jti"] = rand.Text()
	assertion, err := sign(claims)
	if err != nil {
		return "", err
	}
	address := callback + "?assertion=" + assertion
	if len(address) > maxSignInURL {
		return "", errors.New("latchkey: the person has too many groups, or too long names")
	}
	return address, nil
}

// NeedsNewSignIn reports whether the product must ask a person who is signed in for their password or passkey before it
// calls SignInURL: the service demands it (max_age), and authTime is longer ago. A zero authTime is unknown.
func NeedsNewSignIn(query url.Values, authTime time.Time) bool {
	return needsNewSignIn(query, authTime, time.Now())
}

func needsNewSignIn(query url.Values, authTime, now time.Time) bool {
	maxAge := query.Get("max_age")
	if maxAge == "" {
		return false
	}
	allowed := signInGrace
	if ageOfSignIn.MatchString(maxAge) {
		seconds, _ := strconv.Atoi(maxAge)
		allowed = max(allowed, time.Duration(seconds)*time.Second)
	}
	return authTime.IsZero() || now.Sub(authTime) > allowed
}

func isUnseen(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf)
}

func claimsOf(person SignInPerson, now time.Time) (map[string]any, error) {
	if person.Sub == "" || utf8.RuneCountInString(person.Sub) > maxSubject || strings.ContainsFunc(person.Sub, isUnseen) {
		return nil, errors.New("latchkey: Sub: it is not a text of 1 to 255 visible characters without white space")
	}
	if person.AuthTime.After(now.Add(assertionSeconds * time.Second)) {
		return nil, errors.New("latchkey: AuthTime is in the future")
	}
	claims := map[string]any{"sub": person.Sub}
	for name, value := range map[string]string{"username": person.Username, "name": person.Name, "email": person.Email} {
		if value != "" {
			claims[name] = value
		}
	}
	if person.Email != "" {
		claims["email_verified"] = person.EmailVerified
	}
	if person.Groups != nil {
		claims["groups"] = person.Groups
	}
	if !person.AuthTime.IsZero() {
		claims["auth_time"] = person.AuthTime.Unix()
	}
	if person.AMR != nil {
		claims["amr"] = person.AMR
	}
	return claims, nil
}
