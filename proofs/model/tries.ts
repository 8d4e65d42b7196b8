/** Counters that slow guessing down. A window opens with the first wrong guess and has a fixed end. */
import type { World } from "./world.ts"

function countOf(world: World, counter: string, seconds: number): number {
  const tries = world.tries.get(counter)
  return tries !== undefined && world.steady < tries.since + seconds ? tries.count : 0
}

export function isSpent(world: World, counter: string, most: number, seconds: number): boolean {
  return countOf(world, counter, seconds) >= most
}

export function spend(world: World, counter: string, seconds: number): void {
  const count = countOf(world, counter, seconds)
  const since = count === 0 ? world.steady : (world.tries.get(counter)?.since ?? world.steady)
  world.tries.set(counter, { since, count: count + 1 })
}

/** Takes back a counted attempt that was right. An empty window is deleted. */
export function giveBack(world: World, counter: string, seconds: number): void {
  const count = countOf(world, counter, seconds)
  const tries = world.tries.get(counter)
  if (tries === undefined || count === 0) return
  if (count === 1) world.tries.delete(counter)
  else world.tries.set(counter, { ...tries, count: count - 1 })
}
