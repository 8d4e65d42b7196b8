/** The operations of a history with all their arguments, and their text form. */

import type { Algorithm } from "./resources.ts"
import type { AccessName } from "./world.ts"

/** How an app authenticates. */
export type Caller = {
  /** Null means that the app sends no name. */
  readonly app: string | null
  readonly secret: "none" | "body" | "basic"
  /** The number of the secret. 0 is a secret that the app never had. */
  readonly nth: number
}

export type Decision = "authorize" | "refuse" | "none" | "both"

export type AccountDeed = "disable" | "enable" | "remove" | "administrator" | "ordinary"
export type AppDeed =
  | "disable"
  | "enable"
  | "remove"
  | "ceiling"
  | "secret"
  | "allow step-up"
  | "forbid step-up"
  | "remember"
  | "ask always"
  | "all addresses"
  | "fewer addresses"
  | "get an owner"
  | "lose its owner"

/** The presented token, by its name in the model. It is unchanged, or one letter is altered. */
export type Presented = AccessName & { readonly isAltered: boolean }

/** The parameters that only count in a request of OpenID Connect. */
export type OpenidParameters = {
  readonly nonce: string | null
  readonly prompt: string | null
  readonly maxAge: string | null
  /** Whose id_token is the hint. */
  readonly hint: IdTokenOf | "nonsense" | null
}

export type IdTokenOf = { readonly app: string; readonly account: string }

export type Operation =
  | { readonly do: "sign in"; readonly account: string; readonly session: string }
  | {
      readonly do: "authorize"
      readonly account: string
      readonly app: string
      readonly scope: string | null
      readonly redirectUri: string
      readonly form: string
      readonly openid: OpenidParameters
      readonly resources: readonly string[]
      /** How a browser only looks ahead. */
      readonly ahead: "HEAD" | "prefetch" | null
    }
  /** The account page: the app asks again. */
  | { readonly do: "ask again"; readonly account: string; readonly app: string }
  | {
      readonly do: "answer"
      readonly form: string
      readonly decision: Decision
      /** The step of the one-time password, for a step-up. */
      readonly step: number
      /** The name of the second page, if one follows. */
      readonly next: string
    }
  | {
      readonly do: "exchange"
      readonly caller: Caller
      readonly credential: string
      readonly isAltered: boolean
      readonly verifier: "right" | "wrong" | "missing"
      readonly isRedirectRight: boolean
      readonly resources: readonly string[]
    }
  | {
      readonly do: "refresh"
      readonly caller: Caller
      readonly credential: string
      readonly generation: number
      readonly isAltered: boolean
      readonly scope: string | null
      readonly resources: readonly string[]
    }
  | ({ readonly do: "revoke"; readonly caller: Caller; readonly credential: string } & Presented)
  | ({ readonly do: "introspect"; readonly credential: string } & Presented)
  | ({
      readonly do: "call"
      readonly what: "credential" | "account" | "userinfo" | "end"
      readonly credential: string
      readonly target: string
    } & Presented)
  | {
      readonly do: "ask for a device"
      readonly caller: Caller
      readonly scope: string | null
      readonly resources: readonly string[]
      readonly device: string
    }
  | { readonly do: "open a code"; readonly account: string; readonly device: string; readonly form: string }
  | {
      readonly do: "poll"
      readonly caller: Caller
      readonly device: string
      readonly isAltered: boolean
      readonly resources: readonly string[]
    }
  | ({ readonly do: "step up"; readonly credential: string; readonly device: string } & Presented)
  | { readonly do: "change account"; readonly account: string; readonly deed: AccountDeed }
  | {
      readonly do: "change app"
      readonly app: string
      readonly deed: AppDeed
      readonly ceiling: readonly string[]
    }
  /** The groups that the account is in, or that the app is for. Sorted. */
  | {
      readonly do: "change groups"
      readonly of: "account" | "app"
      readonly name: string
      readonly groups: readonly string[]
    }
  /** The rest of a call whose token has been checked. `isOwn` says whether the token is of the credential that ends. */
  | { readonly do: "end"; readonly account: string; readonly target: string; readonly isOwn: boolean }
  /** The rest of an answer that is allowed, and of one whose factor was proven. */
  | { readonly do: "prove a step-up"; readonly form: string; readonly step: number }
  | { readonly do: "decide a step-up"; readonly form: string }
  /** The rest of an opened code, which counts as wrong until it has been checked. */
  | {
      readonly do: "look at a code"
      readonly account: string
      readonly device: string
      readonly form: string
    }
  /** The rest of both: the page of a step-up, or the reason against it. `form` is the name of a new page. */
  | {
      readonly do: "show a step-up"
      readonly device: string
      readonly form: string | null
      readonly status: number
    }
  /** With `isNow`, the new key signs at once and the others are withdrawn. Otherwise it signs after a day. */
  | { readonly do: "rotate a key"; readonly algorithm: Algorithm; readonly isNow: boolean }
  | { readonly do: "wait"; readonly seconds: number }
  | { readonly do: "restart" }

function callerInWords({ app, secret, nth }: Caller): string {
  if (app === null) return "an unnamed client"
  const what = nth === 0 ? "a wrong secret" : `secret ${nth}`
  return secret === "none" ? app : `${app}, ${what} ${secret === "basic" ? "by Basic" : "in the body"},`
}

function openidInWords({ nonce, prompt, maxAge, hint }: OpenidParameters): string {
  const whose =
    hint === null || hint === "nonsense" ? hint : `the id_token of ${hint.account} for ${hint.app}`
  const all = Object.entries({ nonce, prompt, max_age: maxAge, id_token_hint: whose })
  return all.map(([name, value]) => (value === null ? "" : `, ${name} ${value}`)).join("")
}

const resourcesInWords = (resources: readonly string[]) => resources.map((one) => ` for ${one}`).join("")
const scopeInWords = (scope: string | null) => (scope === null ? "" : ` with scope "${scope}"`)
const whole = (token: string, isAltered: boolean) => (isAltered ? `${token}, altered` : token)

export function inWords(one: Operation): string {
  switch (one.do) {
    case "sign in":
      return `${one.account} signs in (${one.session})`
    case "authorize":
      return `${one.account} opens ${one.form}: ${one.app} asks for access${scopeInWords(one.scope)}, back to ${one.redirectUri}${resourcesInWords(one.resources)}${openidInWords(one.openid)}${one.ahead === null ? "" : `, by ${one.ahead}`}`
    case "ask again":
      return `${one.account} says that ${one.app} asks again`
    case "answer":
      return `${one.form} is sent with the decision ${one.decision}`
    case "exchange": {
      const wrong = [
        one.verifier !== "right" && `a ${one.verifier} verifier`,
        !one.isRedirectRight && "another address",
      ]
      const rest = wrong.filter((what) => what !== false).map((what) => `, ${what}`)
      return `${callerInWords(one.caller)} exchanges ${whole(`the code of ${one.credential}`, one.isAltered)}${rest.join("")}${resourcesInWords(one.resources)}`
    }
    case "refresh":
      return `${callerInWords(one.caller)} refreshes ${one.credential} with ${whole(`refresh token ${one.generation}`, one.isAltered)}${scopeInWords(one.scope)}${resourcesInWords(one.resources)}`
    case "revoke":
      return `${callerInWords(one.caller)} revokes ${whole(one.token, one.isAltered)}`
    case "introspect":
      return `the resource server asks about ${whole(one.token, one.isAltered)}`
    case "call": {
      const deeds = {
        credential: "looks at itself",
        account: "reads the account",
        userinfo: "asks who the person is",
        end: `ends ${one.target}`,
      }
      return `the API: ${whole(one.token, one.isAltered)} ${deeds[one.what]}`
    }
    case "ask for a device":
      return `${callerInWords(one.caller)} asks for ${one.device}${scopeInWords(one.scope)}${resourcesInWords(one.resources)}`
    case "open a code":
      return `${one.account} opens ${one.form}: the code of ${one.device}`
    case "poll":
      return `${callerInWords(one.caller)} polls ${whole(one.device, one.isAltered)}${resourcesInWords(one.resources)}`
    case "step up":
      return `${whole(one.token, one.isAltered)} asks for the step-up ${one.device}`
    case "change account":
      return `${one.account}: ${one.deed}`
    case "change app":
      return one.deed === "ceiling"
        ? `${one.app}: ceiling ${one.ceiling.join(" ")}`
        : `${one.app}: ${one.deed}`
    case "change groups":
      return `${one.name} is ${one.of === "app" ? "for" : "in"} the groups [${one.groups.join(" ")}]`
    case "end":
      return `${one.target} is ended by its account`
    case "prove a step-up":
      return `a factor is proven for ${one.form}`
    case "decide a step-up":
      return `${one.form} is decided`
    case "look at a code":
      return `the code of ${one.device} is looked at for ${one.form}`
    case "show a step-up":
      return `the page of ${one.device} is drawn`
    case "rotate a key":
      return `a key of ${one.algorithm} is rotated${one.isNow ? ", and signs now" : ""}`
    case "wait":
      return one.seconds < 0 ? `the clock is set back ${-one.seconds} s` : `${one.seconds} s pass`
    case "restart":
      return "the service is restarted"
  }
}
