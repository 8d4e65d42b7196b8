/** Tests real clients from end to end with the real command. */
import { before } from "node:test"
import { wholeFile } from "../support/spawn.ts"
import { clients } from "./clients.ts"
import { Deployment } from "./deployment.ts"
import { goThrough } from "./table.ts"

const file = wholeFile()
let deployment: Deployment

before(async () => {
  deployment = await Deployment.direct(file)
})

goThrough(clients, () => deployment)
