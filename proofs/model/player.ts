/** Sends an operation to the real service, as browsers, apps and administrators do. Returns the response. */
import { createHash } from "node:crypto"
import { removeAccountOfId, updateAccount } from "../../src/accounts/account-by-id.ts"
import { removeApp, rotateAppSecret, setAppEnabled, updateApp } from "../../src/apps/app.ts"
import { decideRotation } from "../../src/oauth/keys/key-turn.rules.ts"
import { makeKey } from "../../src/oauth/keys/make-key.ts"
import { setAppGroups, setGroups } from "../../test/support/groups.ts"
import { altered, alteredJwt } from "./altered.ts"
import { apiAnswer, appAnswer, introspectionAnswer } from "./answers.ts"
import type { Caller, IdTokenOf, OpenidParameters, Operation, Presented } from "./operation.ts"
import { readAccessJwt } from "./access-jwt.ts"
import { readIdToken } from "./id-token.ts"
import { formFields, grantedTitles, pageOf } from "./pages.ts"
import type { Person, Stage } from "./stage.ts"
import { REDIRECT_URIS } from "./redirect-uris.ts"
import { BASE_URL } from "./resources.ts"
import { type Bound, type Seen, textOf } from "./expected.ts"
import type { Reply } from "./wire.ts"
import {
  codeName,
  credentialOf,
  deviceCodeName,
  idName,
  secretName,
  userCodeName,
  type World,
} from "./world.ts"

type Of<K extends Operation["do"]> = Extract<Operation, { readonly do: K }>
type Play = {
  readonly [K in Operation["do"]]: (one: Of<K>, world: World) => Promise<Seen>
}

const STATE = "st/ate +1"
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
const DONE: Seen = { status: 200 }
const FROM_OWN_PAGE = { origin: new URL(BASE_URL).origin, "sec-fetch-site": "same-origin" }
const NO_SUCH = `lks_${"x".repeat(49)}`

type ShownForm = {
  readonly fields: Readonly<Record<string, string>>
  readonly cookie: string
  readonly person: Person
}

export class Player {
  readonly #stage: Stage
  readonly #people: ReadonlyMap<string, Person>
  readonly #cookies = new Map<string, string>()
  readonly #forms = new Map<string, ShownForm>()
  /** The last id_token of each app and account, by their ids. */
  readonly #idTokens = new Map<string, string>()
  /** The JWT access tokens, by what tells them apart. */
  readonly #jwts = new Map<string, string>()

  constructor(stage: Stage, people: ReadonlyMap<string, Person>) {
    this.#stage = stage
    this.#people = people
  }

  play(one: Operation, world: World): Promise<Seen> {
    return (this.#plays[one.do] as (one: Operation, world: World) => Promise<Seen>)(one, world)
  }

  #person(account: string): Person {
    const person = this.#people.get(account)
    if (person === undefined) throw new Error(`no account is called ${account}`)
    return person
  }

  #post(
    path: string,
    form: Readonly<Record<string, string | readonly string[]>>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    return this.#stage.wire.send({ method: "POST", path, form, headers })
  }

  readonly #plays: Play = {
    "sign in": async ({ account, session }) => {
      this.#cookies.set(session, await this.#stage.signIn(this.#person(account)))
      return DONE
    },

    authorize: async (one, world) => {
      const query = new URLSearchParams({
        client_id: textOf(world.bound, idName(one.app)),
        response_type: "code",
        redirect_uri: one.redirectUri,
        state: STATE,
        code_challenge: createHash("sha256").update(verifierOf(one.redirectUri)).digest("base64url"),
        code_challenge_method: "S256",
        ...(one.scope !== null && { scope: one.scope }),
        ...this.#openidParameters(one.openid, world),
      })
      for (const resource of one.resources) query.append("resource", resource)
      return this.#opened(`/oauth/authorize?${query.toString()}`, one, world, one.ahead)
    },

    "ask again": async ({ account, app }, { accounts, bound }) => {
      const cookie = this.#cookies.get(accounts.get(account)?.session?.name ?? "") ?? ""
      const { text } = await this.#stage.wire.send({ method: "GET", path: "/account", headers: { cookie } })
      const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ""
      const form = { csrf, app: textOf(bound, idName(app)) }
      const reply = await this.#post("/account/ask-again", form, { cookie, ...FROM_OWN_PAGE })
      return { status: reply.status, to: reply.headers.location ?? pageOf(reply) }
    },

    "open a code": async (one, world) => {
      const code = encodeURIComponent(textOf(world.bound, userCodeName(one.device)))
      return this.#opened(`/oauth/device?user_code=${code}`, one, world)
    },

    answer: async (one, world) => {
      const form = this.#forms.get(one.form)
      if (form === undefined) throw new Error(`${one.form} was never shown`)
      const decision = {
        authorize: ["authorize"],
        refuse: ["refuse"],
        none: [],
        both: ["authorize", "refuse"],
      }
      const about = world.forms.get(one.form)?.about
      const isStepUp = about?.what === "device" && world.devices.get(about.device)?.stepUp !== null
      const code = isStepUp && { code: this.#stage.otpOf(form.person, one.step) }
      const reply = await this.#stage.wire.send({
        method: "POST",
        path: "/oauth/consent",
        form: { ...form.fields, ...code, decision: decision[one.decision] },
        headers: { cookie: form.cookie, ...FROM_OWN_PAGE },
      })
      const page = this.#pageAnswer(reply)
      if (page["page"] === "confirmation") this.#forms.set(one.next, { ...form, fields: formFields(reply) })
      return page
    },

    exchange: (one, world) => {
      const right = credentialOf(world, one.credential).redirectUri ?? ""
      return this.#token(one, world, {
        grant_type: "authorization_code",
        code: this.#whole({ token: codeName(one.credential), isAltered: one.isAltered }, world.bound),
        ...(one.verifier !== "missing" && {
          code_verifier: verifierOf(one.verifier === "right" ? right : "another"),
        }),
        redirect_uri: one.isRedirectRight ? right : `${right}/`,
      })
    },

    refresh: (one, world) =>
      this.#token(one, world, {
        grant_type: "refresh_token",
        refresh_token: this.#whole(
          { token: `refresh ${one.generation} of ${one.credential}`, isAltered: one.isAltered },
          world.bound,
        ),
        ...(one.scope !== null && { scope: one.scope }),
      }),

    revoke: async (one, { bound }) => {
      const { form, headers } = presented(one.caller, bound)
      const reply = await this.#post("/oauth/revoke", { ...form, token: this.#whole(one, bound) }, headers)
      return appAnswer(reply)
    },

    introspect: async (one, { bound }) => {
      const { clientId, secret } = this.#stage.resourceServer
      const form = { client_id: clientId, client_secret: secret ?? "", token: this.#whole(one, bound) }
      return introspectionAnswer(await this.#post("/oauth/introspect", form), this.#stage.testServer.issuer)
    },

    call: async (one, { bound }) => {
      const headers = { authorization: `Bearer ${this.#whole(one, bound)}` }
      const target = `/api/credentials/${textOf(bound, idName(one.target))}`
      const asked = {
        credential: { method: "GET", path: "/api/credential" },
        account: { method: "GET", path: "/api/account" },
        userinfo: { method: "GET", path: "/oauth/userinfo" },
        end: { method: "DELETE", path: target },
      }[one.what]
      const reply = await this.#stage.wire.send({ ...asked, headers })
      return one.what === "userinfo" ? appAnswer(reply) : apiAnswer(reply)
    },

    "ask for a device": async (one, { bound }) => {
      const { form, headers } = presented(one.caller, bound)
      const scope = one.scope !== null && { scope: one.scope }
      const asked = { ...form, ...scope, resource: one.resources }
      const reply = await this.#post("/oauth/device-authorization", asked, headers)
      return appAnswer(reply, this.#stage.testServer.issuer)
    },

    "step up": async (one, { bound }) => {
      const headers = { authorization: `Bearer ${this.#whole(one, bound)}` }
      return appAnswer(await this.#post("/oauth/step-up", {}, headers), this.#stage.testServer.issuer)
    },

    poll: (one, world) =>
      this.#token(one, world, {
        grant_type: DEVICE_GRANT,
        device_code: this.#whole(
          { token: deviceCodeName(one.device), isAltered: one.isAltered },
          world.bound,
        ),
      }),

    "change account": async ({ account, deed }, { bound }) => {
      const { latchkey: services } = this.#stage.testServer
      const id = textOf(bound, idName(account))
      const change = {
        disable: { enabled: false },
        enable: { enabled: true },
        administrator: { admin: true },
        ordinary: { admin: false },
        remove: null,
      }[deed]
      const outcome =
        change === null
          ? await removeAccountOfId(services, id, { address: null })
          : await updateAccount(services, id, change, { address: null })
      return outcome.ok ? DONE : { status: 404 }
    },

    "change app": async ({ app, deed, ceiling }, { bound }) => {
      const { latchkey: services } = this.#stage.testServer
      const id = textOf(bound, idName(app))
      const from = { address: null, owner: null }
      if (deed === "secret") {
        const made = await rotateAppSecret(services, id, from)
        return made.ok ? { status: 200, secret: made.value.secret } : { status: 404 }
      }
      const outcome = await {
        disable: () => setAppEnabled(services, id, false, from),
        enable: () => setAppEnabled(services, id, true, from),
        remove: () => removeApp(services, id, from),
        ceiling: () => updateApp(services, id, { permissions: ceiling }, from),
        "allow step-up": () => updateApp(services, id, { stepUp: true }, from),
        "forbid step-up": () => updateApp(services, id, { stepUp: false }, from),
        remember: () => updateApp(services, id, { rememberConsent: true }, from),
        "ask always": () => updateApp(services, id, { rememberConsent: false }, from),
        "all addresses": () => updateApp(services, id, { redirectUris: REDIRECT_URIS }, from),
        "fewer addresses": () => updateApp(services, id, { redirectUris: REDIRECT_URIS.slice(0, -1) }, from),
        "get an owner": () => updateApp(services, id, { ownerName: "root" }, from),
        "lose its owner": () => updateApp(services, id, { ownerName: null }, from),
      }[deed]()
      if (outcome.ok) return DONE
      return { status: outcome.error.startsWith("There is no app") ? 404 : 409 }
    },

    "change groups": async ({ of, name, groups }, { bound }) => {
      const { testServer } = this.#stage
      const id = textOf(bound, idName(name))
      const isDone =
        of === "account"
          ? await setGroups(testServer, id, ...groups)
          : await setAppGroups(testServer, { clientId: id }, ...groups)
      return isDone ? DONE : { status: 404 }
    },

    end: impossible,
    "prove a step-up": impossible,
    "decide a step-up": impossible,
    "look at a code": impossible,
    "show a step-up": impossible,

    wait: async ({ seconds }) => {
      const { clock, latchkey: services } = this.#stage.testServer
      clock.advance(seconds)
      // The service itself does this every second.
      await services.rotationKeys.tick()
      return DONE
    },

    "rotate a key": async ({ algorithm, isNow }) => {
      const { store, clock, keys } = this.#stage.testServer.latchkey
      const made = await makeKey(algorithm, keys, clock.now())
      await store.change({ signingKeys: true }, ({ signingKeys }) =>
        decideRotation(signingKeys ?? [], made, isNow, clock.now()),
      )
      return DONE
    },

    restart: async () => {
      await this.#stage.restart()
      return DONE
    },
  }

  #openidParameters({ nonce, prompt, maxAge, hint }: OpenidParameters, { bound }: World) {
    const text = hint === null || hint === "nonsense" ? hint : this.#idTokens.get(ofWhom(hint, bound))
    if (text === undefined) throw new Error(`there is no id_token of ${JSON.stringify(hint)}`)
    const all = { nonce, prompt, max_age: maxAge, id_token_hint: text }
    return Object.fromEntries(Object.entries(all).filter((one): one is [string, string] => one[1] !== null))
  }

  async #token(
    { caller, resources }: { readonly caller: Caller; readonly resources: readonly string[] },
    { bound, eras }: World,
    grant: Readonly<Record<string, string>>,
  ): Promise<Seen> {
    const { form, headers } = presented(caller, bound)
    const asked = { ...form, ...grant, resource: resources }
    const { id_token, ...answer } = appAnswer(await this.#post("/oauth/token", asked, headers))
    const access = String(answer["access_token"])
    const jwt = access.startsWith("eyJ") ? await readAccessJwt(this.#stage, access) : null
    if (jwt !== null) {
      const era = jwt["jwt alg"] === "ES256" ? eras.ES256 : eras.RS256
      this.#jwts.set(jwtKey(String(jwt["jwt jti"]), String(jwt["jwt scope"]), era), access)
    }
    const whole = { ...answer, ...(jwt !== null && { access_token: "a JWT", ...jwt }) }
    if (typeof id_token !== "string") return whole
    const read = await readIdToken(this.#stage, id_token, access)
    this.#idTokens.set(`${String(read["id aud"])} ${String(read["id sub"])}`, id_token)
    return { ...whole, ...read }
  }

  #whole({ token, isAltered, jwt }: Presented, bound: Bound): string {
    if (jwt !== undefined) {
      const text = this.#jwts.get(jwtKey(textOf(bound, jwt.jti), jwt.scope, jwt.era))
      if (text === undefined) throw new Error(`there is no ${token}`)
      return isAltered ? alteredJwt(text, [...this.#jwts.values()]) : text
    }
    const text = textOf(bound, token)
    return isAltered ? altered(text, text.charCodeAt(40) + text.charCodeAt(41) * 7) : text
  }

  async #opened(
    path: string,
    { account, form }: { readonly account: string; readonly form: string },
    world: World,
    ahead: "HEAD" | "prefetch" | null = null,
  ) {
    const session = world.accounts.get(account)?.session
    const cookie = this.#cookies.get(session?.name ?? "")
    if (cookie === undefined) throw new Error(`${account} never signed in`)
    const purpose = ahead === "prefetch" && { "sec-purpose": "prefetch" }
    const method = ahead === "HEAD" ? "HEAD" : "GET"
    const reply = await this.#stage.wire.send({ method, path, headers: { cookie, ...purpose } })
    if (method === "HEAD" && reply.headers.location === undefined) {
      if (reply.text !== "") throw new Error("HEAD has a body")
      return { status: reply.status }
    }
    const page = this.#pageAnswer(reply)
    if (page["page"] === "consent" || page["page"] === "step-up")
      this.#forms.set(form, { fields: formFields(reply), cookie, person: this.#person(account) })
    return page
  }

  #pageAnswer(reply: Reply): Seen {
    const { status, headers } = reply
    if (headers.location !== undefined) return this.#sentBack(status, new URL(headers.location))
    const page = pageOf(reply)
    if (page !== "consent") return { status, page }
    const granted = grantedTitles(reply).map((title) => this.#stage.permissionOf.get(title) ?? `"${title}"`)
    const names = [...this.#stage.permissionOf.values()]
    const sorted = granted.toSorted((one, other) => names.indexOf(one) - names.indexOf(other))
    const remembers = reply.text.includes("this app will not ask you again") && { remembers: true }
    return { status, page, granted: sorted.join(" "), ...remembers }
  }

  #sentBack(status: number, location: URL): Seen {
    const { error_description, state, iss, ...rest } = Object.fromEntries(location.searchParams)
    const isWhole = state === STATE && (error_description === undefined) === (rest["error"] === undefined)
    return {
      status,
      to: location.origin + location.pathname,
      ...rest,
      iss: iss === this.#stage.testServer.issuer && isWhole ? "the issuer" : location.href,
    }
  }
}

/** The second moment of another operation cannot be sent alone. */
const impossible = () => Promise.reject(new Error("this is the second half of another operation"))

/**
 * Returns a verifier that depends on the redirect URI. A code of one URI therefore cannot be exchanged with another.
 */
function verifierOf(redirectUri: string): string {
  return createHash("sha256").update(redirectUri).digest("base64url")
}

function ofWhom({ app, account }: IdTokenOf, bound: Bound): string {
  return `${textOf(bound, idName(app))} ${textOf(bound, idName(account))}`
}

const jwtKey = (jti: string, scope: string, era: number) => `${jti} ${era} ${scope}`

function presented(
  { app, secret, nth }: Caller,
  bound: Bound,
): { readonly form: Record<string, string>; readonly headers: Record<string, string> } {
  if (app === null) return { form: {}, headers: {} }
  const client_id = textOf(bound, idName(app))
  const client_secret = nth === 0 ? NO_SUCH : textOf(bound, secretName(app, nth))
  switch (secret) {
    case "none":
      return { form: { client_id }, headers: {} }
    case "body":
      return { form: { client_id, client_secret }, headers: {} }
    case "basic":
      return { form: {}, headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` } }
  }
}
