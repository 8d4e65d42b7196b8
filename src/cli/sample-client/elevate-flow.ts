/**
 * The step-up of an app after `FAILED_PRECONDITION` (interface STEP-*). The app starts the step-up with its access
 * token and shows a code and a link. The account holder confirms with a second factor in a browser. The app polls the
 * token endpoint until the response is `{"elevated": true}`. The access token stays the same.
 */
import * as oauth from "oauth4webapi"
import {
  type SampleApp,
  AppRefused,
  bodyOf,
  discover,
  clientOf,
  withReadableErrors,
  isSecureAddress,
} from "./sample-client.ts"
import { type Answer, done } from "../../platform/cli/command.ts"
import { readGrant, pollingOf, showNotice } from "./device-flow.ts"
import { pollUntilAnswered } from "./device-polling.ts"

export type ElevationRequest = SampleApp & { readonly accessToken: string; readonly reason: string | null }

export async function elevateCredential(asked: ElevationRequest): Promise<Answer> {
  return await withReadableErrors(async () => {
    const { service, http } = await discover(asked.issuer)
    const { client, authentication } = clientOf(asked)
    const opened = await fetch(stepUpAddress(service), {
      method: "POST",
      headers: { authorization: `Bearer ${asked.accessToken}` },
      body: new URLSearchParams(asked.reason === null ? {} : { reason: asked.reason }),
      redirect: "error",
    })
    const grant = await readGrant(service, client, opened)
    showNotice(grant)
    const answer = await pollUntilAnswered(
      () => oauth.deviceCodeGrantRequest(service, client, authentication, grant.device_code, http),
      pollingOf(grant),
    )
    if (!isElevated(await bodyOf(answer)))
      throw new AppRefused("The response of the service does not say that the credential is elevated.")
    return done({ elevated: true }, '{"elevated": true}')
  })
}

/** Returns the step-up endpoint. The endpoint receives the access token, so its URL must be https or loopback. */
function stepUpAddress(service: oauth.AuthorizationServer): URL {
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
