/** A digest of rows in any order: the sum of their digests. It does not resist an attacker who chooses rows. */
import { hash } from "node:crypto"

/** The number of 32-bit words of a SHA-256 digest. */
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
