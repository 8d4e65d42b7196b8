/**
 * Registers an app at its own request: RFC 7591 §3; interface REG-2, SVC-8.
 *
 * 1. The metadata is checked. Its URLs are not fetched.
 * 2. A public app with the same metadata may exist without a consent. The response then names this app. Clients that
 * register at every start therefore need only one row.
 * 3. The icon is decoded and encoded again. If that fails, the app gets no icon.
 */
import type { Hash } from "../../kernel/ids.ts"
import type { Icon } from "../../model/clients/client.rules.ts"
import type { Json } from "../../kernel/json.ts"
import { parseRegistrationRequest, registrationFacts } from "./registration-request.rules.ts"
import { decideRegistration } from "./registration.rules.ts"
import { type RegistrationAnswer, registrationAnswer } from "./registration-record.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { deletedUnlessUsedAt } from "../../model/self-registration.rules.ts"
import { keysProblem } from "../../platform/statements/verification-key.ts"
import { grantTypeNames } from "../../oauth/token/grant-types.ts"
import { digest } from "../../kernel/hash.ts"
import { drawIcon } from "../icon/icon.ts"
import type { Services } from "../../platform/services/services.ts"
import { newClient } from "../new-client.ts"

type Needs = Pick<Services, "store" | "clock" | "catalog" | "settings" | "strangersPictures">

/**
 * Registers an app. Only the rate limit of anonymous requests applies (RATE-5). Refuses: clientMetadataInvalid,
 * redirectUriUnregisterable.
 */
export async function register(
  services: Needs,
  body: Json,
  { address }: { readonly address: string },
): Promise<Result<RegistrationAnswer, Refusal>> {
  const { store, clock, catalog, settings } = services
  const parsed = parseRegistrationRequest(body, catalog, {
    ...(await settings.current()),
    grantTypes: grantTypeNames,
  })
  if (!parsed.ok) return parsed
  const { registration, method, logo } = parsed.value
  const problem = await keysProblem(registration.keys)
  if (problem !== null) return err({ reason: "clientMetadataInvalid", description: problem })
  const registrationHash =
    registration.type === "public" ? digest(registrationFacts(registration, logo)) : null
  const icon = logo === null ? null : await iconOf(services, registrationHash, logo)
  const now = clock.now()
  const made = newClient(
    registration,
    {
      registeredBy: "itself",
      ownerId: null,
      registrationHash,
      deleteAfter: deletedUnlessUsedAt(now),
      iconHash: icon?.hash ?? null,
    },
    now,
  )
  const { client, secret } = await store.change(
    { clientByRegistration: registrationHash },
    ({ clientByRegistration: before }) => decideRegistration(before, { ...made, icon }, address, now),
  )
  return ok(registrationAnswer(client, method, secret, grantTypeNames))
}

/** Matches a `data:` URL (RFC 2397) of an image in base64, without other parameters. */
const DATA_URL = /^data:image\/[a-z0-9.+-]+;base64,([A-Za-z0-9+/]+={0,2})$/i

/** Encodes the icon. Returns null if the same app is already stored, or if the limit on new icons is reached. */
async function iconOf(
  { store, strangersPictures }: Pick<Needs, "store" | "strangersPictures">,
  registrationHash: Hash | null,
  logo: string,
): Promise<Icon | null> {
  const bytes = DATA_URL.exec(logo)?.[1]
  if (bytes === undefined) return null
  const known = await store.read({ clientByRegistration: registrationHash })
  if (known.clientByRegistration !== null) return null
  const icon = await strangersPictures.use(() => drawIcon(Buffer.from(bytes, "base64")))
  return icon?.ok === true ? icon.value : null
}
