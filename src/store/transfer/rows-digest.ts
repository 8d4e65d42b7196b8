/**
 * A digest of rows that come in any order: those of the single rows, added up. Two lots of rows with the same sum are the
 * same rows, each as often. (Nobody who could choose the rows has a reason to make it otherwise.)
 */
import { hash } from "node:crypto"

/** 32-bit words of SHA-256. */
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
