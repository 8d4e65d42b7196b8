/** Tells whether some order of these concurrent operations explains their responses. */
import { isDeepStrictEqual } from "node:util"
import { begun } from "./moments.ts"
import type { Operation } from "./operation.ts"
import { tell } from "./rules.ts"
import { fits, type Seen, type Expected } from "./expected.ts"
import { copyOf, type World } from "./world.ts"

export type Answered = { readonly one: Operation; readonly seen: Seen }

/**
 * Returns every world that some order leads to. The list is empty if no order gives these responses. An order is given
 * up at its first contradiction.
 */
export function worldsAfter(before: readonly World[], answered: readonly Answered[]): readonly World[] {
  const found: World[] = []
  for (const world of before) follow(world, answered, answered.length, found)
  return found
}

function follow(world: World, left: readonly Answered[], atOnce: number, found: World[]): void {
  if (left.length === 0) {
    if (!found.some((other) => isDeepStrictEqual(other, world))) found.push(world)
    return
  }
  for (const [n, { one, seen }] of left.entries()) {
    const next = copyOf(world)
    const rest = left.length > 1 ? begun(next, one, atOnce) : null
    if (isOperation(rest)) follow(next, left.toSpliced(n, 1, { one: rest, seen }), atOnce, found)
    else if (fits(next.bound, rest ?? tell(next, one), seen))
      follow(next, left.toSpliced(n, 1), atOnce, found)
  }
}

function isOperation(rest: Operation | Expected | null): rest is Operation {
  return rest !== null && "do" in rest
}
