/** Converts between proofs in forms, in views and in the service. */
import type { ProofKind } from "../../model/factor.rules.ts"
import type { PasskeyView } from "./passkey.view.ts"
import type { ProofProblem, ProofView } from "./proof.view.ts"
import type { PasskeyAnswer, PasskeyQuestion } from "./passkey-challenge.ts"
import type { FactorProof } from "./prove-factor.ts"
import { PASSKEY_SCRIPT } from "./assets.endpoint.ts"

type Values = ReadonlyMap<string, string>

/** Reads the proof from a form. A passkey response wins over a password, and a password over a code. */
export function proofOf(values: Values): FactorProof {
  const passkey = passkeyAnswerOf(values)
  if (passkey.response !== "") return { proof: "passkey", ...passkey }
  const password = values.get("password")
  return password === undefined
    ? { proof: "code", code: values.get("code") ?? "" }
    : { proof: "password", password }
}

export function passkeyAnswerOf(values: Values): PasskeyAnswer {
  return { response: values.get("response") ?? "", challenge: values.get("challenge") ?? "" }
}

export function passkeyView(question: PasskeyQuestion | null): PasskeyView | null {
  return question === null ? null : { ...question, script: PASSKEY_SCRIPT }
}

export function proofView(
  question: { readonly accepted: ReadonlySet<ProofKind>; readonly passkey: PasskeyQuestion | null },
  problem: ProofProblem | null,
): ProofView {
  const { accepted, passkey } = question
  const accepts = {
    totp: accepted.has("totp"),
    recovery: accepted.has("recovery"),
    password: accepted.has("password"),
  }
  return { accepts, passkey: passkeyView(passkey), problem }
}

/** The problem and the status of the page after a failed proof. */
export function proofProblem(
  answer: { readonly outcome: "wrong" | "closed" } | { readonly outcome: "wait"; readonly seconds: number },
): { readonly status: number; readonly problem: ProofProblem } {
  return answer.outcome === "wait"
    ? { status: 429, problem: { problem: "throttled", retryAfterSeconds: answer.seconds } }
    : { status: 403, problem: { problem: answer.outcome } }
}
