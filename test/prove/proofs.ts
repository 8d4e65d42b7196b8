/** Every proof there is, in the order in which they run. */
import type { Proof } from "./proof.ts"
import { soak } from "./soak/soak.ts"

export const proofs: readonly Proof[] = [soak]
