/** Checks who asks: a proxy at a trusted address, with the shared secret, or both. */
import type { IncomingMessage } from "node:http"
import type { BlockList, Socket } from "node:net"
import { isFromTrustedProxy, trustedRanges } from "../platform/http/connection/client-address.ts"
import { sameCharacters } from "../kernel/constant-time.ts"
import { single } from "./families.rules.ts"

const SECRET_HEADER = "Latchkey-Gate-Secret"

/** `secretMissing`: also empty or repeated. */
export type CallerProblem = "addressNotTrusted" | "secretMissing" | "secretWrong"

export class Callers {
  readonly #trusted: BlockList | null
  readonly #secret: string | null
  /** Connections from trusted addresses. The address of a connection does not change. */
  readonly #known = new WeakMap<Socket, boolean>()

  constructor(ranges: readonly string[], secret: string | null) {
    if (ranges.length === 0 && secret === null)
      throw new Error("the gate needs trusted addresses or a shared secret")
    this.#trusted = ranges.length === 0 ? null : trustedRanges(ranges)
    this.#secret = secret
  }

  /** Returns why a caller is refused, or null. Where ranges and a secret are configured, both are needed. */
  problemOf({ socket, rawHeaders }: IncomingMessage): CallerProblem | null {
    if (this.isStranger(socket)) return "addressNotTrusted"
    if (this.#secret === null) return null
    const given = single(rawHeaders, SECRET_HEADER)
    if (given === null) return "secretMissing"
    return sameCharacters(given, this.#secret) ? null : "secretWrong"
  }

  /** Whether trusted addresses are configured and this is not one of them. */
  isStranger(socket: Socket): boolean {
    return this.#trusted !== null && !this.isAtTrustedAddress(socket)
  }

  isAtTrustedAddress(socket: Socket): boolean {
    if (this.#trusted === null) return false
    const known = this.#known.get(socket)
    if (known !== undefined) return known
    const isTrusted = isFromTrustedProxy({ socket }, this.#trusted)
    this.#known.set(socket, isTrusted)
    return isTrusted
  }
}
