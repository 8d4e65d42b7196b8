/** What the schema cannot say of rows that refer to no others: settings, facts about the database, events, counts. */
import { eventKinds } from "../../records/event.rules.ts"
import { settingOf } from "../../records/setting.rules.ts"
import { metaKeys } from "../store.ts"
import { CODE_FAILURES_AT_MOST } from "../../kernel/limits.ts"
import type { CodeTriesRow } from "../codecs/code-tries-row.ts"
import type { TallyRow } from "../codecs/tally-row.ts"
import type { EventRow } from "../codecs/event-row.ts"
import { isIdentifierOrNull, problemsIn } from "./rule.ts"

export function settingProblems({ key, value }: { readonly key: string; readonly value: string }): string[] {
  const setting = settingOf(key)
  if (setting === undefined) return ["there is no such setting"]
  const parsed = setting.parse(value)
  return parsed.ok ? [] : [`value: ${parsed.error}`]
}

const knownMeta: ReadonlySet<string> = new Set(Object.values(metaKeys))

export function metaProblems({ key }: { readonly key: string }): string[] {
  return problemsIn([!knownMeta.has(key), "there is no such fact about a database"])
}

export function codeTriesProblems({ unknown_failures }: CodeTriesRow): string[] {
  return problemsIn([
    unknown_failures > CODE_FAILURES_AT_MOST,
    `more than ${CODE_FAILURES_AT_MOST} failures are counted`,
  ])
}

const knownKinds: ReadonlySet<string> = new Set(eventKinds)

export function eventProblems(row: EventRow): string[] {
  return problemsIn(
    [!knownKinds.has(row.kind), `the kind ${row.kind} does not exist`],
    [!isIdentifierOrNull(row.user_id), "user_id is no identifier"],
    [!isIdentifierOrNull(row.client_id), "client_id is no identifier"],
    [!isIdentifierOrNull(row.token_id), "token_id is no identifier"],
    [!isIdentifierOrNull(row.actor_id), "actor_id is no identifier"],
  )
}

export function tallyProblems({ client_id }: TallyRow): string[] {
  return problemsIn([client_id !== "" && !isIdentifierOrNull(client_id), "client_id is no identifier"])
}
