/** Tests real clients from end to end, through TLS and deploy/nginx.conf. */
import { before } from "node:test"
import { clients } from "../clients/clients.ts"
import { Deployment } from "../clients/deployment.ts"
import { goThrough } from "../clients/table.ts"
import { wholeFile } from "../support/spawn.ts"
import { needsNginx } from "./nginx.ts"

const file = wholeFile()
let deployment: Deployment

before(async () => {
  if ("skip" in needsNginx) return
  deployment = await Deployment.behindNginx(file)
})

goThrough(
  clients.map((client) => ({ ...client, needs: { ...client.needs, ...needsNginx } })),
  () => deployment,
)
