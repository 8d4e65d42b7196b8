/**
 * Signs in a machine without a browser (RFC 8628):
 * 1. it asks the device authorization endpoint for a code;
 * 2. it shows the code and the link, which a person opens on another device;
 * 3. it polls the token endpoint, no faster than the service allows, until there is an answer.
 */
import * as oauth from "oauth4webapi"
import {
  type SampleApp,
  AppRefused,
  bodyOf,
  discover,
  type ErrorBody,
  errorText,
  clientOf,
  withReadableErrors,
  isErrorBody,
} from "./sample-client.ts"
import { type Answer, done } from "../kit/command.ts"
import { deviceNotice } from "./device-notice.ts"
import { INTERVAL_SECONDS, pollUntilAnswered } from "./device-polling.ts"
import { visible, visibleJson } from "../kit/print.ts"

/** The longest wait, whatever the service allows. */
const MAX_WAIT_SECONDS = 3600

export type DeviceSignIn = SampleApp & {
  readonly scope: string | null
  readonly installationName: string | null
}

/** Prints the token response unchanged. */
export async function signInByDevice(asked: DeviceSignIn): Promise<Answer> {
  return await withReadableErrors(async () => {
    const { service, http } = await discover(asked.issuer)
    const { client, authentication } = clientOf(asked)
    const parameters = {
      ...(asked.scope !== null && { scope: asked.scope }),
      ...(asked.installationName !== null && { installation_name: asked.installationName }),
    }
    const opened = await oauth.deviceAuthorizationRequest(service, client, authentication, parameters, http)
    const grant = await readGrant(service, client, opened)
    showNotice(grant)
    const answer = await pollUntilAnswered(
      () => oauth.deviceCodeGrantRequest(service, client, authentication, grant.device_code, http),
      pollingOf(grant),
    )
    const tokens = await bodyOf(answer)
    await oauth.processDeviceCodeResponse(service, client, answer)
    return done(tokens, visibleJson(tokens))
  })
}

/** The device authorization response, checked by the library. That of a step-up has the same form. */
export async function readGrant(
  service: oauth.AuthorizationServer,
  client: oauth.Client,
  opened: Response,
): Promise<oauth.DeviceAuthorizationResponse> {
  const body = await bodyOf(opened)
  if (opened.status !== 200 && isErrorBody(body)) throw new AppRefused(refusalOf(client, body))
  return await oauth.processDeviceAuthorizationResponse(service, client, opened)
}

/** RFC 6749 §5.2: one code for an app that is unknown and for a wrong secret. */
function refusalOf({ client_id: clientId }: oauth.Client, body: ErrorBody): string {
  const said = errorText(body)
  if (body.error !== "invalid_client") return said
  return `The service does not know the app ${visible(clientId)}, it is disabled, or its secret is wrong (${said})`
}

export function showNotice(grant: oauth.DeviceAuthorizationResponse): void {
  const notice = {
    userCode: grant.user_code,
    verificationUri: grant.verification_uri,
    verificationUriComplete: grant.verification_uri_complete ?? null,
  }
  process.stderr.write(deviceNotice(notice, process.stderr.isTTY))
}

export function pollingOf({ interval, expires_in: expiresIn }: oauth.DeviceAuthorizationResponse) {
  // Whatever the service says: at least a second between polls, and an end.
  const atLeast = Math.max(1, interval ?? INTERVAL_SECONDS)
  return { interval: atLeast, expiresIn: Math.min(expiresIn, MAX_WAIT_SECONDS) }
}
