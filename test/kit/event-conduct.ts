/** The invalidations of events.json as a conduct: cached responses, an event, and what is asked again. */
import type { Conduct, Sequence, Step } from "./conduct.ts"
import { type Case, vectors } from "./vector-files.ts"

type Ids = { readonly token_id: string; readonly client_id: string; readonly account_id: string }
type EventsFile = {
  readonly cached: Readonly<Record<string, Ids | null>>
  readonly invalidations: readonly (Case & {
    readonly event: string
    readonly data: string
    readonly dropped: readonly string[]
  })[]
}

export function invalidations(): Conduct {
  const conduct = vectors<Conduct>("conduct.json")
  const { cached, invalidations: cases } = vectors<EventsFile>("events.json")
  const active = { ...(conduct.answers["alice"] as object) }
  // Each cached response belongs to one token of conduct.json.
  const tokens = Object.values(conduct.tokens)
  const names = Object.keys(cached)
  const check = (one: string): Step => ({
    check: { token: one },
    expect: cached[one] === null ? "token_invalid" : "ok",
    asks: 1,
  })
  const answerOf = (ids: Ids | null | undefined): object => {
    if (ids === null || ids === undefined) return { active: false }
    const { account_id: sub, ...rest } = ids
    return { ...active, ...rest, sub }
  }
  const sequences = cases.map(({ name, because, event, data, dropped }): Sequence => {
    const steps: Step[] = [
      check(names[0] ?? ""),
      { opens: { last_event_id: null } },
      { send: "id: 1\nevent: ready\ndata: {}\n\n" },
      ...names.map(check),
      { send: `id: 2\nevent: ${event}\ndata: ${data}\n\n` },
      ...names.map((one) => ({ ...check(one), asks: dropped.includes(one) ? 1 : 0 })),
    ]
    return { name, because, steps }
  })
  return {
    ...conduct,
    tokens: Object.fromEntries(names.map((name, at) => [name, tokens[at] ?? ""])),
    answers: Object.fromEntries(names.map((name) => [name, answerOf(cached[name])])),
    sequences,
  }
}
