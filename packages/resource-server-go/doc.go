// Package latchkey protects an API with Latchkey. It checks the access token of each request against answers in memory,
// and an event stream from the service removes the answers that a revocation or another change made stale.
//
//	api, err := latchkey.New(latchkey.Options{
//		Issuer:       "https://id.example",
//		ClientID:     os.Getenv("CLIENT_ID"),
//		ClientSecret: os.Getenv("CLIENT_SECRET"),
//		Resource:     "https://api.example",
//	})
//	mux.Handle("GET /notes", api.Protect(latchkey.RequirePermission("notes:read"))(notes))
//	http.ListenAndServe(":8080", api.WithMetadata(mux))
package latchkey
