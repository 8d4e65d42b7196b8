/** Checks who asks: a proxy at a trusted address, with the shared secret, or both. */
import type { IncomingMessage } from "node:http"
import type { BlockList } from "node:net"
import type { Socket } from "node:net"
import { isFromTrustedProxy, trustedRanges } from "../http/connection/client-address.ts"
import { sameCharacters } from "../kernel/constant-time.ts"
import { single } from "./families.rules.ts"

const SECRET_HEADER = "Latchkey-Gate-Secret"

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

  /** Where ranges and a secret are configured, both are needed. */
  isTrusted(request: IncomingMessage): boolean {
    if (this.#trusted !== null && !this.#isAtTrustedAddress(request, this.#trusted)) return false
    return this.#secret === null || hasSecret(request, this.#secret)
  }

  #isAtTrustedAddress(request: IncomingMessage, trusted: BlockList): boolean {
    const { socket } = request
    const known = this.#known.get(socket)
    if (known !== undefined) return known
    const isTrusted = isFromTrustedProxy(request, trusted)
    this.#known.set(socket, isTrusted)
    return isTrusted
  }
}

function hasSecret({ rawHeaders }: IncomingMessage, secret: string): boolean {
  const given = single(rawHeaders, SECRET_HEADER)
  return given !== null && sameCharacters(given, secret)
}
