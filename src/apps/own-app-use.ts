/** Who uses an app, in numbers alone. */
import type { Client } from "../records/client.rules.ts"
import type { AppUsers } from "../store/store.ts"
import type { Services } from "../services/services.ts"

type Needs = Pick<Services, "store" | "clock">

/** So many installations are counted; of an app with more, the page says "more than". */
const COUNTED_AT_MOST = 20_000

export function useOf({ store, clock }: Needs, { clientId }: Pick<Client, "clientId">): Promise<AppUsers> {
  return store.usersOf(clientId, clock.now(), COUNTED_AT_MOST)
}
