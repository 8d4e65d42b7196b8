import type { UserId } from "../../src/kernel/ids.ts"
import { decided } from "../../src/model/change.rules.ts"
import type { Store } from "../../src/store/store.ts"

/** Puts an account into exactly these groups, by hand. They are made first. */
export function joinGroups(store: Store, userId: string, ...groups: readonly string[]): Promise<void> {
  const memberships = groups.map((group) => ({ group, provider: null }))
  return store.change({}, () =>
    decided(
      undefined,
      ...groups.map((name) => ({ change: "groupSet", group: { name, title: null, createdAt: 0 } }) as const),
      { change: "membershipsSet", userId: userId as UserId, memberships },
    ),
  )
}
