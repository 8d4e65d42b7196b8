/**
 * Applies load to one server, so that it can be profiled:
 *
 *   node bench/load.ts '{"port":…,"seed":DIR,"workload":"refresh","connections":64,"seconds":5}'
 *
 * `seed.ts` or `fill.ts` has filled DIR. Prints one line of JSON.
 */
import { argumentsOf, refuse } from "./command.ts"
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

const [given = refuse("the load is missing. --help prints the usage")] = argumentsOf(1)
const { port, seed, ...rest } = JSON.parse(given) as Options
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
