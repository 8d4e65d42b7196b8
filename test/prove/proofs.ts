/** Every proof there is, in the order in which they run. */
import { oracles } from "./oracles/oracles.ts"
import type { Proof } from "./proof.ts"
import { kill } from "./kill/kill.ts"
import { soak } from "./soak/soak.ts"

export const proofs: readonly Proof[] = [kill, soak, oracles]
