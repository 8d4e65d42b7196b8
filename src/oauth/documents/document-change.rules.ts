/** Pins, unpins, denies and allows documents, for administrators. Interface CD-11…CD-13. */
import type { Actor } from "../../model/event.rules.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { decideUpdate, type DocumentClient, type FetchedContent } from "../clients/document-update.rules.ts"

type Answer = Decided<Result<DocumentClient, Problem>>

/** Pins a document. `made` is stored if the client is new. */
export function decidePin(
  stored: DocumentClient | null,
  made: DocumentClient,
  fetched: FetchedContent,
  now: number,
  actor: Actor,
): Answer {
  if (stored?.document.isDenied === true) return decided(err(DENIED))
  const { answer, changes } =
    stored === null
      ? { answer: made, changes: [{ change: "clientAdded", client: made.client }] as const }
      : decideUpdate(stored, fetched, now, true)
  if (fetched.content.keys === null && answer.client.keys !== null) return decided(err(GAVE_UP_KEY))
  const document = { ...answer.document, isPinned: true, failure: null }
  // The client of a pinned document does not expire, even without a consent.
  const client = { ...answer.client, deleteAfter: null }
  return decided(
    ok({ client, document }),
    ...changes,
    ...(stored === null ? [] : [{ change: "clientChanged", client } as const]),
    { change: "documentSet", document },
    recorded(stored === null ? "app-registered" : "app-changed", client, now, actor, "document pinned"),
  )
}

/** Pins the stored copy, as `decidePin` pins a file. */
export function decidePinStored(stored: DocumentClient | null, now: number, actor: Actor): Answer {
  if (stored === null) return decided(err(UNKNOWN))
  if (stored.document.isDenied) return decided(err(DENIED))
  if (stored.document.isPinned) return decided(err("The document is pinned already."))
  const client = { ...stored.client, deleteAfter: null }
  const document = { ...stored.document, isPinned: true, failure: null }
  return decided(
    ok({ client, document }),
    { change: "clientChanged", client },
    { change: "documentSet", document },
    recorded("app-changed", client, now, actor, "document pinned"),
  )
}

/** Unpins a document. The next authorization request fetches the document. */
export function decideUnpin(stored: DocumentClient | null, now: number, actor: Actor): Answer {
  if (stored === null) return decided(err(UNKNOWN))
  const { client, document } = stored
  if (!document.isPinned) return decided(err("The document is not pinned."))
  const after = { ...document, isPinned: false, freshUntil: now }
  return decided(
    ok({ client, document: after }),
    { change: "documentSet", document: after },
    recorded("app-changed", client, now, actor, "document unpinned"),
  )
}

/** Denies a document. Also disables its client, because some endpoints read only the client. */
export function decideDeny(
  stored: DocumentClient | null,
  made: DocumentClient,
  now: number,
  actor: Actor,
): Answer {
  const { client, document } = stored ?? {
    client: made.client,
    document: { ...made.document, fetchedAt: null, freshUntil: now },
  }
  const disabled = { ...client, enabled: false, disabledByOwner: false, deleteAfter: null }
  const denied = { ...document, isDenied: true }
  return decided(
    ok({ client: disabled, document: denied }),
    stored === null
      ? { change: "clientAdded", client: disabled }
      : { change: "clientChanged", client: disabled },
    { change: "documentSet", document: denied },
    recorded("app-disabled", disabled, now, actor, "document denied"),
  )
}

/** Ends a denial. If the document is not denied, the next copy of it may have no key. */
export function decideAllow(stored: DocumentClient | null, now: number, actor: Actor): Answer {
  if (stored === null) return decided(err(UNKNOWN))
  const freshUntil = stored.document.isPinned ? stored.document.freshUntil : now
  return stored.document.isDenied
    ? endDenial(stored, freshUntil, now, actor)
    : allowKeyless(stored, freshUntil, now, actor)
}

function endDenial(stored: DocumentClient, freshUntil: number, now: number, actor: Actor): Answer {
  const client = { ...stored.client, enabled: true, disabledByOwner: false }
  const document = { ...stored.document, isDenied: false, mayDropKey: false, freshUntil }
  // If a document was denied before its first fetch, there is no copy to keep.
  if (document.fetchedAt === null)
    return decided(
      ok({ client, document }),
      { change: "clientRemoved", clientId: client.clientId },
      recorded("app-removed", client, now, actor, "document allowed"),
    )
  return decided(
    ok({ client, document }),
    { change: "clientChanged", client },
    { change: "documentSet", document },
    recorded("app-enabled", client, now, actor, "document allowed"),
  )
}

function allowKeyless(
  { client, document }: DocumentClient,
  freshUntil: number,
  now: number,
  actor: Actor,
): Answer {
  if (client.keys === null) return decided(err(NOTHING_TO_ALLOW))
  const after = { ...document, mayDropKey: true, freshUntil }
  return decided(
    ok({ client, document: after }),
    { change: "documentSet", document: after },
    recorded("app-changed", client, now, actor, "document allowed to have no key"),
  )
}

const UNKNOWN =
  "There is no app with that document. An app is known from its first consent on, or once its document is pinned."
const NOTHING_TO_ALLOW =
  "The document is not denied, and the app has no key that its document could give up. There is nothing to allow."
const GAVE_UP_KEY =
  "This document no longer has a key, and the app has one. Run document allow, then pin it again."
const DENIED = "The document is denied. Allow it first."

function recorded(
  kind: "app-registered" | "app-changed" | "app-disabled" | "app-enabled" | "app-removed",
  { clientId, ownerId }: DocumentClient["client"],
  now: number,
  actor: Actor,
  detail: string,
): Change {
  return eventRecorded(kind, now, { clientId, userId: ownerId, detail, ...actor })
}
