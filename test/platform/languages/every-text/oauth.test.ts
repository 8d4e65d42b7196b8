/** Pages of authorizations and error pages have no text outside of the language's file. */
import { renderConsent } from "../../../../src/oauth/authorize/consent.view.ts"
import { renderDevice } from "../../../../src/oauth/device/device.view.ts"
import { renderEndSession } from "../../../../src/oauth/end-session/end-session.view.ts"
import { renderDeviceConfirm } from "../../../../src/oauth/device/device-confirm.view.ts"
import { renderDeviceDone } from "../../../../src/oauth/device/device-done.view.ts"
import { renderStepUp } from "../../../../src/oauth/step-up/step-up.view.ts"
import { type ErrorKind, renderError } from "../../../../src/platform/ui/error.ts"
import { permissionTexts } from "../../../../src/platform/languages/local-text.ts"
import { catalog } from "../../../support/core-sample.ts"
import { samplePage } from "../../../support/page-input.ts"
import { pseudoTexts as texts, testPages } from "../../../support/pseudo-language.ts"
import { app, consent, permission } from "../../ui/sample.ts"

const page = { ...samplePage(), texts }

/** A permission whose texts are the operator's. */
const power = (name: string, implied = false) =>
  permission(name, {
    title: "Ф",
    description: "Ф",
    group: name.startsWith("admin:") ? "Ф" : texts.plain("permissions.other"),
    implied,
  })

const shown = {
  ...consent,
  ...page,
  app: { ...app, name: "Фото", registeredBy: "administrator", ownerName: "ada" },
} as const
const granted = [power("files:read"), power("files:write", true), power("admin:accounts")]
const source = { catalog: catalog(), settings: { latest: { defaultLanguage: "en" } } }
const builtIn = [...catalog().keys()].map((name) => permission(name, permissionTexts(source, texts, name)))
const web = { from: "browser", returnsTo: { kind: "web", host: "a.example" } } as const
const stepUp = {
  ...page,
  app: { ...app, name: "Фото" },
  username: "ada",
  installationName: null,
  reason: null,
  userCode: "BCDF-GHJK",
  address: "203.0.113.9",
  askedSecondsAgo: 0,
  windowSeconds: 600,
  ticket: "ticket",
  csrf: "csrf",
  proof: { accepts: { totp: true, recovery: true, password: true }, passkey: null, problem: null },
  providers: [],
} as const

function* consents() {
  yield { ...shown, granted }
  yield { ...shown, granted, endsWithSession: true, resourceNames: ["Файлы", "Почта"] }
  yield { ...shown, granted: builtIn }
  yield { ...shown, granted: [], installationName: null, refusedToAccount: granted }
  yield { ...shown, granted: [power("files:read")], refusedToAccount: granted, installationName: " " }
  yield { ...shown, granted: [], refusedByGroups: granted }
  yield { ...shown, granted: [power("files:read")], refusedToAccount: granted, refusedByGroups: granted }
  yield { ...shown, granted: [], isForAccount: false }
  for (const registeredBy of ["administrator", "user", "itself", "document"] as const)
    yield { ...shown, granted, app: { ...shown.app, name: "", registeredBy }, username: "" }
  for (const kind of ["web", "loopback", "private"] as const)
    yield { ...shown, granted, origin: { ...web, returnsTo: { kind, host: "a.example" } } }
  for (const changed of [["keys"], ["redirect_uris"], ["keys", "redirect_uris"]] as const)
    yield { ...shown, granted, notice: { isLocal: true, changed } }
  for (const askedSecondsAgo of [1, 400, 9_000])
    yield {
      ...shown,
      granted,
      origin: { from: "device", userCode: "BCDF", address: "::1", askedAt: 1_773_300_000, askedSecondsAgo },
    } as const
  for (const lastsSeconds of [60, 7_200, 200_000]) yield { ...shown, granted, lastsSeconds }
}

const errors: readonly ErrorKind[] = [
  ...(
    [
      "appUnknown",
      "appGone",
      "documentUnavailable",
      "documentNotAllowed",
      "documentChanged",
      "requestMalformed",
      "signOutMalformed",
      "formUnread",
      "consentAnswered",
      "consentAnsweredByAnother",
      "consentStale",
      "formForeign",
      "administrationWithdrawn",
      "groupsWithdrawn",
      "requestChanged",
      "connectionEnded",
      "stepUpWithdrawn",
      "notFound",
      "busy",
      "locked",
      "unavailable",
      "fault",
    ] as const
  ).map((kind) => ({ kind })),
  { kind: "returnAddressUnknown", address: "https://a.example" },
  { kind: "throttled", retryAfterSeconds: 61 },
  { kind: "throttled", retryAfterSeconds: 9_000 },
]

testPages(
  {
    consent: Array.from(consents(), renderConsent).join(""),
    device: [
      renderDevice({ ...page, csrf: "c", username: "ada", typed: "", problem: null }),
      renderDevice({ ...page, csrf: "c", username: "", typed: "", problem: { problem: "none" } }),
      renderDevice({
        ...page,
        csrf: "c",
        username: "ada",
        typed: "",
        problem: { problem: "throttled", retryAfterSeconds: 61 },
      }),
      renderDeviceConfirm({
        ...stepUp,
        appName: "",
        username: "",
        administration: [power("admin:accounts")],
      }),
      ...(["approved", "elevated", "denied"] as const).map((outcome) =>
        renderDeviceDone({ ...page, outcome }),
      ),
    ].join(""),
    "end-session": [null, "", "Фото"]
      .map((appName) => renderEndSession({ ...page, csrf: "c", appName, username: "ada", path: "/x" }))
      .join(""),
    "step-up": [
      renderStepUp(stepUp),
      renderStepUp({ ...stepUp, installationName: "Ф", reason: "Ф", username: "", askedSecondsAgo: 61 }),
      renderStepUp({
        ...stepUp,
        proof: { ...stepUp.proof, accepts: { totp: false, recovery: false, password: false } },
      }),
      renderStepUp({ ...stepUp, providers: [{ name: "work", label: "Ф", icon: null }] }),
    ].join(""),
    errors: errors.map((error) => renderError({ ...page, error, requestId: "01" })).join(""),
  },
  [
    "ada",
    "Ada's laptop",
    "01client",
    "notebook.example.com",
    "a.example",
    "a.example:",
    "https://a.example",
    "BCDF",
    "BCDF-GHJK",
  ],
)
