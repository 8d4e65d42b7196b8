/** Tests icons in files with the command line. A text script cannot contain a picture. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { latchkey, newDirectory } from "../../support/spawn.ts"
import { png, pngWith } from "../../support/picture.ts"

test("CLIENT-5, ICON-1: an app is registered with an icon, gets another, and none", async (t) => {
  const dir = newDirectory(t)
  const environment = { LATCHKEY_DATA: dir }
  const file = (name: string, bytes: Uint8Array): string => {
    writeFileSync(join(dir, name), bytes)
    return join(dir, name)
  }
  const seesIcon = async (id: string): Promise<boolean> => {
    const { stdout } = await latchkey(["app", "show", id], { environment })
    return /^icon +yes$/m.test(stdout)
  }
  const run = async (exit: number, ...args: readonly string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await latchkey([...args, "--json"], { environment })
    assert.equal(code, exit, stderr)
    return stdout === "" ? { stderr } : (JSON.parse(stdout) as Record<string, unknown>)
  }
  const picture = file("logo.png", png(40, 20))
  const added = await run(
    0,
    "app",
    "add",
    "--name",
    "Notes",
    "--type",
    "public",
    "--verified",
    "--icon",
    picture,
  )
  const id = String(added["client_id"])
  assert.equal(await seesIcon(id), true)

  const bomb = file("bomb.png", pngWith(50_000, 50_000, Buffer.alloc(8)))
  assert.match(String((await run(1, "app", "update", id, "--icon", bomb))["stderr"]), /bomb\.png .* pixels/)
  const lie = file("lie.png", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"))
  const refused = await run(1, "app", "update", id, "--name", "Other", "--icon", lie)
  assert.match(String(refused["stderr"]), /lie\.png .* PNG, JPEG, WebP or GIF/)
  const large = file("large.png", Buffer.alloc(600_000))
  assert.match(String((await run(1, "app", "update", id, "--icon", large))["stderr"]), /512 KiB/)
  assert.deepEqual(await run(0, "app", "show", id), added)

  const changed = await run(0, "app", "update", id, "--name", "Other", "--icon", file("new.png", png(9, 9)))
  assert.deepEqual([changed["client_name"], await seesIcon(id)], ["Other", true])
  const bare = await run(0, "app", "update", id, "--icon", "none")
  assert.deepEqual([bare["verified"], await seesIcon(id)], [true, false])
})
