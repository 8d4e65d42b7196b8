package latchkey

import (
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

// isAccessTokenForm reports whether the text has the form of an access token: prefix, alphabet, length and checksum. A
// token of any other form was never issued. It is refused without asking the service.
func isAccessTokenForm(token []byte) bool {
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
