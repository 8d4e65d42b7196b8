package main

import (
	"context"
	"net/http"
	"sync"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
	latchkeymcp "github.com/latchkey/latchkey/packages/resource-server-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// notesServer has two tools. It keeps no sessions. Each request has an access token, which is checked.
//
//	list_notes   notes:read
//	add_note     notes:write
func notesServer(api *latchkey.Server) http.Handler {
	kept := &notes{of: make(map[string][]string)}
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "list_notes", Description: "Lists your notes"}, kept.list)
	mcp.AddTool(server, &mcp.Tool{Name: "add_note", Description: "Adds a note"}, kept.add)
	tools := latchkeymcp.Tools{
		"list_notes": latchkey.RequirePermission("notes:read"),
		"add_note":   latchkey.RequirePermission("notes:write"),
	}
	return latchkeymcp.Handler(api, server, tools, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

// notes are those of each account.
type notes struct {
	mutex sync.Mutex
	of    map[string][]string
}

type nothing struct{}

type newNote struct {
	Text string `json:"text" jsonschema:"the text of the note"`
}

type ownNotes struct {
	Username string   `json:"username"`
	Notes    []string `json:"notes"`
}

func (n *notes) list(_ context.Context, request *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, ownNotes, error) {
	return nil, n.change(request, func(own []string) []string { return own }), nil
}

func (n *notes) add(_ context.Context, request *mcp.CallToolRequest, note newNote) (*mcp.CallToolResult, ownNotes, error) {
	return nil, n.change(request, func(own []string) []string { return append(own, note.Text) }), nil
}

// change replaces the notes of the caller and returns a copy of them.
func (n *notes) change(request *mcp.CallToolRequest, act func([]string) []string) ownNotes {
	access, _ := latchkeymcp.FromTokenInfo(request.Extra.TokenInfo)
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.of[access.AccountID] = act(n.of[access.AccountID])
	return ownNotes{Username: access.Username, Notes: append([]string{}, n.of[access.AccountID]...)}
}
