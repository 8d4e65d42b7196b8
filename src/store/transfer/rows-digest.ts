/**
 * A digest of rows that does not depend on their order. It is the sum of the digests of the rows. It does not resist an
 * attacker who can choose rows.
 */
import { hash } from "node:crypto"

/** A SHA-256 digest has this many 32-bit words. */
const WORDS = 8

export class RowsDigest {
  readonly #sum = new Uint32Array(WORDS)
  #count = 0

  add(row: string | Buffer): void {
    const digest = hash("sha256", row, "buffer")
    for (let i = 0; i < WORDS; i++) this.#sum[i] = (this.#sum[i] ?? 0) + digest.readUInt32LE(4 * i)
    this.#count++
  }

  get count(): number {
    return this.#count
  }

  get text(): string {
    return Buffer.from(this.#sum.buffer).toString("hex")
  }
}
