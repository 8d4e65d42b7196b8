// The health check of the container. Its exit status is 0 if the service answers, otherwise 1. It asks where the first
// process of the container listens: by its flags --host and --port, or the environment.
import { readFileSync } from "node:fs"
import { get } from "node:http"

const args = [...process.argv.slice(2), ...argumentsOfFirst()]
const given = valueOf("host") ?? process.env.LATCHKEY_HOST ?? ""
const host = ["", "0.0.0.0", "::"].includes(given) ? "127.0.0.1" : given
const variable = process.env.LATCHKEY_PORT ?? ""
const port = valueOf("port") ?? (/^\d+$/.test(variable) ? variable : "8787")

get({ host, port, path: "/health", signal: AbortSignal.timeout(2500) }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
).once("error", () => process.exit(1))

/** The value of `--name VALUE` or `--name=VALUE`. */
function valueOf(name) {
  const at = args.findIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
  return at < 0 ? undefined : args[at].includes("=") ? args[at].slice(name.length + 3) : args[at + 1]
}

function argumentsOfFirst() {
  try {
    const text = readFileSync("/proc/1/cmdline", "utf8")
    return text.includes("latchkey") ? text.split("\0") : []
  } catch {
    return []
  }
}
