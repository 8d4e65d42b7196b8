package latchkey

import (
	"bytes"
	"encoding/json"
	"net/http"
)

// metadataMethods are the methods that the document answers.
const metadataMethods = "GET, HEAD, OPTIONS"

// newMetadataHandler serves the document. It is public, and any origin may read it (RFC 9728 §3).
func newMetadataHandler(metadata Metadata) (http.Handler, error) {
	var document bytes.Buffer
	encoder := json.NewEncoder(&document)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(metadata); err != nil {
		return nil, err
	}
	body := bytes.TrimSuffix(document.Bytes(), []byte("\n"))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", "*")
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			header.Set("Content-Type", "application/json")
			header.Set("Cache-Control", "max-age=300")
			w.WriteHeader(http.StatusOK)
			if r.Method == http.MethodGet {
				_, _ = w.Write(body)
			}
		case http.MethodOptions:
			header.Set("Access-Control-Allow-Methods", metadataMethods)
			header.Set("Access-Control-Allow-Headers", "authorization, content-type, mcp-protocol-version")
			header.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
		default:
			header.Set("Allow", metadataMethods)
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	}), nil
}
