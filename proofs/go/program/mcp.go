package main

import (
	"context"
	"encoding/json"
	"net/url"
	"os"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

const callback = "http://127.0.0.1:43112/callback"

// callMCP is a client with the SDK. It says each address that it would open in a browser, and takes the address that the
// browser was sent to from the next line. Each other line is the name of a tool, or the word token.
func callMCP() error {
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName:              "Notebook",
				RedirectURIs:            []string{callback},
				TokenEndpointAuthMethod: "none",
				GrantTypes:              []string{"authorization_code", "refresh_token"},
				Scope:                   "notes:read notes:write",
			},
		},
		AuthorizationCodeFetcher: fetchCode,
		// At first the client asks for less than the server offers.
		ScopeFilter: firstOnly(),
	})
	if err != nil {
		return err
	}
	ctx := context.Background()
	transport := &mcp.StreamableClientTransport{Endpoint: os.Getenv("MCP_URL"), OAuthHandler: handler}
	client := mcp.NewClient(&mcp.Implementation{Name: "notebook", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return err
	}
	say(map[string]string{"connected": session.InitializeResult().ServerInfo.Name})
	for line := nextLine(); line != nil; line = nextLine() {
		if line[0] == "token" {
			source, err := handler.TokenSource(ctx)
			if err != nil {
				return err
			}
			token, err := source.Token()
			if err != nil {
				return err
			}
			say(map[string]string{"token": token.AccessToken, "client_id": clientID})
			continue
		}
		params := &mcp.CallToolParams{Name: line[0], Arguments: map[string]string{"text": "milk"}}
		if line[0] == "list_notes" {
			params.Arguments = map[string]string{}
		}
		result, err := session.CallTool(ctx, params)
		if err != nil {
			say(map[string]string{"error": err.Error()})
			continue
		}
		text, _ := json.Marshal(result.StructuredContent)
		say(map[string]json.RawMessage{"result": text})
	}
	return session.Close()
}

// clientID is the app as which the client has registered.
var clientID string

func fetchCode(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	asked, err := url.Parse(args.URL)
	if err != nil {
		return nil, err
	}
	clientID = asked.Query().Get("client_id")
	say(map[string]string{"authorize": args.URL})
	back, err := url.Parse(nextLine()[0])
	if err != nil {
		return nil, err
	}
	query := back.Query()
	return &auth.AuthorizationResult{Code: query.Get("code"), State: query.Get("state"), Iss: query.Get("iss")}, nil
}

func firstOnly() func([]string) []string {
	isLater := false
	return func(discovered []string) []string {
		if isLater {
			return discovered
		}
		isLater = true
		return []string{"notes:read"}
	}
}
