/** Chooses a sign-in at an app that may remember a consent: usually the same again, and sometimes something else. */
import { pick, pickLate, type Step } from "../../test/support/history.ts"
import { A_SECOND, signedIn } from "./entering.ts"
import type { Operation } from "./operation.ts"
import { REDIRECT_URIS } from "./redirect-uris.ts"
import { FILES, MAIL } from "./resources.ts"
import { accountOf, type Remembered, type World } from "./world.ts"

type Asked = Extract<Operation, { readonly do: "authorize" }>
type Changed = Partial<Pick<Asked, "scope" | "redirectUri" | "resources" | "ahead">> & {
  readonly prompt?: string
  readonly maxAge?: string
}

const [SAME = "", LOOPBACK = "", SAME_ORIGIN = "", OTHER_ORIGIN = ""] = REDIRECT_URIS

/** What a request has that the click did not have, or what a browser does in another way. */
const CHANGES: readonly ((scope: string) => Changed)[] = [
  ...Array.from({ length: 8 }, () => () => ({})),
  () => ({ prompt: "none" }),
  () => ({ prompt: "none" }),
  () => ({ prompt: "none", maxAge: "60" }),
  () => ({ prompt: "consent" }),
  () => ({ prompt: "select_account" }),
  (scope) => ({ scope: `${scope} account:read` }),
  (scope) => ({ scope: `${scope} files:write`, prompt: "none" }),
  (scope) => ({ scope: `${scope} admin:apps` }),
  (scope) => ({ scope: `${scope} notes:read` }),
  () => ({ scope: "openid" }),
  () => ({ scope: "profile account:read" }),
  () => ({ redirectUri: LOOPBACK }),
  () => ({ redirectUri: SAME_ORIGIN }),
  () => ({ redirectUri: OTHER_ORIGIN }),
  () => ({ resources: [FILES] }),
  () => ({ resources: [MAIL] }),
  () => ({ resources: [FILES, MAIL] }),
  () => ({ ahead: "HEAD" }),
  () => ({ ahead: "prefetch" }),
  () => ({ ahead: "HEAD", prompt: "none" }),
]

export function comeBack(world: World, { of, which, how }: Step, name: string): readonly Operation[] {
  const remembered = which % 12 === 0 ? undefined : pickLate(world.remembered, of)
  const known = remembered ?? firstTime(world, of, which)
  if (known === null) return []
  const account = accountOf(world, known.account)
  const enter = signedIn(account, world.now)
  if (account.session === null && enter.length === 0) return []
  const { app, redirectUri, resources } = known
  const scope = known.scope.join(" ")
  const { prompt = null, maxAge = null, ...changed } = pick(CHANGES, how)?.(scope) ?? {}
  const openid = { nonce: `nonce ${name}`, prompt, maxAge, hint: null }
  const same = { account: account.name, app, redirectUri, resources, scope, ahead: null }
  return [...enter, A_SECOND, { do: "authorize", ...same, ...changed, openid, form: `form ${name}` }]
}

type Known = Pick<Remembered, "account" | "app" | "redirectUri" | "scope" | "resources">

/** A sign-in that will be remembered. */
function firstTime(world: World, of: number, which: number): Known | null {
  const apps = [...world.apps.values()].filter(
    ({ remembers, state, ceiling }) => remembers && state === "enabled" && ceiling.includes("openid"),
  )
  const [account, app] = [pick([...world.accounts.values()], of), pick(apps, which)]
  if (account === undefined || app === undefined) return null
  const scope = which % 3 === 0 ? app.ceiling.filter((one) => !one.startsWith("admin:")) : ["openid"]
  return { account: account.name, app: app.name, redirectUri: SAME, scope, resources: [] }
}
