/** The environment variables that are known. Every other one that begins with LATCHKEY_ is refused. */

/** What the service and the gate read. `secret`: the variable has a `_FILE` twin. */
const operator: Readonly<Record<string, "plain" | "secret">> = {
  LATCHKEY_BASE_URL: "plain",
  LATCHKEY_CONFIG: "plain",
  LATCHKEY_DATA: "plain",
  LATCHKEY_DATABASE_POOL: "plain",
  LATCHKEY_DATABASE_URL: "secret",
  LATCHKEY_GATE_CONFIG: "plain",
  LATCHKEY_GATE_LOG_LEVEL: "plain",
  LATCHKEY_HOST: "plain",
  LATCHKEY_LOG_LEVEL: "plain",
  LATCHKEY_METRICS: "plain",
  LATCHKEY_MOVE_TO: "secret",
  LATCHKEY_PORT: "plain",
  LATCHKEY_SECRET_KEY: "secret",
  LATCHKEY_SECRET_KEY_NEW: "secret",
  LATCHKEY_SMTP_URL: "secret",
  LATCHKEY_TRUSTED_PROXIES: "plain",
}

/** The same shell may set these for the launcher, a proxy before the gate, the kits and their examples, and our tests. */
const others = [
  "LATCHKEY_PROGRAM",
  "LATCHKEY_GATE_SECRET",
  "LATCHKEY_ISSUER",
  "LATCHKEY_CLIENT_ID",
  "LATCHKEY_CLIENT_SECRET",
  "LATCHKEY_SECRET_FILE",
  "LATCHKEY_TEST_STORE",
  "LATCHKEY_TEST_POSTGRES",
  "LATCHKEY_TEST_TEMPLATE",
  "LATCHKEY_TEST_SEED",
  "LATCHKEY_SCREENSHOTS",
  "LATCHKEY_FUZZ_CASE",
  "LATCHKEY_PROVE_RATE",
  "LATCHKEY_PROVE_PARTS",
]

/** "Did you mean" suggests only these. */
export const operatorVariables: readonly string[] = Object.entries(operator).flatMap(([name, kind]) =>
  kind === "secret" ? [name, `${name}_FILE`] : [name],
)

export const knownVariables: ReadonlySet<string> = new Set([...operatorVariables, ...others])

export function isSecret(name: string): boolean {
  return Object.hasOwn(operator, name) && operator[name] === "secret"
}

/**
 * Whether Kubernetes sets the variable, for a Service whose name is `latchkey` or begins with `latchkey-`: in each pod of
 * the namespace, unless `enableServiceLinks` is false.
 */
export function isOfKubernetes(name: string, value: string): boolean {
  return (
    /_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$/.test(name) ||
    (/^LATCHKEY_([A-Z0-9_]+_)?PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value)) ||
    /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)
  )
}
