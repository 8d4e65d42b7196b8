/**
 * Signs in on a machine without a browser (RFC 8628). The machine asks the device authorization endpoint for a code and
 * shows the code and a link. A person opens the link on another device. The machine polls the token endpoint at the
 * allowed interval until there is an answer.
 */
import * as oauth from "oauth4webapi"
import {
  AppRefused,
  bodyOf,
  clientOf,
  discover,
  type Discovered,
  type ErrorBody,
  errorText,
  isErrorBody,
  type OAuthClient,
  type SampleApp,
  withReadableErrors,
} from "./sample-client.ts"
import { type Answer, done } from "../../platform/cli/command.ts"
import { deviceNotice } from "./device-notice.ts"
import { INTERVAL_SECONDS, pollUntilAnswered } from "./device-polling.ts"
import { visible, visibleJson } from "../../platform/cli/print.ts"

/** The longest wait, even if the code is valid longer. */
const MAX_WAIT_SECONDS = 3600

export type DeviceSignIn = SampleApp & {
  readonly scope: string | null
  /** RFC 8707. */
  readonly resource: string | null
  readonly installationName: string | null
}

/** Signs in and prints the token response unchanged. */
export async function signInByDevice(input: DeviceSignIn): Promise<Answer> {
  return await withReadableErrors(async () => {
    const discovered = await discover(input.issuer)
    const { service, http } = discovered
    const app = clientOf(input)
    const { client, authentication } = app
    const parameters = {
      ...(input.scope !== null && { scope: input.scope }),
      ...(input.resource !== null && { resource: input.resource }),
      ...(input.installationName !== null && { installation_name: input.installationName }),
    }
    const opened = await oauth.deviceAuthorizationRequest(service, client, authentication, parameters, http)
    const answer = await answeredElsewhere(discovered, app, opened)
    const tokens = await bodyOf(answer)
    await oauth.processDeviceCodeResponse(service, client, answer)
    return done(tokens, visibleJson(tokens))
  })
}

/** Shows the code of a response and polls until a person has answered. A step-up response has the same form. */
export async function answeredElsewhere(
  { service, http }: Discovered,
  { client, authentication }: OAuthClient,
  opened: Response,
): Promise<Response> {
  const body = await bodyOf(opened)
  if (opened.status !== 200 && isErrorBody(body)) throw new AppRefused(refusalOf(client, body))
  const grant = await oauth.processDeviceAuthorizationResponse(service, client, opened)
  showNotice(grant)
  return await pollUntilAnswered(
    () => oauth.deviceCodeGrantRequest(service, client, authentication, grant.device_code, http),
    pollingOf(grant),
  )
}

/** An unknown app and a wrong secret get the same error code. RFC 6749 §5.2. */
function refusalOf({ client_id: clientId }: oauth.Client, body: ErrorBody): string {
  const said = errorText(body)
  if (body.error !== "invalid_client") return said
  return `The service does not know the app ${visible(clientId)}, it is disabled, or its secret is wrong (${said})`
}

function showNotice(grant: oauth.DeviceAuthorizationResponse): void {
  const notice = {
    userCode: grant.user_code,
    verificationUri: grant.verification_uri,
    verificationUriComplete: grant.verification_uri_complete ?? null,
  }
  process.stderr.write(deviceNotice(notice, process.stderr.isTTY))
}

function pollingOf({ interval, expires_in: expiresIn }: oauth.DeviceAuthorizationResponse) {
  // The service's values are bounded. A poll happens at most once a second, and polling lasts at most an hour.
  const atLeast = Math.max(1, interval ?? INTERVAL_SECONDS)
  return { interval: atLeast, expiresIn: Math.min(expiresIn, MAX_WAIT_SECONDS) }
}
