/** The proof: the Go kit with real servers and clients, a service that is killed, and many tokens. */
import { freePort } from "../../test/support/free-port.ts"
import { needsGo } from "../../test/support/go.ts"
import { type Span, within } from "../../test/support/spawn.ts"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { mcp } from "./mcp.ts"
import { outages } from "./outages.ts"
import { GoProgram } from "./program.ts"
import { revocations } from "./revocations.ts"
import { expect, serveAll, type Servers } from "./servers.ts"
import { type Binaries, build, fuzz, speed, testAll } from "./tools.ts"
import { World } from "./world.ts"

const TOKENS = 10_000
/** A service account has at most this many access tokens at a time. */
const TOKENS_PER_ACCOUNT = 1000
const HEAP_AT_MOST_MIB = 32
const FILL_PATIENCE_MILLISECONDS = 300_000

export const go: Proof = {
  name: "go",
  promise: "the Go kit refuses a revoked token within a second, and never lets an unchecked request through",
  engines: ["sqlite"],
  prove: async (attempt) => {
    if ("skip" in needsGo) return { "left out": needsGo.skip }
    const tested = { ...testAll(attempt), ...fuzz(attempt), ...speed(attempt) }
    const binaries = build(attempt.work)
    return { ...tested, ...(await within((span) => proveServers(span, attempt, binaries))) }
  },
}

async function proveServers(span: Span, attempt: Attempt, binaries: Binaries): Promise<Figures> {
  const world = await World.open(span)
  const servers = await serveAll(span, world, binaries)
  await answers(world, servers)
  attempt.say("net/http, chi and grpc-go answer as they should")
  const felt = await revocations(world, servers, attempt)
  const flow = await mcp(span, world, binaries)
  attempt.say("the client of the MCP SDK went through the whole flow")
  const killed = await outages(world, servers, attempt)
  const filled = await fill(span, world, binaries, attempt)
  return { ...felt, ...flow, ...killed, ...filled }
}

/** Allowed, missing, insufficient and needs elevation, through chi and gRPC. */
async function answers(world: World, { chi, grpc }: Servers): Promise<void> {
  const [writer, reader] = [await world.token(), await world.token("notes:read")]
  expect("chi", await (await chi.call(writer, "/notes/7")).text(), "bob 7")
  expect("chi without a token", (await chi.call(null, "/notes/7")).status, 401)
  expect("chi, a public route", (await chi.call(null, "/public")).status, 200)
  expect("chi, elevation", (await chi.call(writer, "/notes/7", "DELETE")).status, 400)
  expect("chi, metadata", (await chi.call(null, "/.well-known/oauth-protected-resource")).status, 200)
  expect("gRPC", await grpc.asked(`add ${writer}`), "OK")
  expect("gRPC without a token", await grpc.asked("list"), "Unauthenticated")
  expect("gRPC, a permission", await grpc.asked(`add ${reader}`), "PermissionDenied")
  expect("gRPC, elevation", await grpc.asked(`clear ${writer}`), "FailedPrecondition")
  grpc.say(`watch ${reader}`)
  await world.revoke(reader)
  // Each note is a message of the stream, and the token is checked with it.
  let ended = ""
  while (ended === "") {
    const said = await grpc.asked<string>(`add ${writer}`)
    if (said.startsWith("ended")) ended = said
  }
  expect("the note that ended it", await grpc.value(), "OK")
  expect("a stream whose token is revoked", ended, "ended with Unauthenticated")
}

type Filled = {
  readonly accepted: number
  readonly acceptedAgain: number
  readonly askedSeconds: number
  readonly againSeconds: number
  readonly heapBytes: number
  readonly isLive: boolean
}

async function fill(span: Span, world: World, binaries: Binaries, attempt: Attempt): Promise<Figures> {
  const count = part(attempt, TOKENS)
  attempt.say(`${count} tokens are issued`)
  const tokens = await world.serviceTokens(count, TOKENS_PER_ACCOUNT)
  const program = new GoProgram(span, binaries.program, ["fill"], world.environment(await freePort()))
  program.say(...tokens)
  program.end()
  const filled = await program.value<Filled>(FILL_PATIENCE_MILLISECONDS)
  expect("accepted", [filled.accepted, filled.acceptedAgain, filled.isLive], [count, count, true])
  const heap = filled.heapBytes / 2 ** 20
  if (heap > HEAP_AT_MOST_MIB) throw new Error(`${count} tokens take ${heap} MiB`)
  return {
    "tokens in memory": count,
    "heap that they take, MiB": heap.toFixed(1),
    "first check of each, asked, µs": Math.round((filled.askedSeconds / count) * 1e6),
    "second check of each, from memory, µs": ((filled.againSeconds / count) * 1e6).toFixed(1),
  }
}
