/** All proofs, in the order in which they run. */
import { faults } from "./faults/faults.ts"
import { oracles } from "./oracles/oracles.ts"
import { model } from "./model/model.ts"
import { gate } from "./gate/gate.ts"
import { fuzz } from "./fuzz/fuzz.ts"
import type { Proof } from "./proof.ts"
import { clients } from "./clients/clients.ts"
import { connections } from "./connections/connections.ts"
import { go } from "./go/go.ts"
import { judges } from "./judges/judges.ts"
import { kill } from "./kill/kill.ts"
import { mail } from "./mail/mail.ts"
import { movingIn } from "./moving-in/moving-in.ts"
import { postgres } from "./postgres/postgres.ts"
import { pressure } from "./pressure/pressure.ts"
import { providers } from "./providers/providers.ts"
import { pythonKit } from "./python/python.ts"
import { release } from "./release/release.ts"
import { rust } from "./rust/rust.ts"
import { soak } from "./soak/soak.ts"

export const proofs: readonly Proof[] = [
  fuzz,
  model,
  kill,
  soak,
  connections,
  pressure,
  faults,
  oracles,
  judges,
  clients,
  gate,
  go,
  pythonKit,
  rust,
  mail,
  movingIn,
  providers,
  release,
  postgres,
]
