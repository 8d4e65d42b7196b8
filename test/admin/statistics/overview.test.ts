import assert from "node:assert/strict"
import { test } from "node:test"
import { connect, refresh } from "../../support/connect.ts"
import { tagsOf, textOf } from "../../platform/ui/markup.ts"
import { consoleWorld } from "../console/console-world.ts"

const world = await consoleWorld()

const get = async (path: string) => {
  const answer = await world.ada.get(path)
  assert.equal(answer.status, 200, path)
  return answer.text
}

test("the overview draws what was counted", async () => {
  const { testServer, app } = world
  const held = await connect(testServer, app, "ada")
  await refresh(testServer, app, held.refresh_token)
  const empty = textOf(await get("/console?period=month"))
  assert.match(empty, /Version \d+\.\d+\.\d+|\d+\.\d+\.\d+/)
  const page = await get("/console?period=hour")
  tagsOf(page)
  for (const title of [
    "Credentials issued",
    "Refreshes",
    "Refusals by reason",
    "Device grants by outcome",
    "Active installations",
  ])
    assert.ok(page.includes(`>${title}</h2>`), title)
  assert.match(textOf(page), /No device asked for anything in the last hour\./)
  const { installations } = await testServer.store.gauges(testServer.clock.now())
  assert.ok(
    textOf(page).includes(`Active installations ${installations} now`),
    "what there is now, not a mean",
  )
})
