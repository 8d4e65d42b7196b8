package main

import (
	"context"
	"crypto/rand"
	"net/http"
	"os"

	"github.com/zitadel/oidc/v3/pkg/client/rp"
	httphelper "github.com/zitadel/oidc/v3/pkg/http"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"golang.org/x/oauth2"
)

func zitadel(url string) http.Handler {
	key := make([]byte, 32)
	_ = must(rand.Read(key))
	cookies := httphelper.NewCookieHandler(key, key, httphelper.WithUnsecure())
	base, clientID, clientSecret := os.Getenv("BASE"), os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET")

	provider := must(rp.NewRelyingPartyOIDC(context.Background(), base, clientID, clientSecret,
		url+"/callback", []string{"openid", "profile", "email"},
		rp.WithPKCE(cookies), rp.WithCookieHandler(cookies)))

	signedIn := func(w http.ResponseWriter, r *http.Request, tokens *oidc.Tokens[*oidc.IDTokenClaims],
		state string, provider rp.RelyingParty, about *oidc.UserInfo) {
		w.Header().Set("content-type", "application/json")
		body := must(about.MarshalJSON())
		_, _ = w.Write(body)
	}
	mux := http.NewServeMux()
	mux.Handle("/{$}", rp.AuthURLHandler(oauth2.GenerateVerifier, provider))
	mux.Handle("/callback", rp.CodeExchangeHandler(rp.UserinfoCallback(signedIn), provider))
	return mux
}
