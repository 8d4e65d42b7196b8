package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func goOIDC(url string) http.Handler {
	provider := must(oidc.NewProvider(context.Background(), os.Getenv("BASE")))
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  url + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		state, nonce, pkce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
		for name, value := range map[string]string{"state": state, "nonce": nonce, "pkce": pkce} {
			http.SetCookie(w, &http.Cookie{Name: name, Value: value, HttpOnly: true})
		}
		address := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(pkce))
		http.Redirect(w, r, address, http.StatusFound)
	})
	mux.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		about, err := arrive(r, config, verifier, provider)
		if err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		_ = json.NewEncoder(w).Encode(about)
	})
	return mux
}

func arrive(
	r *http.Request, config oauth2.Config, verifier *oidc.IDTokenVerifier, provider *oidc.Provider,
) (map[string]any, error) {
	if r.FormValue("state") != cookie(r, "state") {
		return nil, http.ErrNoCookie
	}
	token, err := config.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(cookie(r, "pkce")))
	if err != nil {
		return nil, err
	}
	raw, _ := token.Extra("id_token").(string)
	idToken, err := verifier.Verify(r.Context(), raw)
	if err != nil {
		return nil, err
	}
	if idToken.Nonce != cookie(r, "nonce") {
		return nil, http.ErrNoCookie
	}
	if err := idToken.VerifyAccessToken(token.AccessToken); err != nil {
		return nil, err
	}
	userinfo, err := provider.UserInfo(r.Context(), config.TokenSource(r.Context(), token))
	if err != nil {
		return nil, err
	}
	return map[string]any{"sub": idToken.Subject, "email": userinfo.Email, "verified": userinfo.EmailVerified}, nil
}

func cookie(r *http.Request, name string) string {
	found, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return found.Value
}
