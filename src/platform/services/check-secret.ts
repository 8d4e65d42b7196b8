/** The database stores a check value of its first service secret. A node with a different secret does not start. */
import { decided } from "../../model/change.rules.ts"
import { metaKeys, type Store } from "../../store/store.ts"
import { sameCharacters } from "../../kernel/constant-time.ts"
import type { Keys } from "../../kernel/keys.ts"

const KEY = metaKeys.serviceSecretCheck

/** Throws if the database belongs to a service secret. The caller has none, and a new one would differ. */
export async function refuseNewSecret(store: Store): Promise<void> {
  if ((await store.read({ meta: KEY })).meta !== null)
    throw new Error(
      "the service secret of this database is needed: set LATCHKEY_SECRET_KEY, or set --data to the directory of its secret.key",
    )
}

/** Throws if the database was created with another service secret. */
export async function checkServiceSecret(store: Store, { checkValue }: Keys): Promise<void> {
  // The value is read first. A start then needs no write while the database is locked.
  const { meta: known } = await store.read({ meta: KEY })
  const isSame =
    known !== null
      ? sameCharacters(known.value, checkValue)
      : await store.change({ meta: KEY }, ({ meta }) =>
          meta === null
            ? decided(true, { change: "metaSet", key: KEY, value: checkValue })
            : decided(sameCharacters(meta.value, checkValue)),
        )
  if (!isSame)
    throw new Error(
      "this database belongs to another service secret: restore the secret.key that it was created with, or set " +
        "LATCHKEY_SECRET_KEY to the content of that file",
    )
}
