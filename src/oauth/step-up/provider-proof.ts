/** A step-up that a new sign-in at a provider proves: the way there and the return. LOGIN-15. */
import { provingProviders } from "../../accounts/guards/proving-providers.ts"
import { returnFromProvider } from "../../accounts/providers/callback.endpoint.ts"
import { type LeavingBrowser, leaveSignedIn } from "../../accounts/providers/leave.ts"
import { refusedInWords } from "../../accounts/providers/provider-words.ts"
import type { FinishStepUp } from "../../accounts/providers/return-signed-in.ts"
import { forgetWaiting } from "../../accounts/sign-in/waiting-cookie.ts"
import { digest } from "../../kernel/hash.ts"
import { err, ok } from "../../kernel/result.ts"
import { identityText } from "../../model/sign-in/identity.rules.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { sendPage } from "../../platform/http/respond.ts"
import type { DeviceTicket } from "../authorize/ticket.ts"
import { renderDeviceDone } from "../device/device-done.view.ts"
import { devicePath } from "../device/user-code.rules.ts"
import { decideProvenStepUp } from "./provider-proof.rules.ts"
import { sendBlocked } from "./step-up-pages.ts"

/** A provider that cannot prove the account is not offered, and the form of an older page does not choose it. */
export async function leaveForStepUp(
  context: HttpContext,
  reply: HttpReply,
  request: LeavingBrowser,
  { grantId, userCode }: DeviceTicket,
  name: string,
): Promise<HttpReply> {
  const offered = await provingProviders(context.services, request.signedIn, "step-up")
  const provider = context.services.providers.get(name)
  if (provider === undefined || !offered.some((one) => one.name === name))
    return sendBlocked(context, reply, "too-late")
  const of = { purpose: "step-up", next: devicePath(userCode), grantId } as const
  return leaveSignedIn(context, reply, request, provider, of)
}

/** Every return from a provider. Where it proves a step-up, the credential is elevated. */
export const returnWithProof: Endpoint = (context, request, reply) =>
  returnFromProvider(context, request, reply, finishStepUp)

const finishStepUp: FinishStepUp = async (context, reply, { browser, signedIn }, back) => {
  const { provider, arrived, pending, address } = back
  const { store, clock, settings } = context.services
  const { grantId = null, ticketId } = pending
  const { deviceGrant: asked } = await store.read({ deviceGrant: grantId })
  const tokenId = asked?.request.purpose.purpose === "step-up" ? asked.request.purpose.tokenId : null
  const { issuer, subject, claims } = arrived
  const load = {
    deviceGrant: grantId,
    credential: tokenId,
    appOf: tokenId,
    ownerOf: tokenId,
    session: signedIn.session.sessionHash,
    identity: digest(identityText({ issuer, subject })),
    factors: signedIn.account.userId,
    spentTicket: ticketId,
  }
  const windowSeconds = (await settings.current()).stepUpSeconds
  const proof = { provider, claims, ticketId, windowSeconds, now: clock.now(), address }
  const outcome = await store.change(load, (rows) => decideProvenStepUp(rows, proof))
  switch (outcome) {
    case "approved":
      forgetWaiting(context, reply)
      return ok(sendPage(context, reply, 200, renderDeviceDone({ ...browser.page, outcome: "elevated" })))
    case "stale":
    case "not-yours":
    case "no-time":
    case "not-recent":
    case "too-weak":
      return err(refusedInWords(browser.page.texts, provider, outcome))
    default:
      return ok(sendBlocked(context, reply, outcome))
  }
}
