import { withPeriod } from "../../kernel/words.ts"
import { type Answer, command, refused, usageError } from "../../platform/cli/command.ts"
import { METRICS_APART_EXPECTED, parseMetricsAddress } from "../../platform/config/metrics-address.ts"
import { readGateConfig } from "../file/gate-config.ts"

export const configFlag = {
  value: "FILE",
  default: "./gate.yaml",
  env: "LATCHKEY_GATE_CONFIG",
  summary: "file of the gate",
} as const

export const gate = command({
  name: "gate",
  summary: "Guard any API behind a proxy that asks before each request",
  operands: [],
  flags: {
    config: configFlag,
    host: { value: "HOST", default: "127.0.0.1", summary: "address to listen on" },
    port: { value: "PORT", default: "8790", summary: "port to listen on; 0 means any free port" },
    metrics: {
      value: "HOST:PORT",
      summary: "serve /metrics for Prometheus at this address (PORT alone: loopback)",
    },
  },
  notes: [
    "A process of its own, which needs no database. It keeps the state of tokens in memory and reads the event stream " +
      "of the service, so that a revocation is in effect within a second.",
  ],
  example: "latchkey gate --config /etc/latchkey/gate.yaml",
  run: async ({ flags, globals }): Promise<Answer> => {
    const port = /^\d{1,5}$/.test(flags.port) ? Number(flags.port) : Infinity
    if (port > 65_535) return usageError(`--port is a number from 0 to 65535, not "${flags.port}".`)
    const metrics = flags.metrics === null ? null : parseMetricsAddress(flags.metrics)
    if (flags.metrics !== null && metrics?.on !== "apart")
      return usageError(`--metrics is ${METRICS_APART_EXPECTED}, not "${flags.metrics}".`)
    const config = readGateConfig(flags.config)
    if (!config.ok) return refused(...config.error)
    const { runGate } = await import("../run-gate.ts")
    try {
      const place = metrics?.on === "apart" ? metrics : null
      await runGate({ config: config.value, host: flags.host, port, metrics: place, json: globals.json })
    } catch (error) {
      if (error instanceof Error && (error.constructor === Error || "code" in error))
        return refused(withPeriod(`The gate cannot start: ${error.message}`))
      throw error
    }
    return { exit: 0, remarks: [] }
  },
})
