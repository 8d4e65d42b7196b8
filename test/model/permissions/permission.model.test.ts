/** Tests laws of closure, reach and scope with random catalogs. */
import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import type { Permission } from "../../../src/kernel/ids.ts"
import {
  closure,
  isAdmin,
  reachesHubAdministration,
} from "../../../src/model/permissions/permission.rules.ts"
import {
  type Catalog,
  loadCatalog,
  type PermissionDefinition,
} from "../../../src/model/permissions/permission-catalog.rules.ts"
import { reach } from "../../../src/model/permissions/reach.rules.ts"
import { bounds, standing } from "../../support/core-sample.ts"
import { requestedPermissions, narrow, parseScope } from "../../../src/model/permissions/scope.rules.ts"

const NAMES = [..."abcdefgh"].flatMap((letter) => [`${letter}:x`, `admin:${letter}`])
const someNames = fc.subarray(NAMES)

type Table = { readonly catalog: Catalog; readonly definitions: Record<string, PermissionDefinition> }

/** A random table of implications that can be loaded. It may contain circles and admin permissions. */
const table: fc.Arbitrary<Table> = fc
  .array(fc.record({ implies: fc.subarray(NAMES), hub: fc.boolean() }), {
    minLength: NAMES.length,
    maxLength: NAMES.length,
  })
  .map((rows) => {
    const definitions = Object.fromEntries(
      rows.map(({ implies, hub }, at): [string, PermissionDefinition] => {
        const name = NAMES[at] ?? ""
        const sparse = implies.filter((implied) => (isAdmin(name) || !isAdmin(implied)) && implied < "d")
        return [name, { title: name, implies: sparse, hub_administration: hub && isAdmin(name) }]
      }),
    )
    const loaded = loadCatalog(definitions)
    return loaded.ok ? { catalog: loaded.value, definitions } : assert.fail(JSON.stringify(loaded.error))
  })

const set = (names: readonly string[]): Permission[] => names as Permission[]
const isWithin = (inner: readonly Permission[], outer: readonly Permission[]): boolean =>
  inner.every((name) => outer.includes(name))

test("PERM-3 closure: everything named is in it, closing again adds nothing, and more names never mean less", () => {
  fc.assert(
    fc.property(table, someNames, someNames, ({ catalog }, a, b) => {
      const closed = closure(catalog, set(a))
      assert.ok(isWithin(set(a), closed))
      assert.deepEqual(closure(catalog, closed), closed)
      assert.ok(isWithin(closed, closure(catalog, set([...a, ...b]))))
    }),
  )
})

test("PERM-3 closure is what following the implications one by one finds", () => {
  fc.assert(
    fc.property(table, someNames, ({ catalog, definitions }, names) => {
      const found = new Set(names)
      for (let before = -1; before !== found.size;) {
        before = found.size
        for (const name of [...found])
          for (const implied of definitions[name]?.implies ?? []) found.add(implied)
      }
      assert.deepEqual(new Set<string>(closure(catalog, set(names))), found)
    }),
  )
})

test("PERM-2 no admin permission is in a closure unless one was named", () => {
  fc.assert(
    fc.property(table, someNames, ({ catalog }, names) => {
      const unnamed = names.filter((name) => !isAdmin(name))
      assert.equal(closure(catalog, set(unnamed)).some(isAdmin), false)
    }),
  )
})

test("PERM-4 the hub-administration family is reached exactly where the closure holds one of it", () => {
  fc.assert(
    fc.property(table, someNames, ({ catalog }, names) => {
      const family = closure(catalog, set(names)).filter((name) => catalog.get(name)?.hubAdministration)
      assert.equal(reachesHubAdministration(catalog, set(names)), family.length > 0)
    }),
  )
})

test("PERM-5, PERM-6, PERM-7 reach never exceeds consent or ceiling, grows and shrinks with the ceiling, and stays closed", () => {
  fc.assert(
    fc.property(
      table,
      someNames,
      someNames,
      someNames,
      fc.boolean(),
      (of, named, ceiling, more, isAdministrator) => {
        const { catalog } = of
        const consent = closure(catalog, set(named))
        const reached = reach(catalog, consent, bounds(set(ceiling)), standing(isAdministrator))
        assert.ok(isWithin(reached, consent))
        assert.ok(isWithin(reached, closure(catalog, set(ceiling))))
        assert.ok(
          isWithin(
            reached,
            reach(catalog, consent, bounds(set([...ceiling, ...more])), standing(isAdministrator)),
          ),
        )
        assert.deepEqual(closure(catalog, reached), reached)
        if (!isAdministrator) assert.equal(reached.some(isAdmin), false)
        assert.deepEqual(reach(catalog, consent, bounds(set(NAMES)), standing(true)), consent)
      },
    ),
  )
})

test("PERM-5 whatever another table implies, a consent given before is not widened", () => {
  fc.assert(
    fc.property(table, table, someNames, someNames, (before, after, named, ceiling) => {
      const consent = closure(before.catalog, set(named))
      assert.ok(isWithin(reach(after.catalog, consent, bounds(set(ceiling)), standing(true)), consent))
    }),
  )
})

test("AUTHZ-7 what is asked is closed, within the ceiling, and free of admin permissions when it was left out", () => {
  fc.assert(
    fc.property(table, fc.option(someNames), someNames, ({ catalog }, named, ceiling) => {
      const asked = requestedPermissions(catalog, named, set(ceiling))
      if (!asked.ok) return
      assert.deepEqual(closure(catalog, asked.value), asked.value)
      assert.ok(isWithin(asked.value, closure(catalog, set(ceiling))))
      assert.ok(asked.value.length > 0)
      if (named === null) assert.equal(asked.value.some(isAdmin), false)
    }),
  )
})

test("PERM-1, TOK-6 a scope that was answered can be asked for again and comes to the same", () => {
  fc.assert(
    fc.property(table, fc.subarray(NAMES, { minLength: 1 }), ({ catalog }, named) => {
      const closed = closure(catalog, set(named))
      const text = closed.join(" ")
      const parsed = parseScope(text)
      assert.ok(parsed.ok)
      assert.deepEqual(parsed.value, closed)
      assert.deepEqual(requestedPermissions(catalog, parsed.value, closed), { ok: true, value: closed })
      assert.deepEqual(narrow(catalog, parsed.value, closed), { ok: true, value: closed })
    }),
  )
})

test("AUTH-8 narrowing never exceeds the reach, and refuses whatever is outside it", () => {
  fc.assert(
    fc.property(table, someNames, someNames, ({ catalog }, asked, reached) => {
      const narrowed = narrow(catalog, asked, set(reached))
      assert.equal(narrowed.ok, isWithin(set(asked), set(reached)))
      if (narrowed.ok && narrowed.value !== null) assert.ok(isWithin(narrowed.value, set(reached)))
    }),
  )
})
