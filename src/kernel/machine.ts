/** The type requires a cell for each state and event, so even an impossible pair gets an explicit decision. */
export type Machine<S extends { state: string }, E extends { event: string }, D> = {
  readonly [K in S["state"]]: {
    readonly [V in E["event"]]: (state: Extract<S, { state: K }>, event: Extract<E, { event: V }>) => D
  }
}

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
