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
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
)

const minSecretBytes = 32

// signer returns the function that makes a JWT of claims.
func (p SignIn) signer() (func(claims map[string]any) (string, error), error) {
	if (p.Secret == "") == (p.PrivateKey == nil) {
		return nil, errors.New("latchkey: give either Secret or PrivateKey")
	}
	algorithm, signature, err := p.algorithm()
	if err != nil {
		return nil, err
	}
	header := map[string]string{"alg": algorithm, "typ": "JWT"}
	if p.KeyID != "" {
		header["kid"] = p.KeyID
	}
	return func(claims map[string]any) (string, error) {
		first, err := json.Marshal(header)
		if err != nil {
			return "", err
		}
		second, err := json.Marshal(claims)
		if err != nil {
			return "", err
		}
		text := base64url(first) + "." + base64url(second)
		signed, err := signature([]byte(text))
		return text + "." + base64url(signed), err
	}, nil
}

func (p SignIn) algorithm() (string, func([]byte) ([]byte, error), error) {
	if p.PrivateKey == nil {
		return p.secretAlgorithm()
	}
	switch public := p.PrivateKey.Public().(type) {
	case *ecdsa.PublicKey:
		if public.Curve == elliptic.P256() {
			return "ES256", p.signES256, nil
		}
	case ed25519.PublicKey:
		return "EdDSA", func(data []byte) ([]byte, error) {
			return p.PrivateKey.Sign(rand.Reader, data, crypto.Hash(0))
		}, nil
	case *rsa.PublicKey:
		return "RS256", p.signDigest, nil
	}
	return "", nil, errors.New("latchkey: PrivateKey: it is not of kind P-256, Ed25519 or RSA")
}

func (p SignIn) secretAlgorithm() (string, func([]byte) ([]byte, error), error) {
	// The text of a public key is not a secret.
	if strings.Contains(p.Secret, "-----BEGIN") {
		return "", nil, errors.New("latchkey: Secret: it is a key in PEM")
	}
	secret := []byte(strings.TrimSpace(p.Secret))
	if len(secret) < minSecretBytes {
		return "", nil, errors.New("latchkey: Secret: it has less than 32 bytes")
	}
	return "HS256", func(data []byte) ([]byte, error) {
		mac := hmac.New(sha256.New, secret)
		mac.Write(data)
		return mac.Sum(nil), nil
	}, nil
}

func (p SignIn) signDigest(data []byte) ([]byte, error) {
	digest := sha256.Sum256(data)
	return p.PrivateKey.Sign(rand.Reader, digest[:], crypto.SHA256)
}

// signES256 returns the two numbers of the signature, each in 32 bytes (RFC 7518 §3.4).
func (p SignIn) signES256(data []byte) ([]byte, error) {
	der, err := p.signDigest(data)
	if err != nil {
		return nil, err
	}
	var numbers struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(der, &numbers); err != nil {
		return nil, err
	}
	signed := make([]byte, 64)
	numbers.R.FillBytes(signed[:32])
	numbers.S.FillBytes(signed[32:])
	return signed, nil
}

func base64url(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }
