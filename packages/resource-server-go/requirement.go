package latchkey

import (
	"fmt"
	"slices"
)

// Requirement is what a route needs: permissions, elevation and audience.
type Requirement struct {
	permissions []string
	elevation   bool
	audience    bool
}

// RequirePermission requires that the token has all these permissions. It panics if a text is not the name of a permission,
// as a route with it could not be challenged.
func RequirePermission(names ...string) Requirement {
	for _, name := range names {
		if !isScopeToken(name) {
			panic(fmt.Sprintf("latchkey: %q is not the name of a permission", name))
		}
	}
	return Requirement{permissions: slices.Clone(names)}
}

// RequireElevation requires a recent confirmation with a second factor (RFC 9470).
func RequireElevation() Requirement { return Requirement{elevation: true} }

// RequireAudience refuses a token that names no resource (RFC 8707 §2), also where Options.RequireAudience is off.
func RequireAudience() Requirement { return Requirement{audience: true} }

// isScopeToken checks the syntax of RFC 6749 §3.3. The scope of a challenge may contain nothing else.
func isScopeToken(name string) bool {
	for i := range len(name) {
		if c := name[i]; c < 0x21 || c > 0x7e || c == '"' || c == '\\' {
			return false
		}
	}
	return name != ""
}

// combine makes one requirement of several. Each permission is named once.
func combine(requirements []Requirement) Requirement {
	if len(requirements) == 1 {
		return requirements[0]
	}
	var combined Requirement
	for _, one := range requirements {
		combined.elevation = combined.elevation || one.elevation
		combined.audience = combined.audience || one.audience
		for _, name := range one.permissions {
			if !slices.Contains(combined.permissions, name) {
				combined.permissions = append(combined.permissions, name)
			}
		}
	}
	return combined
}
