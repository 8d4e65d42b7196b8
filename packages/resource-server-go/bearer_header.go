package latchkey

import "strings"

type presentedKind int

const (
	// presentedMissing: the request has no Authorization header, or the header has another scheme.
	presentedMissing presentedKind = iota
	presentedMalformed
	presentedToken
)

// presented reads the token from the values of the Authorization header (RFC 6750 §2.1). Tokens in the URL, a form or a
// cookie are ignored, because they would appear in logs and browser histories.
func presented(authorization []string) (string, presentedKind) {
	switch len(authorization) {
	case 0:
		return "", presentedMissing
	case 1:
	default:
		return "", presentedMalformed
	}
	value := strings.TrimLeft(authorization[0], "\t\n\v\f\r ")
	rest, ok := cutScheme(value)
	if !ok {
		return "", presentedMissing
	}
	token := strings.Trim(rest, " ")
	if len(value) != len(authorization[0]) || !strings.HasPrefix(rest, " ") || !isB64Token(token) {
		return "", presentedMalformed
	}
	return token, presentedToken
}

const bearer = "bearer"

// cutScheme removes the scheme Bearer in upper or lower case. White space, a comma or nothing follows it.
func cutScheme(value string) (string, bool) {
	if len(value) < len(bearer) || !strings.EqualFold(value[:len(bearer)], bearer) {
		return "", false
	}
	rest := value[len(bearer):]
	return rest, rest == "" || strings.IndexByte("\t\n\v\f\r ,", rest[0]) >= 0
}

// isB64Token checks the syntax of RFC 6750 §2.1.
func isB64Token(token string) bool {
	letters := strings.TrimRight(token, "=")
	for i := 0; i < len(letters); i++ {
		if alphabet[letters[i]]&inSecret == 0 && strings.IndexByte(".~+/", letters[i]) < 0 {
			return false
		}
	}
	return letters != ""
}
