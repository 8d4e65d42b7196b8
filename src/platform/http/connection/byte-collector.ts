/** Collects pieces of bytes in one growing buffer, which is at most twice as long as the bytes in it. */
const EMPTY = Buffer.alloc(0)
const LEAST_CAPACITY = 256

export class ByteCollector {
  /** The first piece is the buffer at first. Most bodies consist of one piece and are never copied. */
  #buffer: Buffer = EMPTY
  #isOwn = false
  length = 0

  add(piece: Buffer): void {
    if (this.length === 0) this.#buffer = piece
    else this.#append(piece)
    this.length += piece.length
  }

  /** The length of the buffer in bytes, including its unused part. */
  get capacity(): number {
    return this.#buffer.length
  }

  bytes(): Buffer {
    return this.#buffer.length === this.length ? this.#buffer : this.#buffer.subarray(0, this.length)
  }

  #append(piece: Buffer): void {
    const needed = this.length + piece.length
    if (!this.#isOwn || needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.length * 2, LEAST_CAPACITY))
      this.#buffer.copy(larger, 0, 0, this.length)
      this.#buffer = larger
      this.#isOwn = true
    }
    piece.copy(this.#buffer, this.length)
  }
}
