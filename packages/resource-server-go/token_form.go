package latchkey

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
)

// A token consists of a prefix, the credential id, the secret, the MAC and the checksum. Tokens of earlier versions have
// no MAC.
const (
	tokenPrefix    = "lka_"
	idLength       = 26
	secretLength   = 43
	macLength      = 11
	checksumLength = 6

	shortTokenLength = len(tokenPrefix) + idLength + secretLength + checksumLength
	longTokenLength  = shortTokenLength + macLength
)

// The header of a JWT is {"alg":"…","typ":"at+jwt","kid":"…"} with RS256 or ES256 and a key id of 26 letters. These are
// its base64url letters around the first letter of the algorithm.
const (
	jwtStart           = "eyJhbGciOiJ"
	jwtMiddle          = "UzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6"
	jwtHeaderLength    = 87
	jwtClaimsStart     = "eyJ"
	jwtSignatureLeast  = 86
	jwtLengthAtMost    = 16_384
	jwtAlgorithmLetter = len(jwtStart)
)

// isAccessTokenForm reports whether the text has the form of an access token: of an opaque one prefix, alphabet, length
// and checksum, of a JWT (RFC 9068) header, alphabet and length. A token of any other form was never issued. It is
// refused without asking the service.
func isAccessTokenForm(token []byte) bool {
	if bytes.HasPrefix(token, []byte(jwtStart)) {
		return isJWTForm(token)
	}
	return isOpaqueForm(token)
}

func isJWTForm(token []byte) bool {
	if len(token) > jwtLengthAtMost || len(token) <= jwtHeaderLength || token[jwtHeaderLength] != '.' {
		return false
	}
	header, rest := token[:jwtHeaderLength], token[jwtHeaderLength+1:]
	algorithm := header[jwtAlgorithmLetter]
	if algorithm != 'S' && algorithm != 'F' || !bytes.HasPrefix(header[jwtAlgorithmLetter+1:], []byte(jwtMiddle)) {
		return false
	}
	claims, signature, found := bytes.Cut(rest, []byte{'.'})
	return found && len(claims) > len(jwtClaimsStart) && bytes.HasPrefix(claims, []byte(jwtClaimsStart)) &&
		len(signature) >= jwtSignatureLeast && isBase64URL(header) && isBase64URL(claims) && isBase64URL(signature)
}

func isBase64URL(text []byte) bool {
	for _, letter := range text {
		if alphabet[letter]&inSecret == 0 {
			return false
		}
	}
	return true
}

func isOpaqueForm(token []byte) bool {
	if len(token) != shortTokenLength && len(token) != longTokenLength {
		return false
	}
	if string(token[:len(tokenPrefix)]) != tokenPrefix {
		return false
	}
	for i := len(tokenPrefix); i < len(token); i++ {
		class := inSecret
		if i < len(tokenPrefix)+idLength {
			class = inID
		}
		if alphabet[token[i]]&class == 0 {
			return false
		}
	}
	checked := len(token) - checksumLength
	return checksum(token[:checked]) == [checksumLength]byte(token[checked:])
}

// checksum returns the CRC-32 (ISO 3309) in six base64url letters. The last letter contains two bits.
func checksum(text []byte) (letters [checksumLength]byte) {
	var crc [4]byte
	binary.BigEndian.PutUint32(crc[:], crc32.ChecksumIEEE(text))
	base64.RawURLEncoding.Encode(letters[:], crc[:])
	return letters
}

const (
	inID = 1 << iota
	inSecret
)

// alphabet tells for each byte whether an id or a secret may contain it.
var alphabet = func() (classes [256]int) {
	for _, letter := range []byte("0123456789abcdefghjkmnpqrstvwxyz") {
		classes[letter] |= inID
	}
	for _, letter := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
		classes[letter] |= inSecret
	}
	return classes
}()
