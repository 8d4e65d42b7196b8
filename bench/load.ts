/**
 * Load on one server, for a look at a profile:
 *
 *   node bench/load.ts '{"port":…,"seed":DIR,"workload":"refresh","connections":64,"seconds":5}'
 *
 * DIR is what `seed.ts` or `fill.ts` filled. Prints one line of JSON.
 */
import { ask, type Order } from "./order.ts"
import { Stock } from "./stock.ts"
import type { Workload } from "./workloads.ts"

type Options = {
  readonly port: number
  readonly seed: string
  readonly workload?: Workload
  readonly connections?: number
  readonly seconds?: number
}

const { port, seed, ...rest } = JSON.parse(process.argv[2] ?? "{}") as Options
const { workload = "refresh", connections = 64, seconds = 5 } = rest
const order: Order = {
  workload,
  dialect: "latchkey",
  ports: [port],
  connections,
  seconds,
  stock: seed,
  most: Number.MAX_SAFE_INTEGER,
}
const { sample: _, ...load } = await ask(order, new Stock(seed))
console.log(JSON.stringify(load))
