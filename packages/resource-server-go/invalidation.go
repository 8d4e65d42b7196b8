package latchkey

import "encoding/json"

type subjectKind int

const (
	aboutCredential subjectKind = iota
	aboutClient
	aboutAccount
)

// subject is a credential, app or account. If it changes, the answers that depend on it may be stale.
type subject struct {
	kind subjectKind
	id   string
}

// subjectsOf returns the credential, app and account that an answer depends on.
func subjectsOf(access *Access) [3]subject {
	return [3]subject{
		{aboutCredential, access.TokenID},
		{aboutClient, access.ClientID},
		{aboutAccount, access.AccountID},
	}
}

// readInvalidation reads an event. It returns false for an event that only a later version knows. Every answer may then be
// stale.
func readInvalidation(event, data string) (subject, bool) {
	var kind subjectKind
	var member string
	switch event {
	case "credential":
		kind, member = aboutCredential, "token_id"
	case "client":
		kind, member = aboutClient, "client_id"
	case "account":
		kind, member = aboutAccount, "user_id"
	default:
		return subject{}, false
	}
	var members map[string]any
	if json.Unmarshal([]byte(data), &members) != nil {
		return subject{}, false
	}
	id, ok := members[member].(string)
	return subject{kind, id}, ok
}
