/** How long each part takes. */
export type Length = {
  readonly journey: { readonly seconds: number; readonly rounds: number; readonly warmUp: number }
  readonly felt: { readonly listeners: readonly number[]; readonly times: number }
  readonly writes: { readonly seconds: number; readonly rounds: number; readonly credentials: number }
}

export const full: Length = {
  journey: { seconds: 15, rounds: 5, warmUp: 1 },
  felt: { listeners: [1, 10, 100, 300], times: 100 },
  writes: { seconds: 60, rounds: 3, credentials: 500 },
}

/** Only checks that each part runs. */
export const tiny: Length = {
  journey: { seconds: 0.1, rounds: 1, warmUp: 0 },
  felt: { listeners: [1, 20], times: 2 },
  writes: { seconds: 0.2, rounds: 1, credentials: 20 },
}
