/**
 * An app registers itself: RFC 7591 §3; interface REG-2, SVC-8.
 *
 * 1. What it says is judged; nothing that it names is fetched.
 * 2. A public app in words that another one used, which nobody has consented to yet, is that one: clients that register
 *    again at every start, and many at once, leave one row.
 * 3. A picture that came along is drawn anew. One that cannot be, is left out: nobody sees it unless an administrator
 *    vouches for the app.
 */
import { type Change, type Decided, decided } from "../core/change.ts"
import type { Client, Icon } from "../core/client.ts"
import type { Json } from "../core/json.ts"
import { PICTURE_TRIES, SELF_REGISTRATIONS } from "../core/limits.ts"
import { parseRegistrationRequest, registrationFacts } from "../core/registration-request.ts"
import { type RegistrationAnswer, registrationAnswer } from "../core/registration-record.ts"
import { accept, refuse, type Result } from "../core/result.ts"
import { clientAsOf, goneUnlessUsed } from "../core/self-registration.ts"
import { DAY } from "../core/time.ts"
import { digest } from "../system/hash.ts"
import { recordedApp } from "./app.ts"
import { drawIcon } from "./icon.ts"
import type { Latchkey } from "./latchkey.ts"
import { addedClient, type NewClient, newClient } from "./new-client.ts"

type Needs = Pick<Latchkey, "store" | "clock" | "catalogue" | "settings" | "guesses">

/** `addressKey` is whose budgets of new apps and of pictures it counts against. Refuses: clientMetadataInvalid, redirectUriUnregisterable, budgetSpent. */
export async function register(
  latchkey: Needs,
  body: Json,
  from: { readonly address: string; readonly addressKey: string },
): Promise<Result<RegistrationAnswer>> {
  const { store, clock, catalogue, settings, guesses } = latchkey
  const asked = parseRegistrationRequest(body, catalogue, (await settings.current()).openPermissions)
  if (!asked.ok) return asked
  const { registration, method, logo } = asked.value
  const registrationHash =
    registration.type === "public" ? digest(registrationFacts(registration, logo)) : null
  const known = await store.read({ clientByRegistration: registrationHash })
  const isNew = clientAsOf(known.clientByRegistration, clock.now()) === null
  const room = isNew
    ? await guesses.spend(`registration ${from.addressKey}`, SELF_REGISTRATIONS)
    : { admitted: true as const }
  if (!room.admitted) return refuse({ reason: "budgetSpent", retryAfterSeconds: room.retryAfterSeconds })
  const icon =
    logo === null || known.clientByRegistration !== null ? null : await iconOf(latchkey, logo, from)
  const now = clock.now()
  const made = newClient(
    registration,
    {
      registeredBy: "itself",
      ownerId: null,
      registrationHash,
      goneAt: goneUnlessUsed(now),
      iconHash: icon?.hash ?? null,
    },
    now,
  )
  const { client, secret } = await store.change(
    { clientByRegistration: registrationHash },
    ({ clientByRegistration: before }) => decideRegistration(before, made, icon, from.address, now),
  )
  return accept(registrationAnswer(client, method, secret))
}

function decideRegistration(
  before: Client | null,
  made: NewClient,
  icon: Icon | null,
  address: string,
  now: number,
): Decided<NewClient> {
  const same = clientAsOf(before, now)
  if (same !== null) return decided({ client: same, secret: null }, ...kept(same, now))
  const { client } = made
  return decided(
    made,
    ...forgotten(before),
    ...addedClient(client, icon),
    recordedApp("app-registered", client, now, { address }),
  )
}

/** The app that said it again is in use somewhere. Moved once a day at the most. */
function kept(client: Client, now: number): readonly Change[] {
  const goneAt = goneUnlessUsed(now)
  return client.goneAt === null || goneAt - client.goneAt <= DAY
    ? []
    : [{ change: "clientChanged", client: { ...client, goneAt } }]
}

/** A row whose time has passed and that was not swept yet gives its words up: they belong to one row. */
function forgotten(gone: Client | null): readonly Change[] {
  return gone === null ? [] : [{ change: "clientChanged", client: { ...gone, registrationHash: null } }]
}

/** RFC 2397, base64 only: the pictures of strangers are no text. */
const DATA_URL = /^data:image\/[a-z0-9.+-]+;base64,([A-Za-z0-9+/]+={0,2})$/i

let isDrawing = false

/** One stranger's picture at a time, and few from one address: the others' turn is not to be spent on them. */
async function iconOf(
  { guesses }: Pick<Latchkey, "guesses">,
  logo: string,
  { addressKey }: { readonly addressKey: string },
): Promise<Icon | null> {
  const bytes = DATA_URL.exec(logo)?.[1]
  if (bytes === undefined || isDrawing) return null
  isDrawing = true
  try {
    const tried = await guesses.spend(`picture ${addressKey}`, PICTURE_TRIES)
    if (!tried.admitted) return null
    const icon = await drawIcon(Buffer.from(bytes, "base64"))
    return icon.ok ? icon.value : null
  } finally {
    isDrawing = false
  }
}
