// The health check of the container. Its exit status is 0 if the service answers, otherwise 1.
import { get } from "node:http"

const port = process.env.LATCHKEY_PORT || "8787"

get(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2500) }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
).once("error", () => process.exit(1))
