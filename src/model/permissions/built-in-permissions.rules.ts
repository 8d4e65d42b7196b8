/** The permissions of the service's own API, with their texts for the consent page. */
import type { PermissionDefinition } from "./permission-catalog.rules.ts"

const ACCOUNT = "Your account"
const CREDENTIALS = "Apps with access"
const APPS = "Your apps"
const ADMINISTRATION = "Administration"

export const builtInPermissions = {
  "account:read": {
    group: ACCOUNT,
    title: "See your account",
    description: "Your user name, when the account was made, and how you sign in.",
  },
  "account:write": {
    group: ACCOUNT,
    title: "Change your account",
    description: "Your user name and the ways you prove who you are.",
    implies: ["account:read"],
  },
  "credentials:read": {
    group: CREDENTIALS,
    title: "See which apps have access",
    description: "Every app you let in, what it may do, and until when.",
  },
  "credentials:write": {
    group: CREDENTIALS,
    title: "Take access away from apps",
    description: "End the access of any app you let in. An app that lost it has to ask you again.",
    implies: ["credentials:read"],
  },
  "apps:read": {
    group: APPS,
    title: "See the apps you registered",
    description: "Their names, return addresses and permissions. Never their secrets.",
  },
  "apps:write": {
    group: APPS,
    title: "Register and change apps",
    description: "Add apps in your name, change or remove them, and make new secrets for them.",
    implies: ["apps:read"],
  },
  "admin:accounts": {
    group: ADMINISTRATION,
    title: "Manage all accounts",
    description: "Add, disable and remove accounts, set passwords, and decide who is an administrator.",
    hub_administration: true,
  },
  "admin:apps": {
    group: ADMINISTRATION,
    title: "Manage all apps",
    description: "Register, change, verify, disable and remove any app of any owner.",
  },
  "admin:credentials": {
    group: ADMINISTRATION,
    title: "Manage the app access of all accounts",
    description: "See which apps have access to any account, and take that access away.",
  },
  "admin:settings": {
    group: ADMINISTRATION,
    title: "Change how this service works",
    description: "The settings of the service, such as limits and lifetimes.",
    hub_administration: true,
  },
  "admin:events": {
    group: ADMINISTRATION,
    title: "Read the record of events",
    description: "Who signed in, what was approved and what was refused, for every account.",
  },
} as const satisfies Record<string, PermissionDefinition>
