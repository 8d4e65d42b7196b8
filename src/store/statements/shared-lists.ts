/** The part of a store that both engines answer with the same statements. */
import type { UserId } from "../../kernel/ids.ts"
import type { AccountFilter, ClientFilter, Mark, Page, TallyQuery } from "../list-shapes.ts"
import type { Store } from "../store.ts"
import type { SealedThing } from "../../model/sealed.rules.ts"
import * as queries from "./queries.ts"

export abstract class SharedLists implements Partial<Store> {
  protected abstract readonly clientSearch: queries.ClientSearch

  protected abstract ask<T>(query: queries.Query<T>): Promise<T>

  /** Asks a query that may read many rows. */
  protected abstract askLong<T>(query: queries.Query<T>): Promise<T>

  accounts(page: Page, filter?: AccountFilter) {
    return this.askLong(queries.accountsQuery(page, filter))
  }

  clients(page: Page, filter?: ClientFilter) {
    return this.askLong(queries.clientsQuery(page, filter, this.clientSearch))
  }

  groups(page: Page, name?: string) {
    return this.ask(queries.groupsQuery(page, name))
  }

  marks(after: Mark, limit: number) {
    return this.ask(queries.marksQuery(after, limit))
  }

  identities(provider: string, page: Page) {
    return this.ask(queries.identitiesQuery(provider, page))
  }

  invitations(page: Page) {
    return this.ask(queries.invitationsQuery(page))
  }

  sessions(userId: UserId) {
    return this.ask(queries.sessionsQuery(userId))
  }

  settings() {
    return this.ask(queries.settingsQuery)
  }

  sealed(thing: SealedThing, after: string | null, limit: number) {
    return this.ask(queries.sealedQuery(thing, after, limit))
  }

  tallies(query: TallyQuery) {
    return this.askLong(queries.talliesQuery(query))
  }

  mailBacklog() {
    return this.ask(queries.mailBacklogQuery)
  }

  unsentMails(limit: number) {
    return this.ask(queries.unsentMailsQuery(limit))
  }
}
