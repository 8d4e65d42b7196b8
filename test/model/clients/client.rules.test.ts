import { test } from "node:test"
import assert from "node:assert/strict"
import { hasServedIcon } from "../../../src/model/clients/client.rules.ts"
import { hash, publicClient } from "../../support/core-sample.ts"

test("ICON-2 an icon is served only of an app that is enabled, verified and has one", () => {
  for (const enabled of [true, false])
    for (const verified of [true, false])
      for (const iconHash of [hash("icon"), null])
        assert.equal(
          hasServedIcon({ ...publicClient, enabled, verified, iconHash }),
          enabled && verified && iconHash !== null,
          JSON.stringify({ enabled, verified, iconHash }),
        )
})
