package latchkey

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Options are those of a Server. A member that is zero has its default.
type Options struct {
	// Issuer is the base URL of the service.
	Issuer string
	// ClientID is that of an app that an administrator marked as a resource server.
	ClientID     string
	ClientSecret string
	// Resource is the public URL of the API, such as https://api.example or https://api.example/mcp.
	Resource string
	// Permissions are those for the metadata. Names that begin with admin: are left out.
	Permissions []string
	// ResourceName is the name of the API for people, in the metadata.
	ResourceName          string
	ResourceDocumentation string
	// RequireAudience refuses a token that names no resource. Without it, such a token is accepted wherever it has the
	// permissions.
	RequireAudience bool
	// CacheEntries is the maximum number of answers in memory. The default is 10,000.
	CacheEntries int
	// Timeout limits a question to the service. The default is 5 seconds.
	Timeout time.Duration
	// Concurrency is the maximum number of concurrent questions to the service. The default is 32.
	Concurrency int
	// AskAlways turns the event stream off. Every check then asks the service.
	AskAlways bool
	// OnTrouble is called if there are problems with the service, at most once a second for each kind. It must return soon.
	OnTrouble func(Trouble)
	// HTTPClient replaces the client of the package. Redirects are never followed, and its Timeout does not end the stream.
	HTTPClient *http.Client

	clock clock
}

// Server checks the tokens of one API. All its methods may be called at the same time.
type Server struct {
	resource        resource
	metadataHandler http.Handler
	clock           clock
	memory          *memory
	checks          *checks
	stream          *stream
	usesStream      bool
	requireAudience bool
}

// recheckAfter: if an answer in memory lacks a permission or an elevation and is older than this, the service is asked again
// before the refusal.
const recheckAfter = time.Second

// New returns a Server. It sends nothing before the first check.
func New(options Options) (*Server, error) {
	options = withDefaults(options)
	if err := checkOptions(options); err != nil {
		return nil, err
	}
	service := newService(options)
	resource, err := newResource(options, service.issuer)
	if err != nil {
		return nil, err
	}
	handler, err := newMetadataHandler(resource.metadata)
	if err != nil {
		return nil, err
	}
	memory := newMemory(options.clock, options.CacheEntries)
	return &Server{
		resource:        resource,
		metadataHandler: handler,
		clock:           options.clock,
		memory:          memory,
		checks:          &checks{memory: memory, service: service, running: make(map[tokenKey]*flight), known: newRecent()},
		stream:          newStream(service, memory),
		usesStream:      !options.AskAlways,
		requireAudience: options.RequireAudience,
	}, nil
}

func withDefaults(options Options) Options {
	if options.CacheEntries == 0 {
		options.CacheEntries = 10_000
	}
	if options.Timeout == 0 {
		options.Timeout = 5 * time.Second
	}
	if options.Concurrency == 0 {
		options.Concurrency = 32
	}
	if options.clock == nil {
		options.clock = systemClock{time.Now()}
	}
	return options
}

func checkOptions(options Options) error {
	if _, err := parseAddress(options.Issuer, "Issuer"); err != nil {
		return err
	}
	if options.ClientID == "" || options.ClientSecret == "" {
		return errors.New("latchkey: ClientID and ClientSecret must not be empty")
	}
	for name, value := range map[string]int{"CacheEntries": options.CacheEntries, "Concurrency": options.Concurrency} {
		if value < 1 {
			return fmt.Errorf("latchkey: %s must be a whole number from 1", name)
		}
	}
	if options.Timeout < 0 {
		return errors.New("latchkey: Timeout must be greater than 0")
	}
	return nil
}

func newService(options Options) *service {
	client := http.Client{Transport: defaultTransport(options.Concurrency)}
	if options.HTTPClient != nil {
		client = *options.HTTPClient
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	streamClient := client
	streamClient.Timeout = 0
	return &service{
		// The service publishes its issuer without a trailing slash.
		issuer:        strings.TrimSuffix(options.Issuer, "/"),
		authorization: basicAuthorization(options.ClientID, options.ClientSecret),
		client:        &client,
		streamClient:  &streamClient,
		timeout:       options.Timeout,
		turns:         turns{free: options.Concurrency, maxWaiting: maxWaiting},
		trouble:       newReporter(options.OnTrouble, options.clock),
	}
}

// defaultTransport keeps as many idle connections as there may be concurrent questions.
func defaultTransport(concurrency int) http.RoundTripper {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	transport = transport.Clone()
	transport.MaxIdleConnsPerHost = concurrency
	return transport
}

// Verify checks a request. The refusal is nil if the request meets every requirement.
func (s *Server) Verify(request *http.Request, requirements ...Requirement) (Access, *Refusal) {
	return s.VerifyHeader(request.Context(), request.Header["Authorization"], requirements...)
}

// VerifyHeader is Verify for a request that is not of net/http. authorization has all values of its Authorization header.
func (s *Server) VerifyHeader(ctx context.Context, authorization []string, requirements ...Requirement) (Access, *Refusal) {
	return s.verify(ctx, authorization, combine(requirements))
}

// verify checks in this order: header, form of the token, token, audience, permissions, elevation.
func (s *Server) verify(ctx context.Context, authorization []string, needed Requirement) (Access, *Refusal) {
	if s.usesStream {
		s.stream.start()
	}
	token, kind := presented(authorization)
	switch {
	case kind == presentedMissing:
		return s.refuse(TokenMissing, needed, 0)
	case kind == presentedMalformed:
		return s.refuse(TokenMalformed, needed, 0)
	}
	text := []byte(token)
	if !isAccessTokenForm(text) {
		return s.refuse(TokenInvalid, needed, 0)
	}
	access, reason, err := s.decide(ctx, sha256.Sum256(text), token, needed)
	if err != nil {
		var unavailable unavailableError
		errors.As(err, &unavailable)
		return s.refuse(ServiceUnavailable, needed, unavailable.retryAfter)
	}
	if reason != "" {
		return s.refuse(reason, needed, 0)
	}
	return *access, nil
}

func (s *Server) refuse(reason RefusalReason, needed Requirement, retryAfter time.Duration) (Access, *Refusal) {
	return Access{}, newRefusal(reason, needed.permissions, s.resource.metadataURL, retryAfter)
}

func (s *Server) decide(ctx context.Context, key tokenKey, token string, needed Requirement) (*Access, RefusalReason, error) {
	known, isKept, err := s.checks.answer(ctx, key, token)
	if err != nil {
		return nil, "", err
	}
	reason := s.verdictOn(known.access, needed)
	mayHaveChanged := isKept && (reason == PermissionLacking || reason == ElevationLacking)
	if !mayHaveChanged || s.clock.monotonic()-known.askedAt < recheckAfter {
		return known.access, reason, nil
	}
	fresh, err := s.checks.fresh(ctx, key, token)
	if err != nil {
		return nil, "", err
	}
	return fresh.access, s.verdictOn(fresh.access, needed), nil
}

// verdictOn returns an empty reason if the access meets the requirement.
func (s *Server) verdictOn(access *Access, needed Requirement) RefusalReason {
	if access == nil {
		return TokenInvalid
	}
	// Without the option, a token that names no resource is valid at every resource (RFC 8707 §2).
	if len(access.audience) == 0 {
		if s.requireAudience || needed.audience {
			return AudienceMissing
		}
	} else if !s.resource.isNamedBy(access.audience) {
		return AudienceOther
	}
	for _, name := range needed.permissions {
		if !access.HasPermission(name) {
			return PermissionLacking
		}
	}
	if needed.elevation && !s.clock.now().Before(access.ElevatedUntil) {
		return ElevationLacking
	}
	return ""
}

// Metadata is the document of RFC 9728.
func (s *Server) Metadata() Metadata { return s.resource.metadata }

// MetadataPath is the path at which the document is published.
func (s *Server) MetadataPath() string { return s.resource.metadataPath }

// MetadataURL is the URL of the document. Every challenge contains it.
func (s *Server) MetadataURL() string { return s.resource.metadataURL }

// IsLive reports whether the event stream is connected and answers are kept.
func (s *Server) IsLive() bool { return s.memory.isLive() }

// Close ends the event stream. Every later check asks the service.
func (s *Server) Close() { s.stream.close() }
