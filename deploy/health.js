// For a container's health check: ends with 0 where the service answers, with 1 where it does not.
import { get } from "node:http"

const port = process.env.LATCHKEY_PORT || "8787"

get(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2500) }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
).once("error", () => process.exit(1))
