/** Shared code of app pages for owners and administrators: paths and frame. */
import type { Html, Insertable } from "../../kernel/html.ts"
import type { PageInput } from "../../platform/ui/layout.ts"

/** The paths below the base path. All except `list` and `new` take `?id=`. */
export type AppPaths = {
  readonly list: string
  readonly new: string
  readonly app: string
  readonly edit: string
  readonly icon: string
  readonly removeIcon: string
  /** The path of the page that confirms an action, with the form fields that identify the action. */
  readonly act: (action: AppAction) => {
    readonly path: string
    readonly fields: Readonly<Record<string, string>>
  }
}

export type AppAction = "disable" | "enable" | "remove" | "secret" | "allow-step-up" | "withdraw-step-up"

export const ownerPaths = {
  list: "/account/apps",
  new: "/account/apps/new",
  app: "/account/apps/app",
  edit: "/account/apps/edit",
  icon: "/account/apps/icon",
  removeIcon: "/account/apps/icon/remove",
  act: (action) => ({ path: `/account/apps/${action}`, fields: {} }),
} as const satisfies AppPaths

export const administratorPaths = {
  list: "/console/apps",
  new: "/console/app/new",
  app: "/console/app",
  edit: "/console/app/edit",
  icon: "/console/app/icon",
  removeIcon: "/console/app/icon",
  act: (action) => ({ path: "/console/app/act", fields: { do: action } }),
} as const satisfies AppPaths

export type FramedPage = {
  readonly title: string
  /** The heading of the page. `beside` is a button or link beside the heading. */
  readonly heading: Insertable
  readonly beside?: Html
  /** The parent page. The list of apps has no parent. */
  readonly up?: { readonly path: string; readonly label: string }
  readonly main: Html
  /** Whether the page is as narrow as a form. */
  readonly isNarrow?: boolean
}

export type AppPageInput = PageInput & {
  readonly csrf: string
  readonly paths: AppPaths
  readonly isAdministrators: boolean
  /** Renders the whole document. */
  readonly frame: (page: FramedPage) => string
}

export function pathOf(path: string, clientId: string): string {
  return `${path}?id=${encodeURIComponent(clientId)}`
}
