/** Puts accounts and apps into groups, while the service runs. */
import type { ClientId, UserId } from "../../src/kernel/ids.ts"
import { decided } from "../../src/model/change.rules.ts"
import type { TestServer } from "./test-server.ts"

/** Puts the account into exactly these groups, by hand. Groups that do not exist are made. False for no account. */
export function setGroups(
  testServer: TestServer,
  userId: string,
  ...groups: readonly string[]
): Promise<boolean> {
  const createdAt = testServer.clock.now()
  return testServer.store.change({ account: userId as UserId }, ({ account }) =>
    account === null
      ? decided(false)
      : decided(
          true,
          ...groups.map((name) => ({ change: "groupSet", group: { name, title: null, createdAt } }) as const),
          {
            change: "membershipsSet",
            userId: account.userId,
            memberships: groups.map((group) => ({ group, provider: null })),
          },
        ),
  )
}

/** Makes the app be for exactly these groups. Without a group, it is for every account. False for no app. */
export function setAppGroups(
  testServer: TestServer,
  { clientId }: { readonly clientId: string },
  ...groups: readonly string[]
): Promise<boolean> {
  return testServer.store.change({ client: clientId as ClientId }, ({ client }) =>
    client === null
      ? decided(false)
      : decided(true, { change: "clientChanged", client: { ...client, groups } }),
  )
}
