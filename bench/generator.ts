/**
 * The load generator. One process runs for the whole benchmark. It reads one order per line of JSON from standard
 * input. For each order, it prints its measurements as one line of JSON.
 */
import { createInterface } from "node:readline"
import { ask, type Order } from "./order.ts"
import { Stock } from "./stock.ts"

const stocks = new Map<string, Stock>()

for await (const line of createInterface(process.stdin)) {
  const order = JSON.parse(line) as Order
  // Requests to the bare server use up no codes, so each server has its own stock.
  const name = `${order.dialect} ${order.stock}`
  const stock = stocks.get(name) ?? new Stock(order.stock)
  stocks.set(name, stock)
  console.log(JSON.stringify(await ask(order, stock)))
}
