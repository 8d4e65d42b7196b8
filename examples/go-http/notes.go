package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"

	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
)

const maxNoteLength = 10_000

// notes are those of each account.
type notes struct {
	mutex sync.Mutex
	of    map[string][]string
}

// notesAPI has three routes:
//
//	GET    /notes   notes:read
//	POST   /notes   notes:write; the body is the text of the note
//	DELETE /notes   notes:write, and an elevated credential
func notesAPI(api *latchkey.Server) http.Handler {
	kept := &notes{of: make(map[string][]string)}
	mux := http.NewServeMux()
	read := api.Protect(latchkey.RequirePermission("notes:read"))
	write := api.Protect(latchkey.RequirePermission("notes:write"))
	remove := api.Protect(latchkey.RequirePermission("notes:write"), latchkey.RequireElevation())
	mux.Handle("GET /notes", read(http.HandlerFunc(kept.list)))
	mux.Handle("POST /notes", write(http.HandlerFunc(kept.add)))
	mux.Handle("DELETE /notes", remove(http.HandlerFunc(kept.clear)))
	return api.WithMetadata(mux)
}

func (n *notes) list(w http.ResponseWriter, r *http.Request) {
	access, _ := latchkey.FromContext(r.Context())
	own := n.change(access.AccountID, func(own []string) []string { return own })
	sendJSON(w, http.StatusOK, map[string]any{"username": access.Username, "notes": own})
}

func (n *notes) add(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxNoteLength))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		problem := map[string]any{"code": 413, "status": "INVALID_ARGUMENT", "message": "The note is too long."}
		sendJSON(w, http.StatusRequestEntityTooLarge, map[string]any{"error": problem})
		return
	}
	if err != nil {
		return
	}
	access, _ := latchkey.FromContext(r.Context())
	own := n.change(access.AccountID, func(own []string) []string { return append(own, string(text)) })
	sendJSON(w, http.StatusOK, map[string]any{"notes": own})
}

func (n *notes) clear(w http.ResponseWriter, r *http.Request) {
	access, _ := latchkey.FromContext(r.Context())
	own := n.change(access.AccountID, func([]string) []string { return nil })
	sendJSON(w, http.StatusOK, map[string]any{"notes": own})
}

// change replaces the notes of an account and returns a copy of them.
func (n *notes) change(accountID string, act func([]string) []string) []string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.of[accountID] = act(n.of[accountID])
	return append([]string{}, n.of[accountID]...)
}

func sendJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
