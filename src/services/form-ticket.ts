/** A form that works once. */
import type { TokenId } from "../kernel/ids.ts"
import { decided } from "../records/change.rules.ts"
import { isIdentifier } from "../kernel/identifier.ts"
import { newId } from "../kernel/random.ts"
import type { Services } from "./services.ts"

type Needs = Pick<Services, "store" | "clock">

/** A ticket for a form that shows a secret in its answer: sent again, by a reload or a second click, it does nothing. */
export function newFormTicket({ clock }: Pick<Needs, "clock">): string {
  return newId<TokenId>(clock.now())
}

/** Whether the form is sent for the first time. What is no ticket never is. */
export async function spendFormTicket({ store, clock }: Needs, ticket: string): Promise<boolean> {
  if (!isIdentifier(ticket)) return false
  const ticketId = ticket as TokenId
  const at = clock.now()
  return store.change({ spentTicket: ticketId }, ({ spentTicket }) =>
    spentTicket === null ? decided(true, { change: "ticketSpent", ticketId, at }) : decided(false),
  )
}
