/**
 * The proof of the Python kit. Its wheel is installed beside the frameworks of requirements.txt, in an environment that
 * is removed afterwards.
 */
import { cpSync } from "node:fs"
import { join } from "node:path"
import type { Figures, Proof } from "../proof.ts"
import { part } from "../proof.ts"
import { withExamples } from "./examples.ts"
import { install, KIT, type Python, run } from "./install.ts"
import { type Server, underServer } from "./servers.ts"

const REVOCATIONS = 200
const CACHED_MICROSECONDS = 20
/** The memory that may come on top of a full cache when as many other tokens follow again and again. */
const GROWTH_MIB = 5

export const pythonKit: Proof = {
  name: "python",
  promise: "the Python kit protects an API under every framework and server that it names",
  engines: ["sqlite"],
  prove: async (attempt) => {
    const { work, say } = attempt
    say("the wheel and its environment")
    const installed = install(work)
    if (typeof installed === "string") {
      say(`left out: ${installed}`)
      return { "left out": installed }
    }
    say("adapters and types")
    const tested = adapters(work, installed)
    say("speed and memory")
    const measured = { ...speed(installed), ...memory(installed) }
    say("examples")
    const shown = await withExamples(installed)
    const served: Figures[] = []
    for (const server of ["uvicorn", "gunicorn"] satisfies Server[])
      served.push(await underServer(server, installed, part(attempt, REVOCATIONS), say))
    return Object.assign(
      { wheel: installed.wheel, python: installed.version },
      tested,
      shown,
      measured,
      ...served,
    ) as Figures
  },
}

/** Runs all tests of the package against the installed wheel, and checks its types. */
function adapters(work: string, { python }: Python): Figures {
  // Without the sources beside them, the tests import the wheel.
  const copy = join(work, "packages/resource-server-python")
  cpSync(join(KIT, "tests"), join(copy, "tests"), { recursive: true })
  cpSync(join(KIT, "pyproject.toml"), join(copy, "pyproject.toml"))
  cpSync(join(KIT, "../vectors"), join(work, "packages/vectors"), { recursive: true })
  // A test runs the program of the guide.
  cpSync(join(KIT, "../../docs/python.md"), join(work, "docs/python.md"))
  const said = run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider"], copy)
  const passed = /^(\d+) passed in /m.exec(said)?.[1]
  if (passed === undefined) throw new Error(said.slice(-2000))
  const types = ["--strict", "--cache-dir", join(work, "mypy")]
  run([python, "-m", "mypy", ...types], KIT)
  run([python, "-m", "mypy", ...types, join(import.meta.dirname, "asgi_app.py")], work)
  return { "tests of the package": Number(passed), "mypy --strict": "no problems, and the wheel is typed" }
}

function speed({ python }: Python): Figures {
  const measured = JSON.parse(run([python, "speed.py"], import.meta.dirname)) as Record<string, number>
  const { sync = Number.NaN, async: asynchronous = Number.NaN, pyjwt = Number.NaN } = measured
  for (const one of [sync, asynchronous])
    if (!(one < CACHED_MICROSECONDS)) throw new Error(`a cached check takes ${one} µs`)
  const rounded = (value: number) => Math.round(value * 10) / 10
  return {
    "a cached check, µs": rounded(sync),
    "a cached check with asyncio, µs": rounded(asynchronous),
    "PyJWT verifies RS256, µs": rounded(pyjwt),
  }
}

function memory({ python }: Python): Figures {
  const steps = JSON.parse(run([python, "memory.py"], import.meta.dirname)) as readonly number[]
  const [empty = 0, full = 0, ...later] = steps
  const growth = Math.max(...later) - full
  if (growth > GROWTH_MIB) throw new Error(`the full cache grows by ${growth} MiB`)
  return {
    "10,000 tokens in the cache, MiB": Math.round(full - empty),
    "30,000 more, MiB on top": Math.round(Math.max(0, growth) * 10) / 10,
  }
}
