/** The alert rules of deploy/, judged by Prometheus itself on metrics that the service printed. */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { parse } from "yaml"
import { seriousKinds } from "../../src/model/event.rules.ts"
import { exchange, signedInBrowser } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { issueCode } from "../support/grant.ts"
import { newDirectory, type Span } from "../support/spawn.ts"
import { DEPLOY, findProgram } from "./proxy.ts"

const APART = { on: "apart", host: "127.0.0.1", port: 0 } as const
const FILE = join(DEPLOY, "alerts.yaml")

const promtool = findProgram(["promtool", "/usr/bin/promtool"], "--version") ?? ""
const needsPrometheus = promtool === "" ? { skip: "no promtool is installed" } : {}

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: "critical" | "warning" }
}
const rules = (parse(readFileSync(FILE, "utf8")) as { groups: [{ rules: readonly Rule[] }] }).groups[0].rules

test("METRICS-2 every counter that an alert names is one of the service, from its start", async (t) => {
  const { testServer } = await fixture({ span: t, metrics: APART })
  const text = await (await fetch(testServer.metricsUrl)).text()
  for (const kind of seriousKinds)
    assert.match(text, new RegExp(`^latchkey_audit_events_total\\{kind="${kind}",mark="serious"\\} 0$`, "m"))
  assert.equal(rules.length, new Set(rules.map(({ alert }) => alert)).size)
  for (const { expr } of rules)
    for (const [selector, name = "", labels = ""] of expr.matchAll(/(latchkey_\w+)(?:\{([^}]*)\})?/g)) {
      if (name.startsWith("latchkey_mail")) continue
      const wanted = labels.split(",").filter((label) => /^(?!route)\w+="/.test(label))
      const found = text.split("\n").some((line) => {
        const isName = line.startsWith(`${name}{`) || name.endsWith("_bucket")
        return isName && (name.endsWith("_bucket") || wanted.every((label) => line.includes(label)))
      })
      assert.ok(found, selector)
    }
})

test("METRICS-2, AUDIT-1 every serious kind is in exactly one rule, and only those that prove a theft are critical", () => {
  const kindsOf = ({ expr }: Rule) => /mark="serious",kind=~"([^"]*)"/.exec(expr)?.[1]?.split("|") ?? []
  assert.deepEqual(rules.flatMap(kindsOf).toSorted(), seriousKinds.toSorted())
  const critical = rules.filter(({ labels }) => labels.severity === "critical").flatMap(kindsOf)
  assert.deepEqual(critical.toSorted(), [
    "code-replayed",
    "codes-closed",
    "factors-reset",
    "refresh-repeated-elsewhere",
    "refresh-token-reused",
  ])
})

test(
  "METRICS-2 one replay after a start fires an alert, and a start alone fires none",
  needsPrometheus,
  async (t) => {
    const { testServer, app } = await fixture({
      span: t,
      metrics: APART,
      accounts: ["bob"],
      apps: { app: {} },
    })
    const read = async () => (await fetch(testServer.metricsUrl)).text()
    const bob = await signedInBrowser(testServer, "bob")
    const atStart = await read()
    const { code, verifier } = await issueCode(bob, app)
    await exchange(testServer, app, code, verifier)
    const inUse = await read()
    await exchange(testServer, app, code, verifier)
    const replayed = await read()
    assert.deepEqual(firing(t, [atStart, atStart, inUse, inUse]), [])
    assert.deepEqual(firing(t, [atStart, inUse, replayed, replayed]), ["LatchkeyStolenSecret code-replayed"])
  },
)

/** Scrapes come once a minute. Returns the alerts that fire at the last one. */
function firing(span: Span, scrapes: readonly string[]): readonly string[] {
  const dir = newDirectory(span)
  const series = scrapes.map(samplesOf)
  const names = new Set(series.flatMap((samples) => [...samples.keys()]))
  const input = [...names].map((name) => ({
    series: name,
    values: series.map((samples) => samples.get(name) ?? "_").join(" "),
  }))
  // Prometheus prints what it found in place of the expected nothing.
  const nothing = {
    expr: 'ALERTS{alertstate="firing"}',
    eval_time: `${scrapes.length - 1}m`,
    exp_samples: [],
  }
  const tests = [{ interval: "1m", input_series: input, promql_expr_test: [nothing] }]
  const file = join(dir, "test.yaml")
  writeFileSync(file, JSON.stringify({ rule_files: [FILE], evaluation_interval: "1m", tests }))
  const judged = spawnSync(promtool, ["test", "rules", file], { encoding: "utf8" })
  const said = judged.stdout + judged.stderr
  if (judged.status === 0) return []
  const got = said.split("got:")[1] ?? assert.fail(said)
  return [...got.matchAll(/\{__name__="ALERTS"([^}]*)\}/g)]
    .map(([, labels = ""]) => {
      const label = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(labels)?.[1] ?? ""
      return `${label("alertname")} ${label("kind") || label("event")}`.trim()
    })
    .toSorted()
}

/** The samples of the service. Those of the process differ from one machine to another. */
function samplesOf(text: string): ReadonlyMap<string, string> {
  const lines = text.split("\n").filter((line) => line.startsWith("latchkey_"))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ")
      return [line.slice(0, at), line.slice(at + 1)]
    }),
  )
}
