// A product with users, sessions and a sign-in of its own: see README.md.
package main

import (
	"cmp"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/latchkey/latchkey/examples/login-go/pages"
	latchkey "github.com/latchkey/latchkey/packages/resource-server-go"
)

type user struct {
	id, username, name, email string
	isEmailConfirmed          bool
	password                  []byte
}

type session struct {
	userID string
	// signedInAt is when the password was last typed.
	signedInAt time.Time
}

// product has no database, unlike a real one.
type product struct {
	mutex    sync.Mutex
	users    map[string]*user
	sessions map[string]session
}

const cookieName = "notebook"

var salt = rand.Text()

func main() {
	port := cmp.Or(os.Getenv("PORT"), "8799")
	p := &product{users: map[string]*user{}, sessions: map[string]session{}}
	for id, name := range map[string]string{"4711": "Ada", "4712": "Ben"} {
		username := strings.ToLower(name)
		p.users[id] = &user{id, username, name, username + "@notebook.example", true, hashed("password of " + username)}
	}
	http.HandleFunc("GET /{$}", p.home)
	http.HandleFunc("GET /login", p.loginForm)
	http.HandleFunc("POST /login", p.login)
	http.HandleFunc("POST /logout", p.logout)
	http.HandleFunc("POST /name", p.rename)
	http.HandleFunc("POST /close", p.close)
	http.HandleFunc("GET /connect", p.connect)
	fmt.Printf("Notebook at http://localhost:%s/\n", port)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}

func (p *product) connect(w http.ResponseWriter, r *http.Request) {
	found, authTime := p.signedIn(r)
	if found == nil || latchkey.NeedsNewSignIn(r.URL.Query(), authTime) {
		http.Redirect(w, r, "/login?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
		return
	}
	secret, _ := os.ReadFile(cmp.Or(os.Getenv("LATCHKEY_SECRET_FILE"), "notebook.secret"))
	issuer := cmp.Or(os.Getenv("LATCHKEY_ISSUER"), "http://localhost:8787")
	person := latchkey.SignInPerson{Sub: found.id, Username: found.username, Name: found.name, Email: found.email, EmailVerified: found.isEmailConfirmed, AuthTime: authTime}
	address, err := latchkey.SignInURL(r.URL.Query(), person, latchkey.SignIn{Issuer: issuer, Provider: "notebook", Secret: string(secret)})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	http.Redirect(w, r, address, http.StatusSeeOther)
}

func hashed(password string) []byte {
	key, err := pbkdf2.Key(sha256.New, password, []byte(salt), 100_000, 32)
	if err != nil {
		log.Fatal(err)
	}
	return key
}

func (p *product) home(w http.ResponseWriter, r *http.Request) {
	found, _ := p.signedIn(r)
	if found == nil {
		http.Redirect(w, r, "/login", http.StatusSeeOther)
		return
	}
	pages.Home(w, found.name)
}

func (p *product) loginForm(w http.ResponseWriter, r *http.Request) {
	pages.SignInForm(w, localPath(r.FormValue("next")), "")
}

func (p *product) login(w http.ResponseWriter, r *http.Request) {
	found := p.byEmail(r.FormValue("email"))
	if found == nil || subtle.ConstantTimeCompare(found.password, hashed(r.FormValue("password"))) == 0 {
		pages.SignInForm(w, localPath(r.FormValue("next")), "E-mail address or password is wrong.")
		return
	}
	id := rand.Text()
	p.mutex.Lock()
	p.sessions[id] = session{found.id, time.Now()}
	p.mutex.Unlock()
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, localPath(r.FormValue("next")), http.StatusSeeOther)
}

func (p *product) logout(w http.ResponseWriter, r *http.Request) {
	p.mutex.Lock()
	delete(p.sessions, sessionID(r))
	p.mutex.Unlock()
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

func (p *product) rename(w http.ResponseWriter, r *http.Request) {
	if found, _ := p.signedIn(r); found != nil && r.FormValue("name") != "" {
		p.mutex.Lock()
		renamed := *found
		renamed.name = r.FormValue("name")
		p.users[found.id] = &renamed
		p.mutex.Unlock()
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (p *product) close(w http.ResponseWriter, r *http.Request) {
	if found, _ := p.signedIn(r); found != nil {
		p.mutex.Lock()
		delete(p.users, found.id)
		p.mutex.Unlock()
	}
	p.logout(w, r)
}

func (p *product) signedIn(r *http.Request) (*user, time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	found := p.sessions[sessionID(r)]
	return p.users[found.userID], found.signedInAt
}

func (p *product) byEmail(email string) *user {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, one := range p.users {
		if one.email == email {
			return one
		}
	}
	return nil
}

func sessionID(r *http.Request) string {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// localPath returns a path of this product. Everything else could send people to other sites: http.Redirect removes
// "..", and browsers read a backslash as a slash.
func localPath(next string) string {
	isHarmful := func(one rune) bool { return one == '\\' || unicode.IsControl(one) }
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.Contains(next, "..") || strings.ContainsFunc(next, isHarmful) {
		return "/"
	}
	return next
}
