import { withPeriod } from "../kernel/words.ts"
import { ADDRESS_RANGE_EXPECTED, parseAddressRange } from "../platform/config/address-range.ts"
import { parseBaseUrl } from "../platform/config/base-url.ts"
import { readConfig } from "../platform/config/config.ts"
import { METRICS_EXPECTED, parseMetricsAddress } from "../platform/config/metrics-address.ts"
import type { ServeOptions } from "../main.ts"
import { StoreUnavailable } from "../store/unavailable.ts"
import {
  type Answer,
  command,
  type Flags,
  type Given,
  type Globals,
  usageError,
  refused,
} from "../platform/cli/command.ts"

/** `config check` judges the same flags and variables. */
export const serveFlags = {
  host: { value: "HOST", default: "127.0.0.1", env: "LATCHKEY_HOST", summary: "address to listen on" },
  port: {
    value: "PORT",
    default: "8787",
    env: "LATCHKEY_PORT",
    summary: "port to listen on; 0 means any free port",
  },
  "base-url": {
    value: "URL",
    env: "LATCHKEY_BASE_URL",
    summary:
      "the base URL that clients use (default: http://localhost:PORT); must be https, except on loopback",
  },
  metrics: {
    value: "HOST:PORT",
    env: "LATCHKEY_METRICS",
    summary:
      "serve /metrics for Prometheus at this address (PORT alone: loopback); public: at the address of the service",
  },
  "trusted-proxy": {
    value: "RANGE",
    repeat: true,
    env: "LATCHKEY_TRUSTED_PROXIES",
    summary: "trust X-Forwarded-For from these addresses; replaces trusted_proxies of the file",
  },
} as const satisfies Flags

export const serve = command({
  name: "serve",
  summary: "Start the service",
  flags: serveFlags,
  notes: [
    "Creates or migrates the database automatically. While no account exists, it prints a link to create the first " +
      "administrator. On SIGTERM it finishes the requests in flight, then ends. An embedded database serves one " +
      "process, PostgreSQL any number. The other commands can run at the same time.",
  ],
  example: "latchkey serve --base-url https://id.example.org --trusted-proxy 10.0.0.0/8",
  run: async ({ flags, globals }): Promise<Answer> => {
    const options = await serveOptions(flags, globals)
    return "exit" in options ? options : await run(options)
  },
})

/** Returns the options, or the answer of the command if they are not valid. */
export async function serveOptions(
  flags: Given<typeof serveFlags>,
  globals: Globals,
): Promise<ServeOptions | Answer> {
  const source = globals.sourceOf
  const port = /^\d{1,5}$/.test(flags.port) ? Number(flags.port) : Infinity
  if (port > 65_535) return usageError(`${source("port")} is a number from 0 to 65535, not "${flags.port}".`)
  const baseUrl = flags["base-url"] === null ? null : parseBaseUrl(flags["base-url"], source("base-url"))
  if (baseUrl?.ok === false) return usageError(baseUrl.error)
  const ranges = flags["trusted-proxy"].map((text) => ({ text, range: parseAddressRange(text) }))
  const wrong = ranges.find(({ range }) => range === null)
  if (wrong !== undefined)
    return usageError(`${source("trusted-proxy")} "${wrong.text}": ${ADDRESS_RANGE_EXPECTED}.`)
  const metrics = flags.metrics === null ? null : parseMetricsAddress(flags.metrics)
  if (flags.metrics !== null && metrics === null)
    return usageError(`${source("metrics")} is ${METRICS_EXPECTED}, not "${flags.metrics}".`)
  const config = await readConfig(globals)
  if (!config.ok) return refused(...config.error)
  const given = ranges.flatMap(({ range }) => range ?? [])
  return {
    ...config.value,
    trustedProxies: given.length > 0 ? given : config.value.trustedProxies,
    host: flags.host,
    port,
    baseUrl: baseUrl?.value ?? null,
    metrics,
    json: globals.json,
  }
}

async function run(options: ServeOptions): Promise<Answer> {
  const service = await import("../main.ts")
  try {
    await service.serve(options)
  } catch (error) {
    if (isExpected(error))
      return refused(withPeriod(`The service cannot start: ${error.message}`), ...hintOn(error, options.port))
    throw error
  }
  return { exit: 0, remarks: [] }
}

/** Names the flag that chooses the port if another process listens on it. The metrics may have a port of their own. */
function hintOn(error: Error, port: number): readonly string[] {
  const { code, port: taken } = error as NodeJS.ErrnoException & { readonly port?: number }
  if (code !== "EADDRINUSE") return []
  return [
    `Another process listens on port ${taken}. Choose another port with ${taken === port ? "--port" : "--metrics"}.`,
  ]
}

/** Whether the operator can fix the problem. Such an error is a plain `Error` or has the code of a system error. */
function isExpected(error: unknown): error is Error {
  if (error instanceof StoreUnavailable) return true
  return error instanceof Error && (error.constructor === Error || "code" in error)
}
