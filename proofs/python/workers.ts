/** One connection to each worker process of a server. A connection that is kept open stays with its worker. */
import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import type { Span } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"

type Answer = { readonly status: number; readonly worker: string; readonly isLive: boolean }
type Connection = { readonly agent: Agent; readonly worker: string }

const AT_ONCE = 16

export class Workers {
  readonly #url: string
  readonly #connections: readonly Connection[]

  private constructor(url: string, connections: readonly Connection[]) {
    this.#url = url
    this.#connections = connections
  }

  /** Opens connections until `count` workers have answered. */
  static async open(span: Span, url: string, count: number): Promise<Workers> {
    const found = new Map<string, Agent>()
    await until(
      async () => {
        const agents = Array.from({ length: AT_ONCE }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
        const answers = await Promise.all(agents.map((agent) => ask(url, agent, null)))
        for (const [at, { worker }] of answers.entries()) {
          const agent = agents[at]
          if (agent === undefined) continue
          if (found.has(worker)) agent.destroy()
          else found.set(worker, agent)
        }
        return found.size >= count
      },
      `${count} workers answer`,
      60_000,
    )
    span.after(() => {
      for (const agent of found.values()) agent.destroy()
    })
    return new Workers(
      url,
      [...found].map(([worker, agent]) => ({ worker, agent })),
    )
  }

  /** Waits until every worker answers `wanted`. Only statuses of `allowed` may come meanwhile. Returns milliseconds. */
  async until(token: string, wanted: number, allowed: readonly number[], patience?: number): Promise<number> {
    return until(
      async () => {
        const statuses = (await this.#ask(token)).map(({ status }) => status)
        const other = statuses.find((status) => status !== wanted && !allowed.includes(status))
        if (other !== undefined) throw new Error(`a worker answered ${other} on the way to ${wanted}`)
        return statuses.every((status) => status === wanted)
      },
      `every worker answers ${wanted}`,
      patience,
    )
  }

  /** Waits until every worker caches responses. */
  async untilLive(token: string): Promise<void> {
    await until(async () => (await this.#ask(token)).every(({ isLive }) => isLive), "every worker is live")
  }

  #ask(token: string): Promise<readonly Answer[]> {
    return Promise.all(
      this.#connections.map(async ({ agent, worker }) => {
        const answer = await ask(this.#url, agent, token)
        if (answer.worker !== worker) throw new Error(`the connection to ${worker} leads to ${answer.worker}`)
        return answer
      }),
    )
  }
}

async function ask(url: string, agent: Agent, token: string | null): Promise<Answer> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const sent = request(url, { agent, headers })
  sent.end()
  const [response] = (await once(sent, "response")) as [IncomingMessage]
  response.resume()
  await once(response, "end")
  const { "x-worker": worker, "x-live": live } = response.headers
  return { status: response.statusCode ?? 0, worker: String(worker), isLive: live === "True" }
}
