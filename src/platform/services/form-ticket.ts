/** Tickets that make a form work only once. */
import type { TokenId } from "../../kernel/ids.ts"
import { decided } from "../../model/change.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { newId } from "../../kernel/random.ts"
import type { Services } from "./services.ts"

type Needs = Pick<Services, "store" | "clock">

/** For a form whose response shows a secret. After the first submission, a reload or second click changes nothing. */
export function newFormTicket({ clock }: Pick<Needs, "clock">): string {
  return newId<TokenId>(clock.now())
}

/** Whether the form is submitted for the first time. Returns false for an invalid ticket. */
export async function spendFormTicket({ store, clock }: Needs, ticket: string): Promise<boolean> {
  if (!isIdentifier(ticket)) return false
  const ticketId = ticket as TokenId
  const at = clock.now()
  return store.change({ spentTicket: ticketId }, ({ spentTicket }) =>
    spentTicket === null ? decided(true, { change: "ticketSpent", ticketId, at }) : decided(false),
  )
}
