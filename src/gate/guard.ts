/** Decides about requests with the kit, which keeps the state of tokens in memory. */
import type { Access, Incoming, Requirement, ResourceServer } from "#resource-server/resource-server.ts"
import type { Connection } from "#resource-server/connection.ts"
import { answerOfRefusal, type GateAnswer, NOT_DECLARED, PATH_REFUSED } from "./answer.rules.ts"
import type { Asked } from "./families.rules.ts"
import { passedAnswer, PUBLIC_ANSWER } from "./identity.rules.ts"
import { type GateHost, type GateRoute, permissionsOf } from "./routes/route.rules.ts"
import { hostName } from "./routes/host.rules.ts"
import { findRoute } from "./routes/match.rules.ts"

/** Signs the assertion for the app. `resource` is its audience. */
export type Assert = (access: Access, resource: string) => Promise<{ jwt: string; until: number }>

type GuardedHost = {
  readonly host: GateHost
  readonly kit: ResourceServer
  /** The answers for tokens, until their assertion must be renewed. The kit shares an access between requests. */
  readonly answers: WeakMap<Access, { readonly answer: GateAnswer; readonly until: number }>
}

export type Decided = {
  readonly answer: GateAnswer
  /** The name of the host in the file, or null for any other host. */
  readonly host: string | null
  readonly route: GateRoute | null
}

export type GuardOptions = {
  readonly connection: Connection
  readonly hosts: readonly GateHost[]
  /** Null leaves the assertion empty. */
  readonly assert: Assert | null
  readonly monotonic: () => number
}

export class Guard {
  readonly #hosts: ReadonlyMap<string, GuardedHost>
  readonly #requirements: ReadonlyMap<GateRoute, Requirement>
  readonly #assert: Assert | null
  readonly #monotonic: () => number

  constructor({ connection, hosts, assert, monotonic }: GuardOptions) {
    this.#assert = assert
    this.#monotonic = monotonic
    this.#hosts = new Map(
      hosts.map((host) => {
        const { resource, requireAudience } = host
        const permissions = permissionsOf(host)
        const described = {
          resource,
          permissions,
          requireAudience,
          name: undefined,
          documentation: undefined,
        }
        const kit = connection.at(described)
        return [host.name, { host, kit, answers: new WeakMap() }]
      }),
    )
    this.#requirements = new Map(
      hosts.flatMap(({ routes }) =>
        routes.map((route) => [route, { permissions: route.permissions, elevation: route.elevation }]),
      ),
    )
  }

  /** The kits of all hosts, for their metadata. */
  get kits(): readonly { readonly name: string; readonly kit: ResourceServer }[] {
    return [...this.#hosts].map(([name, { kit }]) => ({ name, kit }))
  }

  decide(asked: Asked, incoming: Incoming): Decided | Promise<Decided> {
    const guarded = this.#hosts.get(hostName(asked.host) ?? "")
    if (guarded === undefined) return UNKNOWN_HOST
    const host = guarded.host.name
    const found = findRoute(guarded.host.table, asked.method, asked.target)
    if (found.found === "undeclared") return { answer: NOT_DECLARED, host, route: null }
    if (found.found !== "route") return { answer: PATH_REFUSED, host, route: null }
    if (found.route.closed !== null) return { answer: NOT_DECLARED, host, route: found.route }
    if (found.route.isPublic) return { answer: PUBLIC_ANSWER, host, route: found.route }
    return this.#verify(guarded, found.route, incoming)
  }

  async #verify(guarded: GuardedHost, route: GateRoute, incoming: Incoming): Promise<Decided> {
    const requirement = this.#requirements.get(route)
    if (requirement === undefined) throw new Error("the route is not declared")
    const host = guarded.host.name
    const checked = await guarded.kit.verify(incoming, requirement)
    if (!checked.ok) return { answer: answerOfRefusal(checked.refusal), host, route }
    const kept = guarded.answers.get(checked.access)
    if (kept !== undefined && kept.until > this.#monotonic()) return { answer: kept.answer, host, route }
    return { answer: await this.#passed(guarded, checked.access), host, route }
  }

  async #passed({ host, answers }: GuardedHost, access: Access): Promise<GateAnswer> {
    const signed = this.#assert === null ? NO_ASSERTION : await this.#assert(access, host.resource)
    const answer = passedAnswer(access, signed.jwt)
    answers.set(access, { answer, until: signed.until })
    return answer
  }
}

const NO_ASSERTION = { jwt: "", until: Infinity }
const UNKNOWN_HOST: Decided = { answer: NOT_DECLARED, host: null, route: null }
