/** One way of putting the service under pressure, and what was measured. */
import type { Engine } from "../../test/support/database.ts"
import type { Figures } from "../proof.ts"
import type { AttackKind, AttackReport } from "./attack.ts"
import type { Bystanders } from "./bystanders.ts"
import type { Service } from "./service.ts"

export type Found = {
  readonly figures: Figures
  /** What did not hold. */
  readonly broken: readonly string[]
  /** Times and memory above their bounds. */
  readonly exceeded?: readonly string[]
}

export type PressurePart = {
  /** As the figures call it. */
  readonly name: string
  readonly kind: AttackKind
  readonly engines: readonly Engine[]
  /** Connections, people or grants, at the whole length and in the warm-up. */
  readonly count: number
  readonly warmUpCount: number
  readonly seconds: number
  readonly warmUpSeconds: number
  /** However short the proof is. */
  readonly leastSeconds?: number
  /** Resident memory grows by less than this. */
  readonly growthMiB: number
  /** A 503 is an answer. */
  readonly mayBeUnavailable: boolean
  /** What is done beside the attack; it ends after `isOver` is true. */
  readonly beside?: (service: Service, bystanders: Bystanders, isOver: () => boolean) => Promise<Found>
  /** What is looked at when the attack is over. */
  readonly afterwards?: (service: Service, report: AttackReport, bystanders: Bystanders) => Promise<Found>
}
