// For a container's health check: ends with 0 where the service answers, with 1 where it does not.
const { LATCHKEY_PORT = "8787" } = process.env

fetch(`http://127.0.0.1:${LATCHKEY_PORT}/health`, { signal: AbortSignal.timeout(2500) }).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
)
