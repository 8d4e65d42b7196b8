/** Builds case number N of a seed. It is always the same, whatever was sent before. */
import { Choice } from "../choice.ts"
import { type Broken, broken } from "./broken.ts"
import { bodyText, type Draft, encode, type Pair } from "./draft.ts"
import { mutate } from "./mutate.ts"
import type { Asked } from "./oracle.ts"

export type Case = {
  readonly number: number
  readonly name: string
  /** The request id that the response must contain. The value is null if the request does not state exactly one id. */
  readonly requestId: string | null
  readonly bytes: string
  readonly method: string
  readonly asked: Asked
  /** Whether the request gets exactly one response and the connection continues. */
  readonly isSound: boolean
  readonly answersAtMost: number
}

/** With this many addresses, no single address reaches its rate limit. */
const MANY_ADDRESSES = 2 ** 18

const BROKEN = 0.05
const VALID = 0.03

export class Cases {
  readonly #seed: number
  readonly #port: number
  readonly #drafts: readonly Draft[]
  readonly #addresses: number
  /** The cumulative sums of the weights. */
  readonly #sums: readonly number[]

  /** The requests come from this many `addresses`. */
  constructor(seed: number, port: number, drafts: readonly Draft[], addresses = MANY_ADDRESSES) {
    this.#addresses = addresses
    this.#seed = seed
    this.#port = port
    this.#drafts = drafts
    let sum = 0
    this.#sums = drafts.map(({ weight }) => (sum += weight))
  }

  at(number: number): Case {
    const choice = new Choice(Math.imul(this.#seed ^ 0x5bd1e995, 0x9e3779b1) + Math.imul(number, 0x85ebca6b))
    const chosen = this.#chosen(choice)
    const host: readonly Pair[] = [["Host", `localhost:${this.#port}`]]
    if (choice.chance(BROKEN)) return brokenCase(number, broken(choice, chosen, host))
    let draft = chosen
    if (!choice.chance(VALID))
      for (let left = choice.one([1, 1, 1, 2, 2, 3]); left > 0; left--)
        draft = mutate(choice, draft, this.#drafts)
    return soundCase(number, draft, [...host, ...marks(choice, number, this.#addresses)])
  }

  #chosen(choice: Choice): Draft {
    const total = this.#sums.at(-1) ?? 0
    const at = choice.next() * total
    let [low, high] = [0, this.#sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sums[middle] ?? 0) > at) high = middle
      else low = middle + 1
    }
    const draft = this.#drafts[low]
    if (draft === undefined) throw new Error("no request to begin with")
    return draft
  }
}

/**
 * Returns headers with the sender and the id of the request. The service trusts them, because this machine is
 * configured as its proxy.
 */
export function marks(choice: Choice, number: number | string, addresses = MANY_ADDRESSES): readonly Pair[] {
  const host = choice.below(addresses)
  const address = `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`
  return [
    ["X-Request-Id", idOf(number)],
    ["X-Forwarded-For", address],
  ]
}

export function idOf(number: number | string): string {
  return `fuzz-${number}`
}

export function soundCase(
  number: number,
  draft: Draft,
  first: readonly Pair[],
  id: number | string = number,
): Case {
  const { head, body, isSound } = encode(draft, first)
  const isNumbered = !draft.headers.some(([name]) => /^x-request-id$/i.test(name))
  const target = head.slice(draft.method.length + 1, head.indexOf(" HTTP/"))
  return {
    number,
    name: draft.name,
    requestId: isNumbered ? idOf(id) : null,
    bytes: head + body,
    method: draft.method,
    asked: { method: draft.method, target, headers: draft.headers, bytes: head + bodyText(draft.body) },
    isSound: isSound && body.length <= SURELY_READ,
    answersAtMost: isSound ? 1 : 3,
  }
}

/** After a body of more than this length, the connection may end. */
const SURELY_READ = 64 * 1024

function brokenCase(number: number, { name, bytes, answersAtMost }: Broken): Case {
  const [method = ""] = bytes.split(" ", 1)
  return {
    number,
    name,
    requestId: null,
    bytes,
    method,
    asked: { method: undefined, target: "", headers: [], bytes },
    isSound: false,
    answersAtMost,
  }
}
