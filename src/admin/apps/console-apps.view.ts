/** Renders the console's list of apps, with filters. */
import type { Client } from "../../model/clients/client.rules.ts"
import { type Html, html } from "../../kernel/html.ts"
import { type AppPageInput } from "../../apps/pages/app-page.ts"
import {
  filterField,
  filterForm,
  filterSelect,
  noMatch,
  pager,
  type Paging,
  table,
} from "../../platform/ui/console/list.ts"
import { moment } from "../../platform/ui/console/instant.ts"
import { accountLink, appLink, registrars, tag } from "../../platform/ui/console/words.ts"

export type AppRow = Pick<
  Client,
  | "clientId"
  | "name"
  | "type"
  | "verified"
  | "enabled"
  | "registeredBy"
  | "ownerId"
  | "resourceServer"
  | "issuedAt"
> & {
  /** The value is null for an app without an owner. */
  readonly ownerName: string | null
}

export type AppQuery = {
  readonly name: string
  readonly owner: string
  readonly by: string
  readonly only: string
}

export type AppsInput = AppPageInput & {
  readonly apps: readonly AppRow[]
  readonly filter: AppQuery
  readonly ownerProblem: string | null
  /** Whether an app may describe itself in a document at a URL. */
  readonly hasDocuments: boolean
  readonly paging: Paging
}

const by = [
  { value: "", label: "Any" },
  ...Object.entries(registrars).map(([value, label]) => ({ value, label })),
]

const only = [
  { value: "", label: "All" },
  { value: "verified", label: "Verified" },
  { value: "unverified", label: "Not verified" },
  { value: "disabled", label: "Disabled" },
] as const

export function renderApps(input: AppsInput): string {
  const { basePath, paths, apps, filter, ownerProblem, hasDocuments, paging } = input
  const path = basePath + paths.list
  const isFiltered = Object.values(filter).some((value) => value !== "")
  const main = html`${filterForm(path, isFiltered, [
    filterField({ name: "name", label: "Name contains", value: filter.name, type: "search" }),
    filterField({ name: "owner", label: "Owner", value: filter.owner, problem: ownerProblem }),
    filterSelect("by", "Registered by", filter.by, by),
    filterSelect("only", "Which", filter.only, only),
  ])}
  ${table({
    caption: "Apps",
    rows: apps,
    empty: isFiltered ? noMatch(path, "app") : "No app is registered yet.",
    columns: [
      { label: "Name", look: "first", cell: (app) => appLink(basePath, app) },
      { label: "Status", cell: appStanding },
      { label: "Registered by", cell: ({ registeredBy }) => registrars[registeredBy] },
      { label: "Owner", cell: (app) => ownerOf(basePath, app) },
      { label: "Since", cell: ({ issuedAt }) => moment(issuedAt) },
    ],
  })}
  ${pager(path, filter, paging)}
  ${hasDocuments && html`<p class="note"><a href="${basePath}/console/documents">Documents of apps</a></p>`}`
  const beside = html`<a class="button primary" href="${basePath}${paths.new}">Register an app</a>`
  return input.frame({ title: "Apps", heading: "Apps", beside, main })
}

/** Renders the state of an app as tags. The most important tag comes first. */
export function appStanding({
  type,
  verified,
  enabled,
  resourceServer,
}: Pick<AppRow, "type" | "verified" | "enabled" | "resourceServer">): Html {
  return html`${!enabled && tag("Disabled", "wrong")} ${verified && tag("Verified", "good")}
  ${resourceServer && tag("Resource server")} ${tag(type === "public" ? "Public" : "Confidential")}`
}

function ownerOf(basePath: string, { ownerId, ownerName }: AppRow): Html | null {
  return ownerId === null || ownerName === null
    ? null
    : accountLink(basePath, { userId: ownerId, username: ownerName })
}
