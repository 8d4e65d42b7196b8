package latchkeymcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Tools has what each tool needs. A tool that is not in it needs what all others need together.
type Tools map[string]latchkey.Requirement

// all returns the requirements of all tools, always in the same order.
func (t Tools) all() []latchkey.Requirement {
	all := make([]latchkey.Requirement, 0, len(t))
	for _, name := range slices.Sorted(maps.Keys(t)) {
		all = append(all, t[name])
	}
	return all
}

func (t Tools) needs(name string) []latchkey.Requirement {
	if requirement, isDeclared := t[name]; isDeclared {
		return []latchkey.Requirement{requirement}
	}
	return t.all()
}

// Handler serves the server over streamable HTTP. A 401 names the permissions of all tools, so that a client registers for
// them and its user consents once. A 403 names those of the tool. If the service does not answer, it is 503. A token that
// names no resource is refused. A request with the Origin of another site gets 403, so that a web page cannot call a server
// on the user's machine.
func Handler(api *latchkey.Server, server *mcp.Server, tools Tools, options *mcp.StreamableHTTPOptions) http.Handler {
	if options == nil {
		options = &mcp.StreamableHTTPOptions{}
	}
	guard := &guard{api: api, tools: tools, origin: originOf(api.MetadataURL())}
	guard.maxBody = cmp.Or(options.MaxRequestBodyBytes, mcp.DefaultMaxRequestBodyBytes)
	if guard.maxBody < 0 {
		guard.maxBody = math.MaxInt64
	}
	server.AddReceivingMiddleware(guard.receive)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options)
	// The service has said that the token is active. A wrong local clock changes nothing about that.
	checked := &auth.RequireBearerTokenOptions{ClockSkew: math.MaxInt64}
	guard.next = auth.RequireBearerToken(checkedAlready, checked)(handler)
	return guard
}

// checkedAlready returns the access that the guard put into the context. Only the SDK can set its TokenInfo.
func checkedAlready(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
	access, ok := latchkey.FromContext(ctx)
	if !ok {
		return nil, auth.ErrInvalidToken
	}
	return TokenInfo(access), nil
}

type guard struct {
	api     *latchkey.Server
	tools   Tools
	origin  string
	maxBody int64
	next    http.Handler
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if origins := r.Header["Origin"]; len(origins) > 0 && !slices.Equal(origins, []string{g.origin}) {
		http.Error(w, "a page of another site may not call this server", http.StatusForbidden)
		return
	}
	// The caller is identified first. The body is read after that.
	access, refusal := g.identify(r)
	if refusal == nil && r.Method == http.MethodPost {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, g.maxBody))
		if err != nil {
			refuseBody(w, err)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if needed := g.neededBy(body); len(needed) > 0 {
			access, refusal = g.api.Verify(r, append(needed, latchkey.RequireAudience())...)
		}
	}
	if refusal != nil {
		refusal.ServeHTTP(w, r)
		return
	}
	g.next.ServeHTTP(w, r.WithContext(latchkey.NewContext(r.Context(), access)))
}

// identify checks the token alone. A refusal names the permissions of all tools.
func (g *guard) identify(r *http.Request) (latchkey.Access, *latchkey.Refusal) {
	access, refusal := g.api.Verify(r, latchkey.RequireAudience())
	if refusal == nil || refusal.Reason == latchkey.ServiceUnavailable {
		return access, refusal
	}
	return g.api.Verify(r, append(g.tools.all(), latchkey.RequireAudience())...)
}

func refuseBody(w http.ResponseWriter, err error) {
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		http.Error(w, "the body is too long", http.StatusRequestEntityTooLarge)
		return
	}
	http.Error(w, "the body cannot be read", http.StatusBadRequest)
}

// neededBy returns the requirements of a message or a batch. The SDK refuses what is not JSON.
func (g *guard) neededBy(body []byte) (needed []latchkey.Requirement) {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return nil
	}
	messages, isBatch := value.([]any)
	if !isBatch {
		messages = []any{value}
	}
	for _, one := range messages {
		message, _ := one.(map[string]any)
		if message["method"] != callTool {
			continue
		}
		params, _ := message["params"].(map[string]any)
		name, _ := params["name"].(string)
		needed = append(needed, g.tools.needs(name)...)
	}
	return needed
}

const callTool = "tools/call"

// The code of JSON-RPC for errors of a server begins here.
const codeRefused = -32001

// receive checks the name of the tool as the SDK has read it, whatever else the body contains.
func (g *guard) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		if method != callTool {
			return next(ctx, method, request)
		}
		params, ok := request.GetParams().(*mcp.CallToolParamsRaw)
		extra := request.GetExtra()
		if !ok || extra == nil {
			return nil, &jsonrpc.Error{Code: codeRefused, Message: "The request carries no access token."}
		}
		_, refusal := g.api.VerifyHeader(ctx, extra.Header["Authorization"], append(g.tools.needs(params.Name), latchkey.RequireAudience())...)
		if refusal != nil {
			return nil, &jsonrpc.Error{Code: codeRefused, Message: refusal.Message}
		}
		return next(ctx, method, request)
	}
}

// originOf returns the origin in the form that browsers send. The kit has brought the URL of the metadata into it.
func originOf(metadataURL string) string {
	parsed, err := url.Parse(metadataURL)
	if err != nil {
		return ""
	}
	return parsed.Scheme + "://" + parsed.Host
}
