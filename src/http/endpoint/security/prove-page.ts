/** The page that asks for a fresh proof. */
import type { ProofProblem } from "../../../page/proof.ts"
import { renderProve } from "../../../page/prove.ts"
import { askProof } from "../../../service/prove-anew.ts"
import type { SignedIn } from "../../../service/session.ts"
import { sealContinuation } from "../../../service/ticket.ts"
import type { HttpReply } from "../../message.ts"
import { sendPage } from "../../respond.ts"
import { type Browser, keepBrowser } from "../../session.ts"
import type { Site } from "../../site.ts"
import { signedInView } from "../account/signed-in.ts"
import { proofView } from "../proof.ts"
import { comingOf } from "./coming.ts"

type Asked = { readonly status: number; readonly problem: ProofProblem | null }

/** `next` is where to go on to: a path and query of this service. */
export async function showProof(
  site: Site,
  reply: HttpReply,
  own: { readonly browser: Browser; readonly signedIn: SignedIn },
  next: string,
  { status, problem }: Asked = { status: 200, problem: null },
): Promise<HttpReply> {
  const { browser, signedIn } = own
  keepBrowser(site, reply, browser)
  const { latchkey } = site
  const proof = proofView(await askProof(latchkey, signedIn, browser.secret), problem)
  const page = renderProve({
    ...signedInView(site, own),
    coming: comingOf(next),
    continueTo: sealContinuation(latchkey.keys, next),
    proof,
  })
  return sendPage(site, reply, status, page, { runsScript: proof.passkey !== null })
}
