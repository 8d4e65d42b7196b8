/** The database knows the service secret that it was first used with: a node with another one does not start. */
import { decided } from "../records/change.rules.ts"
import { metaKeys, type Store } from "../store/store.ts"
import { type Keys, sameText } from "../kernel/keys.ts"

const KEY = metaKeys.serviceSecretCheck

/** Throws where the database knows a service secret, and none is at hand: a new one would be another. */
export async function refuseNewSecret(store: Store): Promise<void> {
  if ((await store.read({ meta: KEY })).meta !== null)
    throw new Error(
      "the service secret of this database is needed: set LATCHKEY_SECRET_KEY, or name with --data where its secret.key is",
    )
}

/** Throws where the database was made with another service secret. */
export async function checkServiceSecret(store: Store, { checkValue }: Keys): Promise<void> {
  // A start beside a locked database needs no write.
  const { meta: known } = await store.read({ meta: KEY })
  const isSame =
    known !== null
      ? sameText(known.value, checkValue)
      : await store.change({ meta: KEY }, ({ meta }) =>
          meta === null
            ? decided(true, { change: "metaSet", key: KEY, value: checkValue })
            : decided(sameText(meta.value, checkValue)),
        )
  if (!isSame)
    throw new Error(
      "this database belongs to another service secret: put back the secret.key that it was made with, or give what is " +
        "in that file as LATCHKEY_SECRET_KEY",
    )
}
