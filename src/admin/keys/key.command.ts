/** The `key` commands: the keys that sign id_tokens and JWT access tokens. Interface SIGN-4. */
import { command, done, refused } from "../../platform/cli/command.ts"
import { withStore } from "../../platform/cli/open.ts"
import { facts, instant, printedList } from "../../platform/cli/print.ts"
import { keysOf } from "../../platform/cli/service-keys.ts"
import { SIGNATURE_ALGORITHMS, type SigningKey } from "../../model/signing-key.rules.ts"
import { decideRotation } from "../../oauth/keys/key-turn.rules.ts"
import { makeKey } from "../../oauth/keys/make-key.ts"

const list = command({
  name: "key list",
  summary: "List the keys that sign id_tokens and access tokens",
  notes: ["The service makes the first key when one is needed, and the next one after ninety days."],
  example: "latchkey key list",
  run: ({ globals }) =>
    withStore(globals, "refuse", async ({ store }) => {
      const { signingKeys } = await store.read({ signingKeys: true })
      return printedList((signingKeys ?? []).map(keyRecord), "There is no key yet.", (row) => ({
        "key id": row.kid,
        algorithm: row.algorithm,
        state: row.state,
        "signs from": instant(row.signs_from),
        "signed until": instant(row.ended_at),
      }))
    }),
})

const rotate = command({
  name: "key rotate",
  summary: "Replace a key that signs id_tokens and access tokens",
  flags: {
    algorithm: {
      value: "ALGORITHM",
      choices: SIGNATURE_ALGORITHMS,
      default: "RS256",
      summary: "the algorithm of the key: RS256 or ES256",
    },
    now: { summary: "let it sign at once, and withdraw the old key" },
  },
  notes: [
    "The new key is published at once and signs after a day, when no app has an old list of keys any more.",
    "With --now, JWT access tokens of the old key are inactive at once. Apps and APIs that verify tokens themselves refuse them when they read the list again, usually within an hour.",
  ],
  example: "latchkey key rotate --now",
  run: ({ flags, globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const keys = await keysOf(opened)
      if (!keys.ok) return refused(keys.error)
      const now = opened.clock.now()
      const made = await makeKey(flags.algorithm, keys.value, now)
      const key = await opened.store.change({ signingKeys: true }, ({ signingKeys }) =>
        decideRotation(signingKeys ?? [], made, flags.now, now),
      )
      const record = keyRecord(key)
      return done(
        record,
        facts({ ...record, made_at: instant(key.madeAt), signs_from: instant(key.signsFrom) }),
      )
    }),
})

function keyRecord({ kid, algorithm, state, madeAt, signsFrom, endedAt }: SigningKey) {
  return { kid, algorithm, state, made_at: madeAt, signs_from: signsFrom, ended_at: endedAt }
}

export const keyCommands = [list, rotate]
