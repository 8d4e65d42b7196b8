// Sites that sign people in with go-oidc and with zitadel/oidc.
package main

import (
	"log"
	"net/http"
	"os"
)

func main() {
	sites := map[string]func(url string) http.Handler{"go-oidc": goOIDC, "zitadel": zitadel}
	address := "127.0.0.1:" + os.Getenv("PORT")
	log.Fatal(http.ListenAndServe(address, sites[os.Args[1]]("http://"+address)))
}

// must is for the start of a site, before its first visit.
func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
