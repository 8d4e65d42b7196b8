/**
 * An app registers itself: RFC 7591 §3; interface REG-2, SVC-8.
 *
 * 1. The metadata is checked. Nothing that it names is fetched.
 * 2. A public app with the same metadata as an app without consents is that app. Clients that register again at every
 *    start leave one row.
 * 3. A picture in the request is drawn again. A picture that cannot be drawn now is left out, because pages show it
 *    only
 *    once an administrator has verified the app.
 */
import { type Change, type Decided, decided } from "../../records/change.rules.ts"
import type { Hash } from "../../kernel/ids.ts"
import type { Client, Icon } from "../../records/client.rules.ts"
import type { Json } from "../../kernel/json.ts"
import { parseRegistrationRequest, registrationFacts } from "./registration-request.rules.ts"
import { type RegistrationAnswer, registrationAnswer } from "./registration-record.rules.ts"
import { type Result, ok } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import { deletedUnlessUsedAt } from "../../records/self-registration.rules.ts"
import { resolveClient } from "../clients/resolve.rules.ts"
import { grantTypeNames } from "../token/grant-types.ts"
import { MINUTE } from "../../kernel/time.ts"
import { digest } from "../../kernel/hash.ts"
import { recordedApp } from "../../apps/app.ts"
import { drawIcon } from "../../apps/icon/icon.ts"
import type { Services } from "../../services/services.ts"
import { addedClient, type NewClient, newClient } from "../../apps/new-client.ts"

type Needs = Pick<Services, "store" | "clock" | "catalogue" | "settings" | "strangersPictures">

/**
 * Refuses: clientMetadataInvalid, redirectUriUnregisterable. Registration has no budget beside the shared one (RATE-5).
 */
export async function register(
  services: Needs,
  body: Json,
  { address }: { readonly address: string },
): Promise<Result<RegistrationAnswer, Refusal>> {
  const { store, clock, catalogue, settings } = services
  const asked = parseRegistrationRequest(body, catalogue, {
    ...(await settings.current()),
    grantTypes: grantTypeNames,
  })
  if (!asked.ok) return asked
  const { registration, method, logo } = asked.value
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
    ({ clientByRegistration: before }) => decideRegistration(before, made, icon, address, now),
  )
  return ok(registrationAnswer(client, method, secret, grantTypeNames))
}

function decideRegistration(
  before: Client | null,
  made: NewClient,
  icon: Icon | null,
  address: string,
  now: number,
): Decided<NewClient> {
  const same = resolveClient(before, now)
  if (same !== null) return decided({ client: same, secret: null }, ...kept(same, now))
  const { client } = made
  return decided(
    made,
    ...forgotten(before),
    ...addedClient(client, icon),
    recordedApp("app-registered", client, now, { address }),
  )
}

/** An app that registers again is in use. Its end is moved at most once a minute. */
function kept(client: Client, now: number): readonly Change[] {
  const deleteAfter = deletedUnlessUsedAt(now)
  return client.deleteAfter === null || deleteAfter - client.deleteAfter <= MINUTE
    ? []
    : [{ change: "clientChanged", client: { ...client, deleteAfter } }]
}

/** An expired row that was not deleted yet loses its registration hash, which must be unique. */
function forgotten(gone: Client | null): readonly Change[] {
  return gone === null ? [] : [{ change: "clientChanged", client: { ...gone, registrationHash: null } }]
}

/** RFC 2397, base64 only: pictures from unknown clients are never text. */
const DATA_URL = /^data:image\/[a-z0-9.+-]+;base64,([A-Za-z0-9+/]+={0,2})$/i

/** Null if the same app is stored already, or if the limit on drawing pictures is reached. */
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
