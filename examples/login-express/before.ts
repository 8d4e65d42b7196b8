/** A product with users, sessions and a sign-in of its own: see README.md. */
import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto"
import express, { type Request } from "express"
import session from "express-session"
import { page, signInForm } from "./pages.ts"

declare module "express-session" {
  interface SessionData {
    userId: string
    /** When the password was last typed, in seconds since 1970. */
    signedInAt: number
  }
}

type User = {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly isEmailConfirmed: boolean
  name: string
  readonly password: Buffer
}

const port = Number(process.env["PORT"] ?? 8797)
const salt = randomBytes(16)
const hash = (password: string) => scryptSync(password, salt, 32)
// A real product has a database.
const users = new Map<string, User>()
for (const [id, name] of Object.entries({ 4711: "Ada", 4712: "Ben" })) {
  const username = name.toLowerCase()
  const [email, password] = [`${username}@notebook.example`, hash(`password of ${username}`)]
  users.set(id, { id, username, email, isEmailConfirmed: true, name, password })
}

const app = express()
app.use(express.urlencoded({ extended: false }))
app.use(
  session({
    name: "notebook",
    secret: randomBytes(32).toString("hex"),
    resave: false,
    saveUninitialized: false,
    cookie: { sameSite: "lax" },
  }),
)

app.get("/", (request, response) => {
  const user = userOf(request)
  if (user === undefined) return response.redirect("/login")
  response.send(page(`Hello, ${user.name}`, { name: user.name }))
})

app.get("/login", (request, response) => {
  response.send(signInForm(localPath(request.query["next"])))
})

app.post("/login", (request, response) => {
  const { email, password, next } = request.body as Readonly<Record<string, string>>
  const user = [...users.values()].find((one) => one.email === email)
  if (user === undefined || !timingSafeEqual(user.password, hash(password ?? "")))
    return void response.status(401).send(signInForm(localPath(next), "E-mail address or password is wrong."))
  request.session.regenerate(() => {
    request.session.userId = user.id
    request.session.signedInAt = Date.now() / 1000
    response.redirect(303, localPath(next))
  })
})

app.post("/logout", (request, response) => {
  request.session.destroy(() => response.redirect(303, "/login"))
})

app.post("/name", (request, response) => {
  const user = userOf(request)
  const { name } = request.body as Readonly<Record<string, string>>
  if (user !== undefined && name !== undefined && name !== "") user.name = name
  response.redirect(303, "/")
})

app.post("/close", (request, response) => {
  users.delete(request.session.userId ?? "")
  request.session.destroy(() => response.redirect(303, "/login"))
})

function userOf(request: Request): User | undefined {
  return users.get(request.session.userId ?? "")
}

/** Returns a path of this product. Everything else could send people to other sites. */
function localPath(next: unknown): string {
  const isLocal = typeof next === "string" && /^\/(?!\/)[^\\\p{Cc}]*$/u.test(next) && !next.includes("..")
  return isLocal ? next : "/"
}

app.listen(port, "127.0.0.1", () => console.log(`Notebook at http://localhost:${port}/`))
