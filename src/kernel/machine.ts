/**
 * A state table as a value: one cell for each pair of state and event.
 * Leaving a pair out does not compile, so "this cannot happen" has to be written down as a decision.
 */
export type Machine<S extends { state: string }, E extends { event: string }, D> = {
  readonly [K in S["state"]]: {
    readonly [V in E["event"]]: (state: Extract<S, { state: K }>, event: Extract<E, { event: V }>) => D
  }
}

/** Looks up the cell of `state` and `event` and runs it. Shape: (table, state, event) → decision. */
export function step<S extends { state: string }, E extends { event: string }, D>(
  machine: Machine<S, E, D>,
  state: S,
  event: E,
): D {
  const row = machine[state.state as S["state"]] as unknown as Record<string, (state: S, event: E) => D>
  const cell = row[event.event]
  if (cell === undefined) throw new Error(`no cell for ${state.state} and ${event.event}`)
  return cell(state, event)
}
