/** The invariants of the tables whose rows stand for themselves: icons, settings, facts about the database, events. */
import { eventKinds } from "../../records/event.rules.ts"
import type { Invalidation } from "../../records/invalidation.rules.ts"
import { settingOf } from "../../records/setting.rules.ts"
import { bucketAt, type Grain, grains } from "../../records/tally.rules.ts"
import { metaKeys } from "../store.ts"
import { CODE_FAILURES_AT_MOST } from "../../kernel/limits.ts"
import type { CodeTriesRow } from "../codecs/code-tries-row.ts"
import type { TallyRow } from "../codecs/tally-row.ts"
import type { EventRow } from "../codecs/event-row.ts"
import { isDigest, isIdentifierOrNull, problemsIn } from "./rule.ts"

const PNG_SIGNATURE = "\x89PNG\r\n\x1a\n"

/** `head` is the first eight bytes of the picture. */
export type IconHead = { readonly client_id: string; readonly png_hash: string; readonly head: Uint8Array }

/** The engine's own check of references says where the app does not exist. */
export function iconProblems({ png_hash, head }: IconHead): string[] {
  return problemsIn(
    [!isDigest(png_hash), "png_hash is no digest"],
    [String.fromCharCode(...head) !== PNG_SIGNATURE, "png is not a PNG image"],
  )
}

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

/** The engine's own check of references says where the account does not exist. */
export function codeTriesProblems({ unknown_failures, known_failures }: CodeTriesRow): string[] {
  return problemsIn(
    [unknown_failures < 0 || known_failures < 0, "a count is negative"],
    [unknown_failures + known_failures === 0, "nothing is counted"],
    [unknown_failures > CODE_FAILURES_AT_MOST, `more than ${CODE_FAILURES_AT_MOST} failures are counted`],
  )
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

export function tallyProblems({ grain, at, client_id, count }: TallyRow): string[] {
  if (!isGrain(grain)) return [`the grain ${grain} does not exist`]
  return problemsIn(
    [bucketAt(grain, at) !== at, "at is not the start of a bucket"],
    [client_id !== "" && !isIdentifierOrNull(client_id), "client_id is no identifier"],
    [count < 1, "count is not positive"],
  )
}

function isGrain(text: string): text is Grain {
  return Object.hasOwn(grains, text)
}

const invalidated = { credential: true, client: true, account: true } satisfies Record<
  Invalidation["of"],
  true
>

export function invalidationProblems({ of, key }: { readonly of: string; readonly key: string }): string[] {
  return problemsIn(
    [!Object.hasOwn(invalidated, of), `it is of ${of}, which does not exist`],
    [!isIdentifierOrNull(key), "key is no identifier"],
  )
}
