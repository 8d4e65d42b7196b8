/** The database stores the check value of its service secret. A node with a different secret does not start. */
import { decided } from "../../../model/change.rules.ts"
import { metaKeys } from "../../../store/loadable.ts"
import type { Store } from "../../../store/store.ts"
import type { KeyRing } from "./key-ring.ts"
import { replacingSecret } from "./nodes.ts"

const KEY = metaKeys.serviceSecretCheck

/** Returns the check value of the secret in force. Null for a new database, and after `secret forget`. */
export async function secretInForce(store: Pick<Store, "read">): Promise<string | null> {
  const { meta } = await store.read({ meta: KEY })
  return meta === null || meta.value === "" ? null : meta.value
}

/** Throws if the database belongs to a service secret. The caller has none, and a new one would differ. */
export async function refuseNewSecret(store: Store): Promise<void> {
  if ((await secretInForce(store)) !== null)
    throw new Error(
      "the service secret of this database is needed: set LATCHKEY_SECRET_KEY, or set --data to the directory of its " +
        "secret.key; if it is lost, see secret forget",
    )
}

/** Takes the secret that fits the database. Throws if the process does not hold it. */
export async function checkServiceSecret(store: Store, ring: KeyRing): Promise<void> {
  // The value is read first. A start then needs no write while the database is locked.
  const known = (await secretInForce(store)) ?? (await claim(store, ring.checkValue))
  if (!ring.take(known))
    throw new Error(
      "this database belongs to another service secret: restore the secret.key that it was created with, or set " +
        "LATCHKEY_SECRET_KEY to the content of that file",
    )
  const next = await replacingSecret(store)
  if (next !== null && !ring.holds.includes(next))
    throw new Error(
      "the service secret is being replaced, and this process lacks the new one: set LATCHKEY_SECRET_KEY_NEW, or copy " +
        "secret.key.next into its data directory; or run secret rotate again, which ends the attempt if a node lacks it",
    )
}

/** Makes this the secret of a database that has none. Returns the one that the database has then. */
function claim(store: Store, checkValue: string): Promise<string> {
  return store.change({ meta: KEY }, ({ meta }) =>
    meta === null || meta.value === ""
      ? decided(checkValue, { change: "metaSet", key: KEY, value: checkValue })
      : decided(meta.value),
  )
}
