/**
 * The baseline: HTTP servers that read a request and send the same bytes and headers as Latchkey does. They store
 * nothing. Where a request is signed, they check the signature. Their requests per second on one core are the maximum
 * for this runtime.
 *
 *   node bench/bare.ts FILE STOCK
 *
 * FILE contains a response for each workload. STOCK contains the key of the app that signs. All servers run in one
 * process, which prints the port of each.
 */
import { readFileSync } from "node:fs"
import { isSignedBy } from "../src/platform/statements/verification-key.ts"
import { serve } from "./answering.ts"
import { Stock } from "./stock.ts"
import type { Answer } from "./wire.ts"

const { signer } = new Stock(process.argv[3] ?? "").identity
const answers = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Record<string, Answer>
await serve(answers, (workload) => (workload === "private_key_jwt" ? isSigned : null))

/** Checks the signature as Latchkey does, and nothing else. This is the least that a signed request costs. */
function isSigned(form: string): Promise<boolean> {
  const jwt = new URLSearchParams(form).get("client_assertion") ?? ""
  return isSignedBy(jwt, signer.publicKey, "ES256")
}
