/**
 * The rules for actions of administrators. Each change applies to the next request. docs/interface.md, "Accounts";
 * PERM-6, PERM-7, CLIENT-9.
 */
import { revoke } from "./credential-life.ts"
import type { Operation } from "./operation.ts"
import { both, closed } from "./permissions.ts"
import { named, type Expected } from "./expected.ts"
import { REDIRECT_URIS } from "./redirect-uris.ts"
import { endRemembered } from "./remembered-rules.ts"
import { accountOf, type App, appOf, secretName, type World } from "./world.ts"

type Of<K extends Operation["do"]> = Extract<Operation, { readonly do: K }>

const DONE: Expected = { status: 200 }
const THERE_IS_NONE: Expected = { status: 404 }
const CONFLICT: Expected = { status: 409 }

export function changeAccount(world: World, { account: name, deed }: Of<"change account">): Expected {
  const account = accountOf(world, name)
  if (account.state === "removed") return THERE_IS_NONE
  switch (deed) {
    case "administrator":
    case "ordinary":
      account.isAdmin = deed === "administrator"
      return DONE
    case "enable":
      account.state = "enabled"
      return DONE
    case "disable":
    case "remove":
      account.state = deed === "disable" ? "disabled" : "removed"
      if (account.session !== null) account.session.isOver = true
      for (const form of world.forms.values()) if (form.account === name) form.session.isOver = true
      // Approvals of the account are denied permanently if no device has fetched their tokens.
      for (const device of world.devices.values())
        if (device.state === "approved" && device.answeredBy === name) {
          device.state = "denied"
          device.answeredBy = null
        }
      if (deed === "remove") {
        revokeAll(world, (one) => one.account === name)
        endRemembered(world, (one) => one.account === name)
      }
      return DONE
  }
}

export function changeApp(world: World, { app: name, deed, ceiling }: Of<"change app">): Expected {
  const app = appOf(world, name)
  if (app.state === "removed") return THERE_IS_NONE
  switch (deed) {
    case "disable":
    case "enable":
      app.state = deed === "disable" ? "disabled" : "enabled"
      return DONE
    case "remove":
      app.state = "removed"
      revokeAll(world, (one) => one.app === name)
      endRemembered(world, (one) => one.app === name)
      return DONE
    case "ceiling":
      if (isRemovalInVain(app.ceiling, ceiling)) return CONFLICT
      app.ceiling = ceiling
      return DONE
    case "allow step-up":
    case "forbid step-up":
      app.mayStepUp = deed === "allow step-up"
      return DONE
    case "remember":
    case "ask always":
      app.remembers = deed === "remember"
      if (!app.remembers) endRemembered(world, (one) => one.app === name)
      return DONE
    case "all addresses":
    case "fewer addresses":
      return changed(world, app, { redirects: REDIRECT_URIS.length - (deed === "fewer addresses" ? 1 : 0) })
    case "get an owner":
    case "lose its owner":
      return changed(world, app, { isOwned: deed === "get an owner" })
    case "secret":
      app.secrets++
      return { status: 200, secret: named(secretName(name, app.secrets)) }
  }
}

/** Other redirect URIs and another owner end what the app remembers. OIDC-17. */
function changed(world: World, app: App, to: Partial<Pick<App, "redirects" | "isOwned">>): Expected {
  const { redirects, isOwned } = { ...app, ...to }
  if (redirects !== app.redirects || isOwned !== app.isOwned)
    endRemembered(world, (one) => one.app === app.name)
  Object.assign(app, to)
  return DONE
}

export function changeGroups(world: World, { of, name, groups }: Of<"change groups">): Expected {
  const one = of === "account" ? accountOf(world, name) : appOf(world, name)
  if (one.state === "removed") return THERE_IS_NONE
  one.groups = groups
  return DONE
}

/** Whether the new ceiling still implies a permission that the change removes. CLIENT-9. */
function isRemovalInVain(before: readonly string[], after: readonly string[]): boolean {
  return both(closed(after), before).some((name) => !after.includes(name))
}

type Owned = { readonly account: string; readonly app: string }

function revokeAll(world: World, isOne: (credential: Owned) => boolean): void {
  for (const credential of world.credentials.values()) if (isOne(credential)) revoke(credential)
}
