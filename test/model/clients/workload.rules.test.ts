import assert from "node:assert/strict"
import { test } from "node:test"
import {
  discoveryOf,
  matchesSubject,
  parseWorkload,
  workloadFrom,
} from "../../../src/model/clients/workload.rules.ts"

const github = {
  issuer: "https://token.actions.githubusercontent.com",
  audience: "https://auth.example.com",
  subject: "repo:acme/app:ref:refs/heads/main",
}
const problemOf = (differing: Partial<typeof github>) => {
  const parsed = parseWorkload({ ...github, ...differing })
  return parsed.ok ? null : parsed.error
}
const ofSubject = (subject: string) => problemOf({ subject })

test("WORK-1 a workload has an https issuer, an audience and a subject, all three", () => {
  assert.deepEqual(parseWorkload(github), { ok: true, value: github })
  for (const member of ["issuer", "audience", "subject"] as const)
    assert.match(problemOf({ [member]: "" }) ?? "", /needs its issuer, audience and subject together/)
  for (const issuer of [
    "https://kubernetes.default.svc.cluster.local",
    "https://oidc.eks.eu-west-1.amazonaws.com/id/ABCDEF",
    "https://accounts.example.com/",
    "https://issuer.test:8443/realms/a",
  ])
    assert.equal(problemOf({ issuer }), null, issuer)
  for (const issuer of [
    "http://issuer.test",
    "https://issuer.test?tenant=a",
    "https://issuer.test/?a",
    "https://issuer.test#a",
    "https://10.0.0.1",
    "https://user@issuer.test",
    "https://Issuer.test",
    "https://issuer.test\n",
    "kubernetes/serviceaccount",
  ])
    assert.match(problemOf({ issuer }) ?? "", /^The issuer of a workload/, issuer)
  for (const audience of [" a", "a ", "a\n", "ä", "a\u0000b", "a".repeat(501)])
    assert.match(problemOf({ audience }) ?? "", /^The audience of a workload/, JSON.stringify(audience))
  assert.equal(problemOf({ audience: "a".repeat(500) }), null)
})

test("WORK-1 nothing was entered if no member has a text, and the metadata are below the issuer", () => {
  assert.equal(
    workloadFrom(() => ""),
    undefined,
  )
  assert.deepEqual(
    workloadFrom((member) => (member === "audience" ? "a" : "")),
    { issuer: "", audience: "a", subject: "" },
  )
  for (const issuer of ["https://issuer.test", "https://issuer.test/"])
    assert.equal(discoveryOf(issuer), "https://issuer.test/.well-known/openid-configuration")
})

test("WORK-2 a pattern is refused when it is set, with examples that are accepted", () => {
  const refused = [
    ["*", /first two parts .* literal/],
    ["repo:*", /first two parts .* literal/],
    ["repo:ac*:ref:refs/heads/main", /first two parts .* literal/],
    ["*:acme/app:ref:refs/heads/main", /first two parts .* literal/],
    [":acme:*", /first two parts .* literal/],
    ["repo::*", /first two parts .* literal/],
    ["spiffe://*/ns/web", /first two parts .* literal/],
    ["/acme/*", /first two parts .* literal/],
    ["repo:acme/**:ref:refs/heads/main", /at most one \*/],
    ["repo:acme/app:ref:refs/heads/*-*", /at most one \*/],
    ["repo:acme/app:*", /only pull requests/],
    ["repo:acme/*:pull_*", /only pull requests/],
    ["repo:acme/*:*request", /only pull requests/],
    ["repo:acme/*:pull_request", /only pull requests/],
    ["repo:acme/a*:pull_request", /only pull requests/],
  ] as const
  for (const [subject, problem] of refused) {
    const message = ofSubject(subject) ?? ""
    assert.match(message, problem, subject)
    const examples = /Examples: (.*)\.$/.exec(message)?.[1]?.split(", ") ?? []
    assert.equal(examples.length, 3)
    for (const example of examples) assert.equal(ofSubject(example), null)
  }
  for (const subject of [
    " repo:a:b",
    "repo:a:b ",
    "repo:a:b\n",
    "repo:a\u0000:b",
    "repo:a:ü",
    "a".repeat(501),
  ])
    assert.match(ofSubject(subject) ?? "", /^The subject of a workload/, JSON.stringify(subject))
})

test("WORK-2 no pattern matches the pull requests of GitHub, in whatever part its * is", () => {
  const end = "pull_request"
  const lasts = [end]
  for (let from = 0; from < end.length; from += 1)
    for (let to = from + 1; to <= end.length; to += 1) lasts.push(`${end.slice(0, from)}*${end.slice(to)}`)
  for (const name of ["app", "*", "a*", "*p", "a*p"])
    for (const last of lasts) {
      const pattern = `repo:acme/${name}:${last}`
      const isText = !pattern.includes("*")
      assert.equal(ofSubject(pattern)?.includes("matches only pull requests") ?? false, !isText, pattern)
    }
  for (const other of [`${end}*`, `*${end}`, "pull_requests*", "Pull_*", "pull-*", "push*"])
    assert.equal(ofSubject(`repo:acme/*:${other}`), null, other)
  for (const elsewhere of ["repo:acme/*:environment:pull_request", "gitlab:acme/*:pull_request"])
    assert.equal(ofSubject(elsewhere), null, elsewhere)
})

test("WORK-2 accepted: the subject itself in any form, and patterns of parts", () => {
  for (const subject of [
    "107517467455664443766",
    "repo:acme/app:pull_request",
    "spiffe://cluster.local/ns/web/sa/app",
    "repo:acme/app:environment:Production EU",
    "organization:acme:step:",
    "repo:acme/*:ref:refs/heads/main",
    "repo:acme/app:ref:refs/tags/v*",
    "repo:acme/app:*:*",
    "system:serviceaccount:ns:*",
    "system:serviceaccount:team-*:deployer",
    "organization:acme:*:step:",
  ])
    assert.equal(ofSubject(subject), null, subject)
})

test("WORK-2 without a * the subject is that text and no other", () => {
  const main = "repo:acme/app:ref:refs/heads/main"
  assert.equal(matchesSubject(main, main), true)
  for (const other of [
    "repo:acme/app:ref:refs/heads/main ",
    "repo:acme/app:ref:refs/heads/main\n",
    "repo:acme/app:ref:refs/heads/Main",
    "repo:acme/app:ref:refs/heads/maіn",
    "repo:acme/app:ref:refs/heads%2Fmain",
    "repo:acme/app:ref:refs/heads/main/x",
    "repo:acme/app:ref:refs/heads",
    "repo:acme/app:pull_request",
    "repo:acme/app:ref:refs/tags/main",
    "xrepo:acme/app:ref:refs/heads/main",
    "",
  ])
    assert.equal(matchesSubject(main, other), false, JSON.stringify(other))
})

test("WORK-2 a * stands for one or more characters of its part", () => {
  const cases: readonly (readonly [pattern: string, subject: string, matches: boolean])[] = [
    ["repo:acme/*:ref:refs/heads/main", "repo:acme/app:ref:refs/heads/main", true],
    ["repo:acme/*:ref:refs/heads/main", "repo:acme/:ref:refs/heads/main", false],
    ["repo:acme/*:ref:refs/heads/main", "repo:evil/app:ref:refs/heads/main", false],
    ["repo:acme/*:ref:refs/heads/main", "repo:acme/a/b:ref:refs/heads/main", false],
    ["repo:acme/*:ref:refs/heads/main", "repo:acme/app:pull_request", false],
    ["repo:acme/app:ref:refs/heads/*", "repo:acme/app:ref:refs/heads/main", true],
    ["repo:acme/app:ref:refs/heads/*", "repo:acme/app:ref:refs/heads/a/b", false],
    ["repo:acme/app:ref:refs/heads/*", "repo:acme/app:ref:refs:heads/a", false],
    ["repo:acme/app:ref:refs/heads/*", "repo:acme/app:ref:refs/heads/a:b", false],
    ["repo:acme/app:ref:refs/heads/*", "repo:acme/app:ref:refs/heads/a\n", false],
    ["repo:acme/app:ref:refs/heads/*", "repo:acme/app:ref:refs/heads/ä", false],
    ["repo:acme/app:ref:refs/heads/*", "repo:acme/app:ref:refs/heads/a%2Fb", true],
    ["repo:acme/app:ref:refs/heads/release-*", "repo:acme/app:ref:refs/heads/release-1", true],
    ["repo:acme/app:ref:refs/heads/release-*", "repo:acme/app:ref:refs/heads/release-", false],
    ["repo:acme/app:ref:refs/heads/release-*", "repo:acme/app:ref:refs/heads/Release-1", false],
    ["repo:acme/app:ref:refs/heads/a*a", "repo:acme/app:ref:refs/heads/aa", false],
    ["repo:acme/app:ref:refs/heads/a*a", "repo:acme/app:ref:refs/heads/aba", true],
    ["repo:acme/app:ref:refs/heads/a*a", "repo:acme/app:ref:refs/heads/a", false],
    ["repo:acme/app:*:*", "repo:acme/app:environment:production", true],
    ["repo:acme/app:*:*", "repo:acme/app:pull_request", false],
    ["repo:acme/app:v.*:x", "repo:acme/app:vab:x", false],
    ["system:serviceaccount:ns:*", "system:serviceaccount:ns:app", true],
    ["system:serviceaccount:ns:*", "system:serviceaccount:ns2:app", false],
    ["system:serviceaccount:ns:*", "system:serviceaccount:ns/app", false],
    ["organization:acme:*:step:", "organization:acme:main:step:", true],
    ["organization:acme:*:step:", "organization:acme:main:step:x", false],
  ]
  for (const [pattern, subject, matches] of cases)
    assert.equal(matchesSubject(pattern, subject), matches, `${pattern} ${JSON.stringify(subject)}`)
})

test("WORK-2 every short pattern and subject agree with the expression that says the rule", () => {
  const texts = (length: number, of: string): string[] =>
    length === 0 ? [""] : texts(length - 1, of).flatMap((text) => [text, ...[...of].map((one) => text + one)])
  const subjects = [...new Set(texts(4, "ab:/"))]
  let matched = 0
  for (const end of new Set(texts(4, "a*:/"))) {
    const pattern = `a:b/${end}`
    if (ofSubject(pattern) !== null) continue
    const rule = new RegExp(`^${pattern.replaceAll("*", "[^:/]+")}$`, "u")
    for (const subject of subjects.map((text) => `a:b/${text}`)) {
      const matches = matchesSubject(pattern, subject)
      assert.equal(matches, rule.test(subject), `${pattern} ${subject}`)
      if (matches) matched += 1
    }
  }
  assert.ok(matched > 300, String(matched))
})

test("WORK-2 a long subject costs no more than its length", () => {
  const pattern = `system:serviceaccount:${"a*a:".repeat(50)}x`
  assert.equal(matchesSubject(pattern, `system:serviceaccount:${"a".repeat(100_000)}`), false)
  assert.equal(matchesSubject(pattern, `system:serviceaccount:${"a:".repeat(5000)}`), false)
})
