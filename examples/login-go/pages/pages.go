// Package pages has the two pages of the product.
package pages

import (
	"html/template"
	"net/http"
)

const text = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 24rem; margin: 4rem auto; padding: 0 1rem; }
  label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
  input { margin: 0.25rem 0 1rem; padding: 0.5rem; }
  button { margin-top: 0.5rem; padding: 0.6rem; }
</style>
{{with .Name}}<title>Hello, {{.}}</title><h1>Hello, {{.}}</h1>
<form method="post" action="/name"><label>Your name <input name="name" value="{{.}}"></label><button>Save</button></form>
<form method="post" action="/logout"><button>Sign out</button></form>
<form method="post" action="/close"><button>Delete my account</button></form>
{{else}}<title>Sign in to Notebook</title><h1>Sign in to Notebook</h1>
<p role="alert">{{.Problem}}</p>
<form method="post" action="/login"><input type="hidden" name="next" value="{{.Next}}">
<label>E-mail <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button></form>{{end}}</html>`

var parsed = template.Must(template.New("page").Parse(text))

// Home greets a person who is signed in.
func Home(w http.ResponseWriter, name string) {
	show(w, map[string]string{"Name": name})
}

// SignInForm leads to next.
func SignInForm(w http.ResponseWriter, next, problem string) {
	if problem != "" {
		w.WriteHeader(http.StatusUnauthorized)
	}
	show(w, map[string]string{"Next": next, "Problem": problem})
}

func show(w http.ResponseWriter, values map[string]string) {
	_ = parsed.Execute(w, values)
}
