/**
 * Checks promises that must hold for every history, independent of the model's rules. It only uses what was drawn and
 * answered. A code and a device code work once. A code without a page needs a click that is remembered. No scope is wider
 * than its page showed. What was revoked never becomes active again. No event and no log line contains a token.
 */
import type { Answered } from "./order.ts"
import type { Operation } from "./operation.ts"
import type { Stage } from "./stage.ts"
import type { Bound, Seen } from "./expected.ts"
import { RememberedWatch } from "./watch-remembered.ts"
import { idName } from "./world.ts"

const SECRET = /^lk[arcds]_/
/** The position after prefix and id. The rest of a token is secret. */
const OPENS_FROM = 30
const OPENS = 24

export class Watch {
  readonly #stage: Stage
  /** For each form, the text that its page listed. */
  readonly #drawn = new Map<string, string>()
  /** For each credential, the text that the page of its consent listed. One without a page may be of several. */
  readonly #consented = new Map<string, readonly string[]>()
  /** What approved codes and device grants, by the name of the credential or the grant. */
  readonly #approved = new Map<string, readonly string[]>()
  readonly #remembered = new RememberedWatch()
  readonly #deviceOf = new Map<string, string>()
  readonly #redeemed = new Set<string>()
  readonly #over = new Set<string>()

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** Returns which promise the responses to concurrent operations break, in any order. Returns null if none. */
  see(answered: readonly Answered[], bound: Bound): string | null {
    for (const { one, seen } of answered) {
      this.#drawing(one, seen)
      const broken = this.#silent(one, seen)
      if (broken !== null) return broken
    }
    for (const { one, seen } of answered) {
      const broken = this.#redeeming(one, seen) ?? this.#reaching(seen, bound) ?? this.#reviving(seen, bound)
      if (broken !== null) return broken
    }
    for (const { one, seen } of answered) {
      this.#ending(one, seen, bound)
      this.#remembered.note(one, seen)
    }
    return null
  }

  #silent(one: Operation, seen: Seen): string | null {
    if (one.do !== "authorize") return null
    const allowed = this.#remembered.allowed(one, seen)
    if (allowed === null) return `${one.form} brought a code without a page`
    if (seen["code"] !== undefined) this.#approved.set(one.form.replace("form", "credential"), allowed)
    return null
  }

  #drawing(one: Operation, seen: Seen): void {
    if ((one.do === "authorize" || one.do === "open a code") && seen["page"] === "consent") {
      this.#drawn.set(one.form, String(seen["granted"]))
      if (one.do === "open a code") this.#deviceOf.set(one.form, one.device)
    }
    if (one.do !== "answer") return
    const drawn = this.#drawn.get(one.form) ?? ""
    const device = this.#deviceOf.get(one.form)
    if (seen["page"] === "confirmation" && device !== undefined) {
      this.#drawn.set(one.next, drawn)
      this.#deviceOf.set(one.next, device)
    }
    if (seen["page"] === "approved" && device !== undefined) this.#approved.set(device, [drawn])
    if (seen["code"] !== undefined) this.#approved.set(one.form.replace("form", "credential"), [drawn])
  }

  #redeeming(one: Operation, seen: Seen): string | null {
    if (one.do !== "exchange" && one.do !== "poll") return null
    if (seen["status"] !== 200) return null
    const what = one.do === "exchange" ? one.credential : one.device
    if (this.#redeemed.has(what)) return `${what} was redeemed twice`
    this.#redeemed.add(what)
    const id = seen["token_id"]
    const drawn = this.#approved.get(what)
    if (id === undefined) return null
    if (drawn === undefined) return `${what} brought tokens without an authorization`
    this.#consented.set(String(id), drawn)
    return null
  }

  #reaching(seen: Seen, bound: Bound): string | null {
    const [id, scope] = [seen["token_id"], seen["reach"] ?? seen["scope"]]
    if (id === undefined || typeof scope !== "string") return null
    const drawn = this.#consented.get(String(id))
    if (drawn === undefined) return `${String(bound.names.get(String(id)))} came from no page`
    const isWithin = (page: string) =>
      scope.split(" ").every((name) => name === "" || page.split(" ").includes(name))
    return drawn.some(isWithin) ? null : `${scope} is wider than the page, which showed ${drawn.join(" or ")}`
  }

  #reviving(seen: Seen, bound: Bound): string | null {
    const id = seen["token_id"]
    const isOver = id !== undefined && this.#over.has(String(id))
    return isOver ? `${String(bound.names.get(String(id)))} was revoked before` : null
  }

  #ending(one: Operation, seen: Seen, bound: Bound): void {
    if (seen["status"] !== 204 || one.do !== "call") return
    const text = bound.texts.get(idName(one.target))
    if (text !== undefined) this.#over.add(text)
  }

  /** Runs the checks at the end of a history. */
  async end(bound: Bound): Promise<string | null> {
    const { testServer, logged } = this.#stage
    const events = await testServer.database.rows("SELECT * FROM event ORDER BY id DESC LIMIT 500")
    const written = JSON.stringify(events) + logged.splice(0).join("")
    for (const [text, name] of bound.names) {
      if (!SECRET.test(text)) continue
      const opening = text.startsWith("lks_")
        ? text.slice(4, 4 + OPENS)
        : text.slice(OPENS_FROM, OPENS_FROM + OPENS)
      if (written.includes(opening)) return `${name} stands in an event or in the log`
    }
    return null
  }
}
