package latchkey

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// AccountType tells who an account belongs to.
type AccountType string

const (
	// Person is the account of a person.
	Person AccountType = "person"
	// Service is an account that only programs use. It cannot sign in.
	Service AccountType = "service"
)

// Identity is the user of a product, where people sign in at an application.
type Identity struct {
	// Provider is the name of the application in the configuration of the service.
	Provider string
	// Subject is the sub of its assertions.
	Subject string
}

// Access is what the service answered about an active token (RFC 7662 §2.2).
type Access struct {
	// AccountID is the account that consented, or the service account that the app acts as.
	AccountID   string
	Username    string
	AccountType AccountType
	// ClientID is the app that holds the token.
	ClientID string
	// TokenID is the credential: one consent of one account to one copy of an app.
	TokenID   string
	IssuedAt  time.Time
	ExpiresAt time.Time
	// ElevatedUntil is the end of the elevation. It is zero if the credential is not elevated.
	ElevatedUntil time.Time

	permissions []string
	groups      []string
	audience    []string
	identities  []Identity
}

// HasPermission reports whether the token has this permission now, also by implication.
func (a Access) HasPermission(name string) bool { return slices.Contains(a.permissions, name) }

// Permissions returns the permissions that the token has now, including implied ones.
func (a Access) Permissions() []string { return slices.Clone(a.permissions) }

// Groups returns the groups of the account, sorted.
func (a Access) Groups() []string { return slices.Clone(a.groups) }

// Audience returns the resources that the app named (RFC 8707). It is empty if the app named none.
func (a Access) Audience() []string { return slices.Clone(a.audience) }

// Identities returns the users of products that the account is linked to, sorted by provider. Only entries of your own
// provider are yours. If there are several of them, refuse the request.
func (a Access) Identities() []Identity { return slices.Clone(a.identities) }

// readIntrospection reads an introspection response. It returns nil for a token that is not active, and an error if the
// response is invalid or has another issuer.
func readIntrospection(body []byte, issuer string) (*Access, error) {
	// Decoding into a struct would accept members in another case.
	var members map[string]any
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, fmt.Errorf("the response is not a JSON object: %w", err)
	}
	switch members["active"] {
	case false:
		return nil, nil
	case true:
	default:
		return nil, errors.New("the response does not say whether the token is active")
	}
	if members["iss"] != issuer {
		return nil, fmt.Errorf("the issuer of the response is %v, not %s", members["iss"], issuer)
	}
	answer := &answerReader{members: members}
	access := &Access{
		AccountID:     answer.text("sub"),
		Username:      answer.text("username"),
		AccountType:   answer.accountType(),
		ClientID:      answer.text("client_id"),
		TokenID:       answer.text("token_id"),
		permissions:   strings.FieldsFunc(answer.text("scope"), func(letter rune) bool { return letter == ' ' }),
		groups:        answer.groups(),
		audience:      answer.audience(),
		IssuedAt:      answer.instant("iat"),
		ExpiresAt:     answer.instant("exp"),
		ElevatedUntil: answer.optionalInstant("elevated_until"),
		identities:    answer.identities(),
	}
	if answer.err != nil {
		return nil, answer.err
	}
	return access, nil
}

// answerReader reads the members of a response and keeps the first problem.
type answerReader struct {
	members map[string]any
	err     error
}

func (r *answerReader) fail(name string) {
	if r.err == nil {
		r.err = fmt.Errorf("the response has no valid %s", name)
	}
}

func (r *answerReader) text(name string) string {
	text, ok := r.members[name].(string)
	if !ok {
		r.fail(name)
	}
	return text
}

// accountType accepts a response without the member, because earlier versions of the service do not send it.
func (r *answerReader) accountType() AccountType {
	switch given, isGiven := r.members["account_type"]; {
	case !isGiven, given == string(Person):
		return Person
	case given == string(Service):
		return Service
	}
	r.fail("account_type")
	return ""
}

// audience reads the member aud, which is a string or an array of strings (RFC 7519 §4.1.3).
func (r *answerReader) audience() []string {
	value, isGiven := r.members["aud"]
	if !isGiven {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	return r.texts("aud", list)
}

// groups accepts a response without the member, because earlier versions of the service do not send it.
func (r *answerReader) groups() []string {
	value, isGiven := r.members["groups"]
	if !isGiven {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		r.fail("groups")
	}
	return r.texts("groups", list)
}

// identities accepts a response without the member. Only accounts that are linked to an application have it.
func (r *answerReader) identities() []Identity {
	value, isGiven := r.members["identities"]
	if !isGiven {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		r.fail("identities")
	}
	identities := make([]Identity, 0, len(list))
	for _, one := range list {
		members, _ := one.(map[string]any)
		provider, hasProvider := members["provider"].(string)
		subject, hasSubject := members["subject"].(string)
		if !hasProvider || !hasSubject {
			r.fail("identities")
		}
		identities = append(identities, Identity{provider, subject})
	}
	return identities
}

func (r *answerReader) texts(name string, list []any) []string {
	texts := make([]string, 0, len(list))
	for _, one := range list {
		text, ok := one.(string)
		if !ok {
			r.fail(name)
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}

// The year 9999 is the last that time.Time can print.
const maxInstant = 253_402_300_799

func (r *answerReader) instant(name string) time.Time {
	seconds, ok := r.members[name].(float64)
	if !ok || math.Abs(seconds) > maxInstant {
		r.fail(name)
		return time.Time{}
	}
	whole, part := math.Modf(seconds)
	return time.Unix(int64(whole), int64(part*1e9))
}

func (r *answerReader) optionalInstant(name string) time.Time {
	if _, isGiven := r.members[name]; !isGiven {
		return time.Time{}
	}
	return r.instant(name)
}
