/**
 * The switches of an app, one row each. Codec, forms, flags, API, audit trail and registrations loop over these rows.
 * Pages have the texts `switch.FLAG` of the languages.
 */

type Row<Member extends string, Name extends string, Flag extends string> = {
  readonly member: Member
  /** The name of the column, of the member in JSON, and of the field in a form. */
  readonly name: Name
  readonly flag: Flag
  /** An owner's request keeps the switches of administrators as they are. */
  readonly setBy: "owner" | "administrator"
  readonly byDefault: boolean
  /** Whether the form of a registered public app leaves it out. */
  readonly confidentialOnly?: boolean
  /** Whether JSON records have the member while the switch has its default. */
  readonly isAlwaysRecorded: boolean
  /** The help of the flag, which takes `on` or `off`. */
  readonly summary: string
  /** The help of the flag in `app add`, if it has no value there. */
  readonly addSummary?: string
  /** The descriptions in the OpenAPI document: of requests, and of records. */
  readonly request: string
  readonly record: string
}

const rows = [
  {
    member: "verified",
    name: "verified",
    flag: "verified",
    setBy: "administrator",
    byDefault: false,
    isAlwaysRecorded: true,
    summary: "mark the app as verified, or not",
    addSummary: "mark the app as verified, so that its icon is shown",
    request: "Whether it is verified. Verified apps show their icon.",
    record: "Whether it is verified. Verified apps show their icon.",
  },
  {
    member: "stepUp",
    name: "step_up",
    flag: "step-up",
    setBy: "owner",
    byDefault: false,
    isAlwaysRecorded: true,
    summary: "let the app ask for a step-up, or not",
    addSummary: "let the app ask for a step-up",
    request: "Whether it may ask for a step-up.",
    record: "Whether it may ask for a step-up.",
  },
  {
    member: "resourceServer",
    name: "resource_server",
    flag: "resource-server",
    setBy: "administrator",
    byDefault: false,
    confidentialOnly: true,
    isAlwaysRecorded: true,
    summary: "let the app introspect tokens, or not (confidential only)",
    addSummary: "let the app introspect tokens (confidential only)",
    request: "Whether it may introspect tokens. Only for confidential apps.",
    record: "Whether it may introspect tokens.",
  },
  {
    // The session is the one in which the account holder consented.
    member: "endsWithSession",
    name: "ends_with_session",
    flag: "ends-with-session",
    setBy: "administrator",
    byDefault: false,
    isAlwaysRecorded: false,
    summary: "end its access with the sign-in session in which it was allowed, or not",
    request: "Whether its access ends with the sign-in session of the consent.",
    record: "Present if its access ends with the sign-in session of the consent.",
  },
  {
    member: "deviceFlow",
    name: "device_flow",
    flag: "device-flow",
    setBy: "administrator",
    byDefault: true,
    isAlwaysRecorded: false,
    summary: "let the app use the device flow, or not",
    request: "Whether it may use the device flow.",
    record: "`false` if it may not use the device flow; otherwise absent.",
  },
  {
    member: "rememberConsent",
    name: "remember_consent",
    flag: "remember-consent",
    setBy: "administrator",
    byDefault: false,
    isAlwaysRecorded: false,
    summary: "ask a person once for the same access to the app, or each time",
    request:
      "Whether a person is asked once for the same access, and not each time. Not for apps that registered themselves or have a document.",
    record: "Present if a person is asked once for the same access.",
  },
] as const satisfies readonly Row<string, string, string>[]

/** The rows as types: `{ [R in SwitchRow as R["flag"]]: … }` has a member for each flag. */
export type SwitchRow = (typeof rows)[number]
export type AppSwitch = SwitchRow["member"]

type AppSwitchRow = Row<AppSwitch, SwitchRow["name"], SwitchRow["flag"]>

/** The rows in the order of columns, flags, JSON members and the audit trail. */
export const appSwitches: readonly AppSwitchRow[] = rows

export type Switches = { readonly [S in AppSwitch]: boolean }

/** Switches that are left out stay unchanged, or have their default in a new app. */
export type SwitchUpdate = { readonly [S in AppSwitch]?: boolean | undefined }

export function switchesFrom<V extends boolean | undefined>(
  valueOf: (row: AppSwitchRow, place: number) => V,
) {
  return Object.fromEntries(appSwitches.map((row, place) => [row.member, valueOf(row, place)])) as {
    readonly [S in AppSwitch]: V
  }
}

export const defaultSwitches: Switches = switchesFrom(({ byDefault }) => byDefault)

export function switchesAfter(before: Switches, update: SwitchUpdate): Switches {
  return switchesFrom(({ member }) => update[member] ?? before[member])
}

/** Returns the switches that an owner may set. The others are undefined. */
export function ownersSwitches(update: SwitchUpdate): SwitchUpdate {
  return switchesFrom(({ member, setBy }) => (setBy === "owner" ? update[member] : undefined))
}

type Recorded = Extract<SwitchRow, { isAlwaysRecorded: true }>
type SometimesRecorded = Exclude<SwitchRow, Recorded>

/** The switches as members of a JSON record. */
export type RecordedSwitches = { readonly [R in Recorded as R["name"]]: boolean } & {
  readonly [R in SometimesRecorded as R["name"]]?: boolean
}

export function recordedSwitches(switches: Switches): RecordedSwitches {
  const members = appSwitches.flatMap(({ member, name, byDefault, isAlwaysRecorded }) =>
    isAlwaysRecorded || switches[member] !== byDefault ? [[name, switches[member]] as const] : [],
  )
  return Object.fromEntries(members) as RecordedSwitches
}
