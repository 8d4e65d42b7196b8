/**
 * Checks the codes that come without a page: each needs an earlier click of the same account at the same app, on a page
 * that said so, with the same origin, and nothing that ended it since. OIDC-16, OIDC-17.
 */
import type { Seen } from "./expected.ts"
import { REMEMBERED_SECONDS } from "./limits.ts"
import type { Operation } from "./operation.ts"

type Asked = Extract<Operation, { readonly do: "authorize" }>
type Click = { readonly asked: Asked; readonly drawn: string; readonly at: number }

export class RememberedWatch {
  #now = 0
  readonly #pages = new Map<string, { readonly asked: Asked; readonly drawn: string }>()
  #clicks: readonly Click[] = []
  /** The clicks that a credential may be of, by its name. */
  readonly #of = new Map<string, readonly Click[]>()
  /** The last change of each kind. */
  readonly #last = new Map<string, string>()

  /** Returns the texts of the pages that may have allowed the code. Returns null if none did. */
  allowed(one: Asked, seen: Seen): readonly string[] | null {
    if (seen["remembers"] === true) this.#pages.set(one.form, { asked: one, drawn: String(seen["granted"]) })
    if (seen["code"] === undefined) return []
    const prompts = one.openid.prompt?.split(" ") ?? []
    const mustAsk = prompts.includes("consent") || prompts.includes("select_account") || one.ahead !== null
    const isOpenid = one.scope?.split(" ").includes("openid") === true
    const clicks = mustAsk || !isOpenid ? [] : this.#clicks.filter((click) => this.#isLike(click, one))
    this.#of.set(one.form.replace("form", "credential"), clicks)
    return clicks.length === 0 ? null : clicks.map(({ drawn }) => drawn)
  }

  #isLike({ asked, at }: Click, one: Asked): boolean {
    const [before, now] = [asked, one].map(({ redirectUri }) => new URL(redirectUri).origin)
    const named = asked.resources.map(resourceKey)
    return (
      asked.account === one.account &&
      asked.app === one.app &&
      before === now &&
      before?.startsWith("https:") === true &&
      (named.length === 0) === (one.resources.length === 0) &&
      one.resources.every((resource) => named.includes(resourceKey(resource))) &&
      this.#now - at <= REMEMBERED_SECONDS
    )
  }

  note(one: Operation, seen: Seen): void {
    if (one.do === "wait") this.#now += one.seconds
    else if (one.do === "answer") this.#click(one.form, seen)
    else if (one.do === "ask again" && String(seen["to"]).includes("done="))
      this.#end(({ asked }) => asked.account === one.account && asked.app === one.app)
    else if (one.do === "call" && seen["status"] === 204 && one.credential !== one.target)
      this.#endOf(one.target)
    else if (one.do === "change account" && one.deed === "remove")
      this.#end(({ asked }) => asked.account === one.account)
    else if (one.do === "change app" && seen["status"] === 200 && this.#ends(one.app, one.deed))
      this.#end(({ asked }) => asked.app === one.app)
  }

  #click(form: string, seen: Seen): void {
    const page = this.#pages.get(form)
    if (page === undefined || seen["code"] === undefined) return
    const click = { ...page, at: this.#now }
    this.#clicks = [...this.#clicks, click]
    this.#of.set(form.replace("form", "credential"), [click])
  }

  #ends(app: string, deed: string): boolean {
    if (deed === "ask always" || deed === "remove") return true
    const [, kind] = /(address|owner)/.exec(deed) ?? []
    if (kind === undefined) return false
    const before =
      this.#last.get(`${app} ${kind}`) ?? { address: "all addresses", owner: "lose its owner" }[kind]
    this.#last.set(`${app} ${kind}`, deed)
    return deed !== before
  }

  #end(isEnded: (click: Click) => boolean): void {
    this.#clicks = this.#clicks.filter((click) => !isEnded(click))
  }

  /** A credential that may be of several clicks ends one of them, but it is not known which. */
  #endOf(credential: string): void {
    const [click, ...more] = this.#of.get(credential) ?? []
    if (more.length === 0) this.#end((one) => one === click)
  }
}

const resourceKey = (resource: string) => (URL.canParse(resource) ? new URL(resource).href : resource)
