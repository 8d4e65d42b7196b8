/** Confirmed actions on the document of an app. CD-11…CD-13. */
import type { ConfirmedAction } from "../console/confirmed-actions.endpoint.ts"
import type { Actor } from "../../model/event.rules.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import {
  allowDocument,
  denyDocument,
  pinStoredDocument,
  refreshDocument,
  unpinDocument,
} from "../../oauth/documents/document.ts"
import type { Services } from "../../platform/services/services.ts"
import { type App, findApp } from "../../apps/app.ts"
import { previewAppEnd } from "../../apps/preview.ts"

type DocumentAction = ConfirmedAction<App, "app">

/** Runs an operation on the document of an app and returns the app. */
function thenApp(verb: (services: Services, id: string, from: Actor) => Promise<Result<unknown, Problem>>) {
  return async (services: Services, id: string, from: Actor): Promise<Result<App, Problem>> => {
    const done = await verb(services, id, from)
    return done.ok ? findApp(services, id) : done
  }
}

export const documentActions = {
  "document-refresh": {
    title: "Fetch the document of",
    lead: "The service requests the document from its host now. The copy is replaced if the document is valid.",
    button: "Fetch now",
    isDangerous: false,
    effect: "app.change",
    run: thenApp((services, id) =>
      refreshDocument({ ...services, current: () => services.settings.current() }, id),
    ),
    done: "document-fetched",
  },
  "document-pin": {
    title: "Pin the document of",
    lead: "The copy that is stored stays in use, whatever its host publishes. The document is not fetched until you unpin it.",
    button: "Pin",
    isDangerous: false,
    effect: "app.change",
    run: thenApp((services, id, from) => pinStoredDocument(services, id, from)),
    done: "saved",
  },
  "document-unpin": {
    title: "Unpin the document of",
    lead: "The copy that was pinned serves on, until the app is next connected. Then the document is fetched from its host.",
    button: "Unpin",
    isDangerous: false,
    effect: "app.change",
    run: thenApp((services, id, from) => unpinDocument(services, id, from)),
    done: "saved",
  },
  "document-deny": {
    title: "Deny the document of",
    lead: "The app stops working at once for everyone, and its document is not fetched any more.",
    button: "Deny",
    isDangerous: true,
    effect: "app.disable",
    preview: (services, id) => previewAppEnd(services, id, "disabled", { owner: null }),
    run: thenApp((services, id, from) => denyDocument(services, id, from)),
    done: "disabled",
  },
  "document-allow": {
    title: "Allow the document of",
    lead: "A denied app works again. If the document gave up its key, the app is followed and needs no key from then on.",
    button: "Allow",
    isDangerous: false,
    effect: "app.change-keys",
    run: thenApp((services, id, from) => allowDocument(services, id, from)),
    done: "enabled",
  },
} as const satisfies Readonly<Record<string, DocumentAction>>
