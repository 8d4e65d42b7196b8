/**
 * Operations on apps: one set of rows with two doors. Through the owner's, an account manages its own apps. Through the
 * administrator's, every app is managed. SVC-7, SVC-8.
 */
import {
  asOwner,
  findManagedApp,
  type Manager,
  removeApp,
  rotateAppSecret,
  usersOf,
  withOwners,
} from "../../apps/app.ts"
import { removeIcon, setIcon } from "../../apps/icon/icon.ts"
import { anonymizedText } from "../../apps/preview/anonymized-count.rules.ts"
import { appHealth } from "../../apps/statistics/statistics.ts"
import { isClientId } from "../../kernel/identifier.ts"
import type { UserId } from "../../kernel/ids.ts"
import { refused, unknown } from "../../platform/http/api-error.ts"
import {
  choice,
  flag,
  integer,
  optional,
  type Parsed,
  record,
  type Shape,
  text,
} from "../../platform/json/shape.rules.ts"
import { byAdministrator, type Call, success } from "../api/call.ts"
import { userIdShape } from "../api/ids.ts"
import { pictureBody } from "../api/input.ts"
import { type Operation, operation } from "../api/operation.ts"
import { pageOf, pagingBy, readPage } from "../api/paging.ts"
import { DAYS, FINISHED_DAYS, healthQuery, healthRecord, healthShape } from "../statistics/health-record.ts"
import { changeOfAnApp, changeOfKeys, powerForAnApp } from "./app-elevation.ts"
import { appUpdate, newApp, newOwnApp, ownAppUpdate } from "./app-input.ts"
import { appRecord, appShape, appWithSecretShape, changedAppShape, registeredAppShape } from "./app-record.ts"
import { changeApp, registerApp } from "./write-app.ts"
import { rowKeys } from "../../store/list.ts"

const ROUNDED =
  "The number of accounts is rounded down: 1 means fewer than five, then steps of five, from a hundred on two digits."

const everyApp = record(null, {
  name_contains: optional(
    text("A part of the name. ASCII letters match in either case.", "notes", { most: 200 }),
  ),
  owner_id: optional(userIdShape("Only apps of this account.")),
  registered_by: optional(
    choice("Only apps that were registered this way.", ["itself", "user", "administrator", "document"]),
  ),
  ...pagingBy(isClientId),
})
const ownApps: Shape<Parsed<typeof everyApp>> = record(null, pagingBy(isClientId))

/** The rows. `of` gives what differs: its first value is the owner's, and its second the administrator's. */
function rows(isOwners: boolean): readonly Operation[] {
  const of = <const O, const A>(owners: O, administrators: A): O | A => (isOwners ? owners : administrators)
  const app = of("/api/apps/{client_id}", "/api/admin/apps/{client_id}")
  const partOf = <const Part extends string>(part: Part) => `${app}/${part}` as const
  const reads = of(["apps:read"], ["admin:apps"])
  const writes = of(["apps:write"], ["admin:apps"])
  const managerOf = async (call: Pick<Call, "services" | "bearer" | "address">): Promise<Manager> =>
    isOwners
      ? { owner: await asOwner(call.services, call.bearer.account), address: call.address }
      : { owner: null, ...byAdministrator(call) }
  /** Finds the app of a request. An owner does not find the app of another account. */
  const find = async (call: Call<"client_id", unknown, unknown>) => {
    const { services } = call
    const by = await managerOf(call)
    return {
      services,
      by,
      id: call.path.client_id,
      found: await findManagedApp(services, call.path.client_id, by),
    }
  }

  return [
    operation("GET", of("/api/apps", "/api/admin/apps"), of("listApps", "adminListApps"), {
      summary: "List the apps, oldest first",
      needs: reads,
      query: of(ownApps, everyApp),
      answers: pageOf("AppPage", appShape),
      run: async (call) => {
        const { services } = call
        const { name_contains: nameContains, owner_id, registered_by: registeredBy } = call.query
        const ownerId = isOwners ? call.bearer.account.userId : (owner_id as UserId | undefined)
        const { items, next } = await readPage(
          call.query,
          (page) => services.store.clients(page, { nameContains, ownerId, registeredBy }),
          rowKeys.clients,
        )
        return success({ items: (await withOwners(services, items)).map(appRecord), next })
      },
    }),
    operation("POST", of("/api/apps", "/api/admin/apps"), of("registerApp", "adminRegisterApp"), {
      summary: "Register an app",
      ...of(
        { notes: "It is not verified, may not ask for admin permissions, and is not a resource server." },
        { elevationRule: powerForAnApp },
      ),
      needs: writes,
      body: of(newOwnApp, newApp),
      status: 201,
      answers: registeredAppShape,
      refuses: ["CONFLICT"],
      run: async (call) => registerApp(call.services, call.body, await managerOf(call)),
    }),
    operation("GET", app, of("getApp", "adminGetApp"), {
      summary: "Get an app",
      needs: reads,
      answers: appShape,
      refuses: ["NOT_FOUND"],
      run: async (call) => {
        const { found } = await find(call)
        return found.ok ? success(appRecord(found.value)) : unknown("app")
      },
    }),
    operation("PATCH", app, of("updateApp", "adminUpdateApp"), {
      summary: "Change an app, or preview the change with `preview=1`",
      notes: `Members that are left out do not change.${of(` A new name or redirect URI ends the verification of the app. ${ROUNDED}`, "")}`,
      needs: writes,
      elevationRule: of(changeOfKeys, changeOfAnApp),
      query: record(null, {
        preview: optional(flag("Makes no change, and returns what the change would do.")),
      }),
      body: of(ownAppUpdate, appUpdate),
      answers: changedAppShape,
      refuses: ["NOT_FOUND", "CONFLICT"],
      run: async (call) => {
        const { services, by, found } = await find(call)
        return found.ok
          ? changeApp(services, found.value, call.body, by, call.query.preview === true)
          : unknown("app")
      },
    }),
    operation("DELETE", app, of("removeApp", "adminRemoveApp"), {
      summary: "Remove an app and revoke its credentials",
      needs: writes,
      refuses: ["NOT_FOUND"],
      run: async (call) => {
        const removed = await removeApp(call.services, call.path.client_id, await managerOf(call))
        return removed.ok ? success(null) : unknown("app")
      },
    }),
    operation("POST", partOf("secret"), of("rotateSecret", "adminRotateSecret"), {
      summary: "Create a new secret; the old one ends",
      needs: writes,
      answers: appWithSecretShape,
      refuses: ["NOT_FOUND", "CONFLICT"],
      run: async (call) => {
        const { services, by, id, found } = await find(call)
        if (!found.ok) return unknown("app")
        const rotated = await rotateAppSecret(services, id, by)
        return rotated.ok
          ? success({ ...appRecord(rotated.value), client_secret: rotated.value.secret })
          : refused("CONFLICT", rotated.error)
      },
    }),
    operation("PUT", partOf("icon"), of("setIcon", "adminSetIcon"), {
      summary: "Set the icon of an app",
      ...of({ notes: "It is encoded again. With another icon an app is no longer verified." }, {}),
      needs: writes,
      body: pictureBody,
      answers: appShape,
      refuses: ["NOT_FOUND"],
      // The app is found first, because converting the picture is costly.
      run: async (call) => {
        const { services, by, id, found } = await find(call)
        if (!found.ok) return unknown("app")
        const set = await setIcon(services, id, call.body, by)
        return set.ok ? success(appRecord(set.value)) : refused("INVALID_ARGUMENT", `body: ${set.error}`)
      },
    }),
    operation("DELETE", partOf("icon"), of("removeIcon", "adminRemoveIcon"), {
      summary: "Remove the icon of an app",
      needs: writes,
      answers: appShape,
      refuses: ["NOT_FOUND"],
      run: async (call) => {
        const removed = await removeIcon(call.services, call.path.client_id, await managerOf(call))
        return removed.ok ? success(appRecord(removed.value)) : unknown("app")
      },
    }),
    operation("GET", partOf("use"), of("getUse", "adminGetUse"), {
      summary: "Count the users of an app",
      ...of({ notes: ROUNDED }, {}),
      needs: reads,
      answers: record("AppUse", {
        installations: integer("Active credentials.", 12),
        accounts: integer("Accounts of these credentials.", 7),
        is_whole: flag("False if there are more than were counted."),
      }),
      refuses: ["NOT_FOUND"],
      run: async (call) => {
        const { services, found } = await find(call)
        if (!found.ok) return unknown("app")
        const { installations, accounts, isWhole } = await usersOf(services, found.value.client)
        const shown = (count: number) => (isOwners ? anonymizedText(count) : count)
        return success({
          installations: shown(installations),
          accounts: shown(accounts),
          is_whole: isWhole,
        })
      },
    }),
    operation("GET", partOf("health"), of("getHealth", "adminGetHealth"), {
      summary: "Get the health of an app, with advice",
      notes: FINISHED_DAYS,
      needs: reads,
      query: healthQuery,
      answers: healthShape,
      refuses: ["NOT_FOUND"],
      run: async (call) => {
        const { services, found } = await find(call)
        if (!found.ok) return unknown("app")
        const days = call.query.days ?? DAYS
        return success(healthRecord(await appHealth(services, found.value.client.clientId, days, "finished")))
      },
    }),
  ]
}

export const ownAppOperations = rows(true)
export const appOperations = rows(false)
