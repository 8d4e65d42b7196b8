/** An app that is for a group, and an account that leaves the group and comes back, as beside a running service. */
import { changeMemberships } from "../src/accounts/groups/groups.ts"
import { systemClock } from "../src/kernel/clock.ts"
import type { ClientId } from "../src/kernel/ids.ts"
import type { Account } from "../src/model/account.rules.ts"
import { decided } from "../src/model/change.rules.ts"
import type { Store } from "../src/store/store.ts"
import { joinGroups } from "../test/support/join-groups.ts"

const GROUP = "members"

export class Membership {
  readonly #store: Store
  readonly #account: Account

  private constructor(store: Store, account: Account) {
    this.#store = store
    this.#account = account
  }

  static async open(store: Store, usernameKey: string, clientId: string): Promise<Membership> {
    const { accountByName: account } = await store.read({ accountByName: usernameKey })
    if (account === null) throw new Error(`there is no account ${usernameKey}`)
    await joinGroups(store, account.userId, GROUP)
    await store.change({ client: clientId as ClientId }, ({ client }) => {
      if (client === null) throw new Error(`there is no app ${clientId}`)
      return decided(null, { change: "clientChanged", client: { ...client, groups: [GROUP] } })
    })
    return new Membership(store, account)
  }

  leave(): Promise<void> {
    return this.#change([], [GROUP])
  }

  join(): Promise<void> {
    return this.#change([GROUP], [])
  }

  async #change(add: readonly string[], remove: readonly string[]): Promise<void> {
    const services = { store: this.#store, clock: systemClock }
    const { userId } = this.#account
    const changed = await changeMemberships(services, userId, { add, remove }, { address: null })
    if (!changed.ok) throw new Error(JSON.stringify(changed.error))
  }
}
