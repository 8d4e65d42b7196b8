/** The invariants of rows that refer to no other rows: settings, facts about the database, events and counts. */
import { eventKinds } from "../../model/event.rules.ts"
import { appearanceMember } from "../../model/appearance.rules.ts"
import { settingOf } from "../../model/setting.rules.ts"
import { metaKeys, NODE_KEY_PREFIX } from "../loadable.ts"
import { CODE_FAILURES_AT_MOST } from "../../kernel/account-limits.ts"
import type { CodeTriesRow } from "../codecs/accounts/code-tries-row.ts"
import type { TallyRow } from "../codecs/tally-row.ts"
import type { EventRow } from "../codecs/event-row.ts"
import { isIdentifierOrNull, problemsIn } from "./rule.ts"
import { isClientId, isDocumentUrl, isUserId } from "../../kernel/identifier.ts"
import type { DocumentPart } from "../../model/clients/document.rules.ts"
import type { DocumentRow } from "../codecs/document-row.ts"

export function settingProblems({ key, value }: { readonly key: string; readonly value: string }): string[] {
  const setting = settingOf(key) ?? appearanceMember(key)
  if (setting === undefined) return ["unknown setting"]
  const parsed = setting.parse(value)
  return parsed.ok ? [] : [`value: ${parsed.error}`]
}

const knownMeta: ReadonlySet<string> = new Set(Object.values(metaKeys))

export function metaProblems({ key }: { readonly key: string }): string[] {
  return problemsIn([!knownMeta.has(key) && !key.startsWith(NODE_KEY_PREFIX), "unknown key"])
}

export function codeTriesProblems({ unknown_failures }: CodeTriesRow): string[] {
  return problemsIn([
    unknown_failures > CODE_FAILURES_AT_MOST,
    `more than ${CODE_FAILURES_AT_MOST} failures are counted`,
  ])
}

const parts: ReadonlySet<string> = new Set(["redirect_uris", "keys"] satisfies DocumentPart[])

export function documentProblems({ client_id, changes }: DocumentRow): string[] {
  return problemsIn(
    [!isDocumentUrl(client_id), "client_id is not the URL of a document"],
    [changes?.split(" ").every((part) => parts.has(part)) === false, "changes names an unknown part"],
  )
}

const knownKinds: ReadonlySet<string> = new Set(eventKinds)

export function eventProblems(row: EventRow): string[] {
  return problemsIn(
    [!knownKinds.has(row.kind), `the kind ${row.kind} does not exist`],
    [row.user_id !== null && !isUserId(row.user_id), "user_id is not an identifier"],
    [row.client_id !== null && !isClientId(row.client_id), "client_id is not an identifier"],
    [!isIdentifierOrNull(row.token_id), "token_id is not an identifier"],
    [row.actor_id !== null && !isUserId(row.actor_id), "actor_id is not an identifier"],
  )
}

export function tallyProblems({ client_id }: TallyRow): string[] {
  return problemsIn([client_id !== "" && !isClientId(client_id), "client_id is not an identifier"])
}
