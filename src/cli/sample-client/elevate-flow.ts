/**
 * The step-up of an app after `FAILED_PRECONDITION` (interface STEP-*). The app starts the step-up with its access
 * token and shows a code and a link. The account holder confirms with a second factor in a browser. The app polls the
 * token endpoint until the response is `{"elevated": true}`. The access token stays the same.
 */
import type { AuthorizationServer } from "oauth4webapi"
import {
  AppRefused,
  bodyOf,
  clientOf,
  discover,
  isSecureAddress,
  type SampleApp,
  withReadableErrors,
} from "./sample-client.ts"
import { type Answer, done } from "../../platform/cli/command.ts"
import { answeredElsewhere } from "./device-flow.ts"

export type ElevationRequest = SampleApp & { readonly accessToken: string; readonly reason: string | null }

export async function elevateCredential(input: ElevationRequest): Promise<Answer> {
  return await withReadableErrors(async () => {
    const discovered = await discover(input.issuer)
    const opened = await fetch(stepUpAddress(discovered.service), {
      method: "POST",
      headers: { authorization: `Bearer ${input.accessToken}` },
      body: new URLSearchParams(input.reason === null ? {} : { reason: input.reason }),
      redirect: "error",
    })
    const answer = await answeredElsewhere(discovered, clientOf(input), opened)
    if (!isElevated(await bodyOf(answer)))
      throw new AppRefused("The response of the service does not say that the credential is elevated.")
    return done({ elevated: true }, '{"elevated": true}')
  })
}

/** Returns the step-up endpoint. The endpoint receives the access token, so its URL must be https or loopback. */
function stepUpAddress(service: AuthorizationServer): URL {
  const named = service["step_up_endpoint"]
  const address = typeof named === "string" ? URL.parse(named) : null
  if (address === null) throw new AppRefused("The metadata of the service have no step_up_endpoint.")
  if (!isSecureAddress(address, new URL(service.issuer)))
    throw new AppRefused("The service's step_up_endpoint is not an https address.")
  return address
}

function isElevated(body: unknown): boolean {
  return typeof body === "object" && body !== null && "elevated" in body && body.elevated === true
}
