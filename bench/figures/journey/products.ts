/** Opens every product that can be had on this machine. */
import { keycloakArchive } from "../../../proofs/providers/keycloak.ts"
import { say } from "../../measure.ts"
import type { Core } from "../../server-process.ts"
import type { Context } from "../context.ts"
import type { Database } from "../database.ts"
import { hydraProgram, openHydra } from "./hydra.ts"
import { openKeycloak } from "./keycloak.ts"
import { openLatchkey } from "./latchkey.ts"
import type { Product } from "./product.ts"

/** The products are added to `products` one by one, so that the caller can stop them whatever happens. */
export async function openProducts(
  { work, withPeers, missing }: Context,
  core: Core,
  database: Database | null,
  products: Product[],
): Promise<void> {
  say("opening Latchkey")
  products.push(await openLatchkey(`${work}/latchkey-sqlite`, core, null))
  if (database === null) return
  products.push(await openLatchkey(`${work}/latchkey-postgres`, core, database))
  if (!withPeers) return
  const hydra = hydraProgram()
  if ("missing" in hydra) missing.push(`Ory Hydra: ${hydra.missing}`)
  else {
    say("opening Ory Hydra")
    products.push(await openHydra(hydra, work, core, database))
  }
  const keycloak = keycloakArchive()
  if ("missing" in keycloak) missing.push(`Keycloak: ${keycloak.missing}`)
  else {
    say("opening Keycloak")
    products.push(await openKeycloak(keycloak.zip, work, core, database))
  }
}
