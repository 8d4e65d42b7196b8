/**
 * Ends everything that only a lost service secret could open, so that the next start can take another one. Safe to
 * repeat. Interface SECRET-4.
 */
import type { FactorId, UserId } from "../../kernel/ids.ts"
import type { Clock } from "../../kernel/clock.ts"
import { changeFactors } from "../../accounts/factors/factor.ts"
import { decideLostTotp } from "../../accounts/factors/factor-change.rules.ts"
import { decided, eventRecorded } from "../../model/change.rules.ts"
import { metaKeys } from "../../store/loadable.ts"
import type { Store } from "../../store/store.ts"
import { decideLostKeys } from "../../oauth/keys/key-turn.rules.ts"
import { sealedBatches } from "./seal-again.ts"

const BATCH = 100

/** What ends with the secret. */
export type Forgotten = {
  readonly accounts: readonly { readonly userId: UserId; readonly username: string }[]
  /** Imports whose tokens need the lost key. */
  readonly imports: readonly { readonly id: string; readonly source: string }[]
  /** Keys that sign id_tokens, by their `kid`. The next use makes new ones. */
  readonly signingKeys: readonly string[]
  /** Mails that wait with a link. They are given up. */
  readonly mails: number
}

export async function findForgotten(store: Store): Promise<Forgotten> {
  const accounts = new Map<UserId, string>()
  for await (const rows of sealedBatches(store, "totp", BATCH))
    for (const { key } of rows) {
      const { factor } = await store.read({ factor: key as FactorId })
      const { account } = await store.read({ account: factor?.userId ?? null })
      if (account !== null) accounts.set(account.userId, account.username)
    }
  const imports: { id: string; source: string }[] = []
  for await (const rows of sealedBatches(store, "importKey", BATCH))
    for (const { key } of rows)
      imports.push({ id: key, source: (await store.read({ import: Number(key) })).import?.source ?? "" })
  const signingKeys: string[] = []
  for await (const rows of sealedBatches(store, "signingKey", BATCH))
    signingKeys.push(...rows.map(({ key }) => key))
  let mails = 0
  for await (const rows of sealedBatches(store, "mailLink", BATCH)) mails += rows.length
  return {
    accounts: [...accounts].map(([userId, username]) => ({ userId, username })),
    imports,
    signingKeys,
    mails,
  }
}

export async function forgetSecret(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  { accounts }: Forgotten,
): Promise<void> {
  for (const { userId } of accounts)
    await changeFactors(
      { store, clock },
      { userId, sessionHash: null, address: null, holderOf: null },
      decideLostTotp,
    )
  for await (const rows of sealedBatches(store, "importKey", BATCH))
    for (const { key, text } of rows)
      await store.change({}, () =>
        decided(null, { change: "sealedAgain", thing: "importKey", key, former: text, text: null }),
      )
  await store.change({ signingKeys: true }, ({ signingKeys }) =>
    decideLostKeys(signingKeys ?? [], clock.now()),
  )
  await store.change({ meta: metaKeys.serviceSecretCheck }, () =>
    decided(
      null,
      { change: "metaSet", key: metaKeys.serviceSecretCheck, value: "" },
      { change: "metaSet", key: metaKeys.nextSecretCheck, value: "" },
      eventRecorded("service-secret-forgotten", clock.now(), {
        detail: `${accounts.length} accounts lost their one-time passwords`,
      }),
    ),
  )
}
