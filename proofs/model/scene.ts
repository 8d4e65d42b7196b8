/** The start of every history: three accounts and three apps, without recent wrong guesses. */
import { WRONG_CODES } from "./limits.ts"
import { Player } from "./player.ts"
import { REDIRECT_URIS } from "./redirect-uris.ts"
import type { Person, Stage } from "./stage.ts"
import { bind } from "./expected.ts"
import { type App, emptyWorld, idName, secretName, type World } from "./world.ts"

const ACCOUNTS = ["ada", "bea", "carl"] as const

type FirstApp = Pick<App, "name" | "type" | "ceiling" | "mayStepUp" | "algorithm" | "remembers">

const APPS: readonly FirstApp[] = [
  {
    name: "Anvil",
    type: "public",
    ceiling: ["account:write", "credentials:write", "files:write", "notes:write", "openid", "profile"],
    mayStepUp: true,
    algorithm: "RS256",
    remembers: true,
  },
  {
    name: "Bellows",
    type: "confidential",
    ceiling: [
      "account:read",
      "files:write",
      "admin:apps",
      "admin:accounts",
      "admin:crew",
      "notes:read",
      "openid",
      "groups",
    ],
    mayStepUp: true,
    algorithm: "ES256",
    remembers: true,
  },
  {
    name: "Chisel",
    type: "public",
    ceiling: ["files:read"],
    mayStepUp: false,
    algorithm: "RS256",
    remembers: false,
  },
]

export type Scene = {
  readonly world: World
  readonly player: Player
  readonly people: ReadonlyMap<string, Person>
}

export async function sceneOn(stage: Stage): Promise<Scene> {
  const { testServer } = stage
  testServer.clock.advance(WRONG_CODES.seconds + 1)
  const world = emptyWorld(testServer.database.engine, testServer.clock.now())
  const persons = await stage.people(ACCOUNTS.length)
  const people = new Map<string, Person>()
  for (const [n, name] of ACCOUNTS.entries()) {
    const person = persons[n]
    if (person === undefined) throw new Error(`no person is called ${name}`)
    people.set(name, person)
    const { usedStep } = person
    world.accounts.set(name, {
      name,
      state: "enabled",
      isAdmin: false,
      groups: [],
      usedStep,
      session: null,
      sessions: 0,
    })
    bind(world.bound, name, person.username)
    bind(world.bound, idName(name), person.userId)
  }
  for (const app of APPS) await settle(stage, world, app)
  return { world, player: new Player(stage, people), people }
}

async function settle(
  stage: Stage,
  world: World,
  { name, type, ceiling, mayStepUp, algorithm, remembers }: FirstApp,
): Promise<void> {
  const made = await stage.testServer.addApp({
    name,
    type,
    redirectUris: REDIRECT_URIS,
    permissions: ceiling,
    stepUp: mayStepUp,
    idTokenAlgorithm: algorithm,
    rememberConsent: remembers,
  })
  const secrets = made.secret === null ? 0 : 1
  world.apps.set(name, {
    name,
    type,
    state: "enabled",
    ceiling,
    groups: [],
    mayStepUp,
    algorithm,
    remembers,
    redirects: REDIRECT_URIS.length,
    isOwned: false,
    secrets,
  })
  bind(world.bound, idName(name), made.clientId)
  if (made.secret !== null) bind(world.bound, secretName(name, 1), made.secret)
}
