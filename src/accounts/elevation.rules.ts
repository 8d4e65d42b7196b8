/**
 * Says which operations need a recently proven factor: ELEV-1. The API, the console and the account pages look up the
 * effects of each operation here. The command line needs no factor, because it needs the data directory.
 */
import type { Client } from "../model/clients/client.rules.ts"
import { isAdmin } from "../model/permissions/permission.rules.ts"

const NEEDED = true
const NOT_NEEDED = false

const effects = {
  "account.add": NOT_NEEDED,
  "account.rename": NOT_NEEDED,
  "account.enable": NOT_NEEDED,
  "account.disable": NOT_NEEDED,
  "account.remove": NEEDED,
  "account.grant-administration": NEEDED,
  "account.withdraw-administration": NEEDED,
  "account.set-password": NEEDED,
  "account.unlock": NEEDED,
  "account.set-email": NEEDED,
  "account.invite": NEEDED,
  "invitation.list": NEEDED,
  "invitation.revoke": NEEDED,
  /** Adds, names or removes a group, or changes who is in it. */
  "group.change": NEEDED,
  "browser.sign-out": NOT_NEEDED,
  "factor.add": NEEDED,
  "factor.rename": NOT_NEEDED,
  "factor.remove": NEEDED,
  "factor.make-recovery-codes": NEEDED,

  "identity.link": NEEDED,
  "identity.unlink": NEEDED,

  "credential.revoke-itself": NOT_NEEDED,
  "credential.revoke": NEEDED,

  /** Lets an app ask for consent again. */
  "consent.end-remembered": NOT_NEEDED,
  /** Lets an organization connect an app again. Like a consent. */
  "organization.allow": NOT_NEEDED,

  /** Registering a confidential app also creates its first secret. */
  "app.register": NOT_NEEDED,
  /** Changes the name, the redirect URIs, step-up or the permissions, or withdraws a power that is listed below. */
  "app.change": NOT_NEEDED,
  "app.change-icon": NOT_NEEDED,
  "app.enable": NOT_NEEDED,
  "app.disable": NOT_NEEDED,
  "app.remove": NEEDED,
  "app.make-secret": NEEDED,
  /** Replaces the keys or the secret of a registered app. */
  "app.change-keys": NEEDED,
  "app.change-owner": NEEDED,
  "app.verify": NEEDED,
  "app.mark-resource-server": NEEDED,
  "app.allow-administration": NEEDED,
  "app.bind-service-account": NEEDED,
  "app.change-groups": NEEDED,
  /** Its access is then allowed again without a question. */
  "app.remember-consent": NEEDED,

  "setting.change": NEEDED,

  /** Asks a sign-in provider for its metadata and keys, and changes nothing. */
  "provider.check": NOT_NEEDED,
} as const

export type Effect = keyof typeof effects

const POWERS = [
  "app.change-owner",
  "app.verify",
  "app.mark-resource-server",
  "app.allow-administration",
  "app.bind-service-account",
  "app.change-groups",
  "app.remember-consent",
] as const

/** The possible effects of each API operation that changes data or needs a recent factor, by operation id. */
export const apiOperations = {
  updateAccount: ["account.rename"],
  endSession: ["browser.sign-out"],
  removeFactor: ["factor.remove"],
  revokeCredential: ["credential.revoke-itself", "credential.revoke"],
  registerApp: ["app.register"],
  updateApp: ["app.change", "app.enable", "app.disable", "app.change-keys"],
  removeApp: ["app.remove"],
  rotateSecret: ["app.make-secret"],
  setIcon: ["app.change-icon"],
  removeIcon: ["app.change-icon"],

  adminAddAccount: ["account.add", "account.grant-administration"],
  adminUpdateAccount: [
    "account.rename",
    "account.enable",
    "account.disable",
    "account.grant-administration",
    "account.withdraw-administration",
  ],
  adminRemoveAccount: ["account.remove"],
  adminSetPassword: ["account.set-password"],
  adminResetFactors: ["factor.remove"],
  adminListInvitations: ["invitation.list"],
  adminInvite: ["account.invite"],
  adminRevokeInvitation: ["invitation.revoke"],
  adminAddGroup: ["group.change"],
  adminUpdateGroup: ["group.change"],
  adminRemoveGroup: ["group.change"],
  adminJoinGroup: ["group.change"],
  adminLeaveGroup: ["group.change"],
  adminRegisterApp: ["app.register", ...POWERS],
  adminUpdateApp: ["app.change", "app.enable", "app.disable", "app.change-keys", ...POWERS],
  adminRemoveApp: ["app.remove"],
  adminRotateSecret: ["app.make-secret"],
  adminSetIcon: ["app.change-icon"],
  adminRemoveIcon: ["app.change-icon"],
  adminRefreshDocument: ["app.change"],
  adminPinDocument: ["app.change-keys"],
  adminUnpinDocument: ["app.change"],
  adminDenyDocument: ["app.disable"],
  adminAllowDocument: ["app.change-keys"],
  adminRevokeCredential: ["credential.revoke-itself", "credential.revoke"],
  adminSetSetting: ["setting.change"],
  adminUnsetSetting: ["setting.change"],
  adminUpdateAppearance: ["setting.change"],
  adminSetLogo: ["setting.change"],
  adminRemoveLogo: ["setting.change"],
  adminSetDarkLogo: ["setting.change"],
  adminRemoveDarkLogo: ["setting.change"],
} as const satisfies Readonly<Record<string, readonly Effect[]>>

/** The possible effects of each form of account pages and console, by path. */
export const pageForms = {
  "/account/end-access": ["credential.revoke"],
  "/account/ask-again": ["consent.end-remembered"],
  "/account/allow-again": ["organization.allow"],
  "/account/apps/new": ["app.register"],
  "/account/apps/edit": ["app.change", "app.change-keys"],
  "/account/apps/secret": ["app.make-secret"],
  "/account/apps/disable": ["app.disable"],
  "/account/apps/enable": ["app.enable"],
  "/account/apps/remove": ["app.remove"],
  "/account/apps/icon": ["app.change-icon"],
  "/account/apps/icon/remove": ["app.change-icon"],
  "/account/email": ["account.set-email"],
  /** This form proves a factor and changes nothing. */
  "/account/prove": [],
  "/account/prove/with": [],
  "/account/security/browsers": ["browser.sign-out"],
  "/account/security/rename": ["factor.rename"],
  "/account/security/remove": ["factor.remove"],
  "/account/security/totp": ["factor.add"],
  "/account/security/passkey": ["factor.add"],
  "/account/security/recovery": ["factor.make-recovery-codes"],
  "/account/security/connect": ["identity.link"],
  "/account/security/disconnect": ["identity.unlink"],
  "/account/security/password": ["account.set-password"],

  "/console/account/new": ["account.add", "account.grant-administration"],
  "/console/account/rename": ["account.rename"],
  "/console/account/password": ["account.set-password"],
  "/console/account/act": [
    "account.enable",
    "account.disable",
    "account.remove",
    "account.grant-administration",
    "account.withdraw-administration",
    "account.unlock",
    "factor.remove",
  ],
  "/console/invitation/new": ["account.invite"],
  "/console/invitation/revoke": ["invitation.revoke"],
  "/console/account/groups": ["group.change"],
  "/console/group": ["group.change"],
  "/console/group/new": ["group.change"],
  "/console/group/remove": ["group.change"],
  "/console/app/new": ["app.register", ...POWERS],
  "/console/app/edit": ["app.change", "app.change-keys", ...POWERS],
  "/console/app/icon": ["app.change-icon"],
  "/console/app/act": [
    "app.change",
    "app.change-keys",
    "app.enable",
    "app.disable",
    "app.remove",
    "app.make-secret",
  ],
  "/console/credential/revoke": ["credential.revoke"],
  "/console/setting": ["setting.change"],
  "/console/appearance": ["setting.change"],
  "/console/appearance/logo": ["setting.change"],
  "/console/providers": ["provider.check"],
} as const satisfies Readonly<Record<string, readonly Effect[]>>

export type ApiOperation = keyof typeof apiOperations
export type ApiEffect<O extends ApiOperation> = (typeof apiOperations)[O][number]
export type FormPath = keyof typeof pageForms
export type FormEffect<P extends FormPath> = (typeof pageForms)[P][number]

export function needsRecentFactor(requested: readonly Effect[]): boolean {
  return requested.some((effect) => effects[effect])
}

/** Members that only administrators set. Some give the app power. Undefined members stay unchanged. */
export type AppTrust = {
  readonly verified?: boolean | undefined
  readonly resourceServer?: boolean | undefined
  readonly rememberConsent?: boolean | undefined
  readonly permissions?: readonly string[] | undefined
  readonly groups?: readonly string[] | undefined
  /** The name of the owner. Null removes the owner. */
  readonly owner?: string | null | undefined
  /** Null removes the binding to this service account. The same name again renews an ended binding. */
  readonly serviceAccount?: string | null | undefined
}

/** Returns the powers that `trust` adds to an app. `before` is null for a new app. */
export function powersGiven(
  before: { readonly client: Client; readonly owner: { readonly username: string } | null } | null,
  trust: AppTrust,
): readonly (typeof POWERS)[number][] {
  const {
    verified,
    resourceServer,
    rememberConsent,
    permissions = [],
    groups,
    owner,
    serviceAccount = null,
  } = trust
  const ceiling: readonly string[] = before?.client.ceiling ?? []
  const given: readonly (readonly [(typeof POWERS)[number], boolean])[] = [
    ["app.change-owner", owner !== undefined && owner !== (before?.owner?.username ?? null)],
    ["app.verify", verified === true && before?.client.verified !== true],
    ["app.mark-resource-server", resourceServer === true && before?.client.resourceServer !== true],
    ["app.allow-administration", permissions.some((name) => isAdmin(name) && !ceiling.includes(name))],
    ["app.bind-service-account", serviceAccount !== null],
    ["app.change-groups", groups !== undefined && !isSameSet(groups, before?.client.groups ?? [])],
    ["app.remember-consent", rememberConsent === true && before?.client.rememberConsent !== true],
  ]
  return given.flatMap(([power, isGiven]) => (isGiven ? [power] : []))
}

function isSameSet(names: readonly string[], others: readonly string[]): boolean {
  return new Set(names).size === others.length && others.every((name) => names.includes(name))
}
