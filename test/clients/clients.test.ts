/** Real clients, each end to end against the real command. */
import { before } from "node:test"
import { wholeFile } from "../support/spawn.ts"
import { clients } from "./clients.ts"
import { Place } from "./place.ts"
import { goThrough } from "./table.ts"

const file = wholeFile()
let place: Place

before(async () => {
  place = await Place.direct(file)
})

goThrough(clients, () => place)
