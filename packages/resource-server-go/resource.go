package latchkey

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Metadata is the document about the protected resource (RFC 9728 §2).
type Metadata struct {
	Resource               string   `json:"resource"`
	AuthorizationServers   []string `json:"authorization_servers"`
	BearerMethodsSupported []string `json:"bearer_methods_supported"`
	ScopesSupported        []string `json:"scopes_supported,omitempty"`
	ResourceName           string   `json:"resource_name,omitempty"`
	ResourceDocumentation  string   `json:"resource_documentation,omitempty"`
}

// resource is the API as its clients know it.
type resource struct {
	metadata     Metadata
	metadataURL  string
	metadataPath string
	canonical    string
}

const wellKnown = "/.well-known/oauth-protected-resource"

func newResource(options Options, issuer string) (resource, error) {
	parsed, err := parseAddress(options.Resource, "Resource")
	if err != nil {
		return resource{}, err
	}
	path := parsed.EscapedPath()
	// The well-known part is between the host and the path (RFC 9728 §3.1).
	metadataPath := wellKnown
	if path != "" && path != "/" {
		metadataPath += path
	}
	query := ""
	if parsed.RawQuery != "" {
		query = "?" + parsed.RawQuery
	}
	return resource{
		metadata: Metadata{
			Resource:               options.Resource,
			AuthorizationServers:   []string{issuer},
			BearerMethodsSupported: []string{"header"},
			ScopesSupported:        offered(options.Permissions),
			ResourceName:           options.ResourceName,
			ResourceDocumentation:  options.ResourceDocumentation,
		},
		metadataURL:  originOf(parsed) + metadataPath + query,
		metadataPath: metadataPath,
		canonical:    canonical(options.Resource),
	}, nil
}

// offered returns the permissions for the metadata. Clients request every listed one, so admin permissions are left out.
func offered(permissions []string) []string {
	return slices.DeleteFunc(slices.Clone(permissions), func(name string) bool {
		return strings.HasPrefix(name, "admin:")
	})
}

// isNamedBy reports whether a token with this audience is meant for this API.
func (r *resource) isNamedBy(audience []string) bool {
	return slices.ContainsFunc(audience, func(one string) bool {
		return one == r.metadata.Resource || canonical(one) == r.canonical
	})
}

// canonical returns a URL with its scheme and host in lower case, without the default port, and with / for an empty path.
// Clients may send this form of the resource. It returns an empty text for everything that the resource cannot be.
func canonical(address string) string {
	parsed, err := parseAddress(address, "")
	if err != nil {
		return ""
	}
	path := parsed.EscapedPath()
	if path == "" {
		path = "/"
	}
	if parsed.RawQuery != "" || parsed.ForceQuery {
		path += "?" + parsed.RawQuery
	}
	return originOf(parsed) + path
}

// originOf returns the scheme and the host, with the port unless it is the default.
func originOf(parsed *url.URL) string {
	host := strings.ToLower(parsed.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	port := parsed.Port()
	if port == "" || parsed.Scheme == "https" && port == "443" || parsed.Scheme == "http" && port == "80" {
		return parsed.Scheme + "://" + host
	}
	return parsed.Scheme + "://" + host + ":" + port
}

// parseAddress parses an absolute https URL without a fragment or user. A loopback URL may use http.
func parseAddress(text, option string) (*url.URL, error) {
	parsed, err := url.Parse(text)
	if err != nil || parsed.Hostname() == "" {
		return nil, fmt.Errorf("latchkey: %s: %q is not an absolute address", option, text)
	}
	if parsed.User != nil {
		return nil, fmt.Errorf("latchkey: %s: it contains a user name or password", option)
	}
	if !isASCII(parsed.Host) {
		return nil, fmt.Errorf("latchkey: %s: write the host of %q in its ASCII form (xn--…)", option, text)
	}
	if parsed.Scheme != "https" && (parsed.Scheme != "http" || !isLoopback(parsed.Hostname())) {
		return nil, fmt.Errorf("latchkey: %s: %q is not https", option, text)
	}
	if strings.Contains(text, "#") {
		return nil, fmt.Errorf("latchkey: %s: %q has a fragment", option, text)
	}
	return parsed, nil
}

func isLoopback(host string) bool {
	switch strings.ToLower(host) {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] > 0x7e {
			return false
		}
	}
	return true
}
