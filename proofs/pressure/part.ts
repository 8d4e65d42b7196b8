/** Defines one way of putting the service under pressure, and the results that it reports. */
import type { Engine } from "../../test/support/database.ts"
import type { Figures } from "../proof.ts"
import type { AttackKind, AttackReport } from "./attack.ts"
import type { Bystanders } from "./bystanders.ts"
import type { Service } from "./service.ts"

export type Found = {
  readonly figures: Figures
  /** The promises that did not hold. */
  readonly broken: readonly string[]
  /** The times and the memory that exceeded their limits. */
  readonly exceeded?: readonly string[]
}

export type PressurePart = {
  /** The name of the part in the results. */
  readonly name: string
  readonly kind: AttackKind
  readonly engines: readonly Engine[]
  /** The number of connections, people or grants in the whole attack and in the warm-up. */
  readonly count: number
  readonly warmUpCount: number
  readonly seconds: number
  readonly warmUpSeconds: number
  /** The attack lasts at least this long, however short the proof is. */
  readonly leastSeconds?: number
  /** Resident memory must grow by less than this. */
  readonly growthMiB: number
  /** Whether a 503 is accepted. */
  readonly mayBeUnavailable: boolean
  /** An action that runs beside the attack. It ends after `isOver` returns true. */
  readonly beside?: (service: Service, bystanders: Bystanders, isOver: () => boolean) => Promise<Found>
  /** The checks after the attack. */
  readonly afterwards?: (service: Service, report: AttackReport, bystanders: Bystanders) => Promise<Found>
}
