/** An authorization and a device flow that begin signed out, and confirming by a sign-in there. */
import assert from "node:assert/strict"
import {
  answerDevice,
  fetched,
  headingOf,
  openCode,
  startDevice,
  started,
} from "../../test/oauth/device/device.ts"
import { hiddenFields } from "../../test/support/browser.ts"
import { authorizePath, connectIn, newVerifier, send } from "../../test/support/connect.ts"
import type { World } from "./world.ts"

export async function flows(world: World): Promise<void> {
  const app = await world.server.addApp()
  const authorizing = world.visitor()
  const path = authorizePath(app, newVerifier().challenge)
  const back = await world.through(authorizing, "ada", await authorizing.here.get(path))
  assert.equal(back.location, path)
  await connectIn(authorizing.here, world.server, app)

  const grant = await startDevice(world.server, app)
  const approving = world.visitor()
  const page = await openCode(approving.here, grant.userCode)
  assert.equal((await world.through(approving, "ada", page)).status, 303)
  await answerDevice(approving.here, grant, "authorize")
  await fetched(world.server, app, grant)
  await confirming(world)
  await steppingUp(world)
}

/** Keycloak signs in silently while it has a session. To confirm, it must ask again. */
async function confirming(world: World): Promise<void> {
  const { visitor } = await world.signIn("ada")
  assert.equal(visitor.there.asked, 1)
  await world.signIn("ada", { ...visitor, here: world.visitor().here })
  assert.equal(visitor.there.asked, 1, "the second sign-in is silent")
  const page = await visitor.here.get("/account/security")
  const { csrf = "" } = hiddenFields(page.text, "/account/security/disconnect")
  const between = await visitor.here.post("/account/prove/with", { csrf, provider: "staff" })
  const confirmed = await world.comeBack(visitor, "ada", between)
  assert.equal(confirmed.location, "/account/security", confirmed.text)
  assert.equal(visitor.there.asked, 2, "Keycloak asked for the password again")
}

/** The step-up of an app, which the person confirms by signing in at Keycloak again. */
async function steppingUp(world: World): Promise<void> {
  const app = await world.server.addApp({ stepUp: true })
  const { visitor } = await world.signIn("ada")
  const { access_token } = await connectIn(visitor.here, world.server, app)
  const asked = await send(world.server, "/oauth/step-up", {}, { authorization: `Bearer ${access_token}` })
  const page = await openCode(visitor.here, started(asked.body).userCode)
  const chosen = { decision: "authorize", provider: "staff" }
  const between = await visitor.here.submit(page, "/oauth/consent", chosen)
  const confirmed = await world.comeBack(visitor, "ada", between)
  assert.equal(headingOf(confirmed), "Confirmed", confirmed.text)
  assert.equal(visitor.there.asked, 2, "Keycloak asked for the password again")
}
