/**
 * Signs in on a machine without a browser (RFC 8628). The machine asks the device authorization endpoint for a code and
 * shows the code and a link. A person opens the link on another device. The machine polls the token endpoint at the
 * allowed interval until there is an answer.
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
import { type Answer, done } from "../../platform/cli/command.ts"
import { deviceNotice } from "./device-notice.ts"
import { INTERVAL_SECONDS, pollUntilAnswered } from "./device-polling.ts"
import { visible, visibleJson } from "../../platform/cli/print.ts"

/** The longest wait, even if the code is valid for longer. */
const MAX_WAIT_SECONDS = 3600

export type DeviceSignIn = SampleApp & {
  readonly scope: string | null
  readonly installationName: string | null
}

/** Signs in and prints the token response unchanged. */
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

/** Checks the device authorization response with the library. A step-up response has the same form. */
export async function readGrant(
  service: oauth.AuthorizationServer,
  client: oauth.Client,
  opened: Response,
): Promise<oauth.DeviceAuthorizationResponse> {
  const body = await bodyOf(opened)
  if (opened.status !== 200 && isErrorBody(body)) throw new AppRefused(refusalOf(client, body))
  return await oauth.processDeviceAuthorizationResponse(service, client, opened)
}

/** An unknown app and a wrong secret get the same error code. RFC 6749 §5.2. */
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
  // The service's values are bounded. A poll happens at most once a second, and polling lasts at most an hour.
  const atLeast = Math.max(1, interval ?? INTERVAL_SECONDS)
  return { interval: atLeast, expiresIn: Math.min(expiresIn, MAX_WAIT_SECONDS) }
}
