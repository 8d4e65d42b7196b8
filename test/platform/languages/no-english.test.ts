/** Renders pages in a language whose every text stands in brackets: a word outside of them is not in its file. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { renderProve } from "../../../src/accounts/guards/reauthenticate.view.ts"
import { reauthenticationPrompt } from "../../../src/accounts/guards/reauthentication-prompt.ts"
import { renderStartAgain } from "../../../src/accounts/guards/start-again.view.ts"
import { renderChooseName } from "../../../src/accounts/providers/choose-name.view.ts"
import { connectionsSection } from "../../../src/accounts/providers/connections.view.ts"
import { renderContinue } from "../../../src/accounts/providers/continue.view.ts"
import { renderProviderProblem } from "../../../src/accounts/providers/problem.view.ts"
import { noAccountInWords } from "../../../src/accounts/providers/provider-words.ts"
import {
  renderAskForLink,
  renderLinkOnItsWay,
  renderNewPasswordByLink,
  renderProofForLink,
  renderRecoveryWithoutMail,
} from "../../../src/accounts/recovery/recovery.view.ts"
import { renderSetup, renderSetupGone } from "../../../src/accounts/set-up/set-up.view.ts"
import { renderSecondStep } from "../../../src/accounts/sign-in/second-step.view.ts"
import { renderSignIn, type SignInProblem } from "../../../src/accounts/factors/sign-in.view.ts"
import { outside, texts } from "./bracketed.ts"
import { app, passkey, person as signedIn, prove, secondStep, setup, signIn } from "../ui/sample.ts"

const page = { ...signIn, ...setup, texts }
const onTheWay = { ...page, continueTo: null }
const person = { ...signedIn, texts }
const problems: readonly SignInProblem[] = [
  { problem: "wrong" },
  { problem: "passkey" },
  { problem: "throttled", retryAfterSeconds: 61 },
  { problem: "busy" },
  { problem: "stale" },
]
const everyProof = { accepts: { totp: true, recovery: true, password: true }, passkey, problem: null }
const provider = { name: "work", label: "Work", icon: null }
const connection = { identityHash: "hash", label: "Work", shownName: "ada@work", linkedAt: 1_773_300_000 }
const actions = [
  "/account/security/password",
  "/account/email",
  "/account/end-access",
  "/account/apps/secret",
]

const pages: Readonly<Record<string, string>> = {
  "sign-in": renderSignIn({ ...page, isServiceEmpty: true, offersRecovery: true, providers: [provider] }),
  "sign-in for an app": renderSignIn({ ...page, app: { ...app, name: "" } }),
  ...Object.fromEntries(problems.map((problem) => [problem.problem, renderSignIn({ ...page, problem })])),
  "second step": renderSecondStep({ ...secondStep, texts, proof: everyProof }),
  "a wrong code": renderSecondStep({
    ...secondStep,
    texts,
    proof: { ...everyProof, problem: { problem: "closed" } },
  }),
  "set-up": renderSetup(page),
  "set-up gone": renderSetupGone(page),
  recover: renderAskForLink({ ...onTheWay, typed: "", problem: null, later: null }),
  "recover sent": renderLinkOnItsWay(onTheWay),
  "recover without mail": renderRecoveryWithoutMail(onTheWay),
  "recover proof": renderProofForLink({ ...onTheWay, proof: everyProof }),
  "recover password": renderNewPasswordByLink({ ...onTheWay, ticket: "", problem: null }),
  "start again": renderStartAgain({ ...page, username: "ada", next: "/account" }),
  prove: renderProve({ ...prove, texts, prompt: { ...prove.prompt, action: null }, providers: [provider] }),
  ...Object.fromEntries(
    actions.map((path) => [
      path,
      renderProve({ ...prove, texts, prompt: reauthenticationPrompt(texts, path) }),
    ]),
  ),
  "choose name": renderChooseName({ ...page, action: "", ticket: "", problem: null }),
  continue: renderContinue({ ...page, label: "Work", url: "https://id.example" }),
  problem: renderProviderProblem({
    ...person,
    title: texts.plain("provider.failed.link"),
    text: noAccountInWords(texts, "Work", "domain", "ada@work").text,
  }),
  connections: String(
    connectionsSection(person, {
      connections: [
        { ...connection, isOffered: true },
        { ...connection, shownName: null, isOffered: false },
      ],
      providers: [provider],
    }),
  ),
}

describe("every text comes from the file of the language", () => {
  for (const [name, text] of Object.entries(pages))
    test(name, () => {
      assert.match(text, /⟦/)
      assert.equal(outside(text), "")
    })
})

test("a text outside the file is found", () => {
  const title = "<title>⟦Sign in⟧ now · Latchkey</title>"
  const text = '<p>⟦Wait ⟦a⟧⟧ Hello <bdi>ada</bdi></p><img alt="A picture" />'
  assert.equal(outside(`${title}<main>${text}</main>`), "A picture now Hello")
})
