// Package latchkeymcp protects an MCP server of the Go SDK with Latchkey.
//
//	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1.0.0"}, nil)
//	mcp.AddTool(server, &mcp.Tool{Name: "list_notes"}, listNotes)
//	handler := latchkeymcp.Handler(api, server, latchkeymcp.Tools{
//		"list_notes": latchkey.RequirePermission("notes:read"),
//	}, nil)
//	http.ListenAndServe(":8080", api.WithMetadata(handler))
package latchkeymcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
	"github.com/modelcontextprotocol/go-sdk/auth"
)

// accessMember is the name of the access in the Extra of a TokenInfo.
const accessMember = "latchkey.access"

// Verifier is for [auth.RequireBearerToken] of the SDK. It checks the token and its audience, and
// refuses a token without one. That middleware answers 401
// without an error code, and 500 where the service does not answer. [Handler] gives the complete answers.
func Verifier(api *latchkey.Server) auth.TokenVerifier {
	return func(_ context.Context, _ string, request *http.Request) (*auth.TokenInfo, error) {
		access, refusal := api.Verify(request, latchkey.RequireAudience())
		if refusal == nil {
			return TokenInfo(access), nil
		}
		switch refusal.Reason {
		case latchkey.TokenMalformed:
			return nil, fmt.Errorf("%w: %s", auth.ErrOAuth, refusal.Message)
		case latchkey.ServiceUnavailable:
			return nil, errors.New(refusal.Message)
		}
		return nil, fmt.Errorf("%w: %s", auth.ErrInvalidToken, refusal.Message)
	}
}

// TokenInfo is the access in the form of the SDK.
func TokenInfo(access latchkey.Access) *auth.TokenInfo {
	return &auth.TokenInfo{
		Scopes:     access.Permissions(),
		Expiration: access.ExpiresAt,
		UserID:     access.AccountID,
		Extra:      map[string]any{accessMember: access},
	}
}

// FromTokenInfo returns the access of a request: latchkeymcp.FromTokenInfo(request.Extra.TokenInfo). It returns false if the
// server is not protected.
func FromTokenInfo(info *auth.TokenInfo) (latchkey.Access, bool) {
	if info == nil {
		return latchkey.Access{}, false
	}
	access, ok := info.Extra[accessMember].(latchkey.Access)
	return access, ok
}
