package main

import (
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
)

// serveChi is an API with the router of chi, its own middleware beside ours, and groups.
func serveChi() error {
	api, err := newAPI()
	if err != nil {
		return err
	}
	router := chi.NewRouter()
	router.Use(middleware.Recoverer, api.WithMetadata)
	router.Get("/public", answer)
	router.Group(func(group chi.Router) {
		group.Use(api.Protect(latchkey.RequirePermission("notes:read")))
		group.Get("/notes/{id}", answer)
		group.With(api.Protect(latchkey.RequireElevation())).Delete("/notes/{id}", answer)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		return err
	}
	say("listening")
	return http.Serve(listener, router)
}

func answer(w http.ResponseWriter, r *http.Request) {
	access, _ := latchkey.FromContext(r.Context())
	_, _ = fmt.Fprintf(w, "%s %s", access.Username, chi.URLParam(r, "id"))
}
