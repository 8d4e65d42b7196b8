/**
 * The load generator, a process of its own for the whole run. Reads one order a line of JSON on its input and prints one
 * line of JSON for each: what it measured.
 */
import { createInterface } from "node:readline"
import { ask, type Order } from "./order.ts"
import { Stock } from "./stock.ts"

const stocks = new Map<string, Stock>()

for await (const line of createInterface(process.stdin)) {
  const order = JSON.parse(line) as Order
  // What the bare server is asked with uses nothing up.
  const name = `${order.dialect} ${order.stock}`
  const stock = stocks.get(name) ?? new Stock(order.stock)
  stocks.set(name, stock)
  console.log(JSON.stringify(await ask(order, stock)))
}
