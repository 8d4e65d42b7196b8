/** The products that are measured beside each other. Server and database share the first core. */
import type { Site } from "./visitor.ts"

/** A process whose processor time counts, with its children. */
export type Share = { readonly of: "server" | "database" | "consent program"; readonly pid: number }

export type Product = {
  readonly name: string
  /** How it hashes passwords, by default. */
  readonly hashing: string
  readonly site: Site
  readonly databaseUrl: string | null
  readonly shares: readonly Share[]
  /** The time until its code is compiled. */
  readonly warmUpSeconds: number
  readonly stop: () => Promise<void>
}

/** The accounts of each product. All have the same password. */
export const ACCOUNTS = 100
export const PASSWORD = "a password of the benchmark"

export function usernameOf(at: number): string {
  return `user-${at}`
}
