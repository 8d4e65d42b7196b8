/** Real clients, each end to end through TLS and deploy/nginx.conf. */
import { before } from "node:test"
import { clients } from "../clients/clients.ts"
import { Place } from "../clients/place.ts"
import { goThrough } from "../clients/table.ts"
import { wholeFile } from "../support/spawn.ts"
import { needsNginx } from "./nginx.ts"

const file = wholeFile()
let place: Place

before(async () => {
  if ("skip" in needsNginx) return
  place = await Place.behindNginx(file)
})

goThrough(
  clients.map((client) => ({ ...client, needs: { ...client.needs, ...needsNginx } })),
  () => place,
)
