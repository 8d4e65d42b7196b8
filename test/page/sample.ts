/** Plain input for every page. Tests spread it and change what they are about. */
import type { AccountInput } from "../../src/page/account.ts"
import type { ConsentInput } from "../../src/page/consent.ts"
import type { PermissionView } from "../../src/page/permission-list.ts"
import type { SetupInput } from "../../src/page/setup.ts"
import type { SignInInput } from "../../src/page/sign-in.ts"

/** Breaks out of text, of attributes in either quote, of comments and of the style sheet, where anything lets it. */
export const HOSTILE = `"'\`></title></style></bdi>--><script>alert(1)</script><img src=x onerror=alert(2) style=a>&lt;`

export function permission(name: string, more: Partial<PermissionView> = {}): PermissionView {
  return {
    name,
    title: `Title of ${name}`,
    description: `Description of ${name}.`,
    group: "Files",
    admin: name.startsWith("admin:"),
    implied: false,
    ...more,
  }
}

export const app = { clientId: "01client", name: "Notebook Sync", verified: false, iconUrl: null } as const

export const consent: ConsentInput = {
  basePath: "",
  app: { ...app, registeredBy: "administrator", ownerName: null },
  username: "ada",
  installationName: "Ada's laptop",
  granted: [permission("files:read", { implied: true }), permission("files:write")],
  refusedToAccount: [],
  asker: { from: "browser", returnsTo: { kind: "web", host: "notebook.example.com" } },
  lastsSeconds: 365 * 86_400,
  continueTo: "sealed-continuation",
  ticket: "sealed-ticket",
  csrf: "csrf-value",
}

export const setup: SetupInput = {
  basePath: "",
  csrf: "csrf-value",
  link: "link-secret",
  username: "",
  problems: [],
  passwordLengthAtLeast: 12,
}

export const signIn: SignInInput = {
  basePath: "",
  csrf: "csrf-value",
  continueTo: null,
  app: null,
  username: "",
  problem: null,
}

export const account: AccountInput = {
  basePath: "",
  username: "ada",
  admin: true,
  csrf: "csrf-value",
  access: [
    {
      tokenId: "01token",
      app,
      installationName: "Ada's laptop",
      permissions: [
        { title: "See your files", admin: false },
        { title: "Change the settings", admin: true },
      ],
      consentedAt: 1_773_300_000,
      refreshedAt: 1_773_300_000 + 3 * 86_400,
      endsAt: 1_773_300_000 + 365 * 86_400,
    },
  ],
}
