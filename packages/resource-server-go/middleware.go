package latchkey

import (
	"context"
	"net/http"
)

// Protect returns middleware that answers a request itself unless it meets every requirement. The handler gets the access
// by [FromContext].
func (s *Server) Protect(requirements ...Requirement) func(http.Handler) http.Handler {
	needed := combine(requirements)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			access, refusal := s.verify(r.Context(), r.Header["Authorization"], needed)
			if refusal != nil {
				refusal.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r.WithContext(NewContext(r.Context(), access)))
		})
	}
}

// WithMetadata is middleware for the whole API. It serves the metadata and passes every other request on.
func (s *Server) WithMetadata(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() == s.resource.metadataPath {
			s.metadataHandler.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

type accessKey struct{}

// NewContext returns a context with the access of a checked request.
func NewContext(ctx context.Context, access Access) context.Context {
	return context.WithValue(ctx, accessKey{}, &access)
}

// FromContext returns the access of a checked request. It returns false if the route is not protected.
func FromContext(ctx context.Context) (Access, bool) {
	access, ok := ctx.Value(accessKey{}).(*Access)
	if !ok {
		return Access{}, false
	}
	return *access, true
}
