/** Tests the table of switches: its names, and what its rows give to a registration, an owner and a record. */
import { test } from "node:test"
import assert from "node:assert/strict"
import {
  appSwitches,
  defaultSwitches,
  ownersSwitches,
  recordedSwitches,
  switchesAfter,
  switchesFrom,
} from "../../../src/model/clients/app-switches.rules.ts"

const on = switchesFrom(() => true)
const off = switchesFrom(() => false)

test("CLIENT-8, CLIENT-10: a new app has every switch off, except the device flow", () => {
  const isOn = Object.entries(defaultSwitches).flatMap(([member, value]) => (value ? [member] : []))
  assert.deepEqual(isOn, ["deviceFlow"])
})

test("SVC-8, CLIENT-8, CLIENT-10: an owner may ask for step-up, and for no other switch", () => {
  const asked = Object.entries(ownersSwitches(on)).flatMap(([member, value]) =>
    value === true ? [member] : [],
  )
  assert.deepEqual(asked, ["stepUp"])
})

test("CLIENT-10: what is left out of a change stays", () => {
  assert.deepEqual(switchesAfter(on, {}), on)
  assert.deepEqual(switchesAfter(off, { deviceFlow: undefined }), off)
  assert.deepEqual(switchesAfter(on, { deviceFlow: false }), { ...on, deviceFlow: false })
})

test("CLIENT-10: a record has the first three switches, and others that are not as by default", () => {
  const first = { verified: false, step_up: false, resource_server: false }
  assert.deepEqual(recordedSwitches(defaultSwitches), first)
  assert.deepEqual(recordedSwitches({ ...defaultSwitches, verified: true, deviceFlow: false }), {
    ...first,
    verified: true,
    device_flow: false,
  })
})

test("a switch has the same name as column, member and flag, and no two have one name", () => {
  for (const { member, name, flag } of appSwitches) {
    assert.equal(
      name,
      member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    )
    assert.equal(flag, name.replaceAll("_", "-"))
  }
  assert.equal(new Set(appSwitches.map(({ name }) => name)).size, appSwitches.length)
})
