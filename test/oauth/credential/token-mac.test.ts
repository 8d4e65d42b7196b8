/** The MAC of a token must prove that this kind of token was issued under this key. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { firstPair, readAccessToken, readRefreshToken } from "../../../src/oauth/credential/token.ts"
import { withChecksum } from "../../support/checksum.ts"

const ID = "01kb3w5f6y8m2q4r7t9v1x3z5c" as TokenId
const KEY = "a".repeat(22)
const OTHER_KEY = "b".repeat(22)

test("REV-6, REV-3 a MAC holds for its own token and key alone", () => {
  const { accessToken, refreshToken } = firstPair(ID, KEY)
  const access = readAccessToken(accessToken)
  const refresh = readRefreshToken(refreshToken)
  assert.deepEqual([access?.isGenuine(KEY), access?.isGenuine(OTHER_KEY)], [true, false])
  assert.deepEqual([refresh?.isGenuine(KEY), refresh?.isGenuine(OTHER_KEY)], [true, false])
})

test("REV-6 the MAC of one kind is no MAC of the other, also where all that it signs is the same", () => {
  const { accessToken, refreshToken } = firstPair(ID, KEY)
  const secret = accessToken.slice(30, 73)
  const asRefresh = `lkr_${ID}000001${secret}${accessToken.slice(73, 84)}`
  assert.equal(readRefreshToken(withChecksum(asRefresh))?.isGenuine(KEY), false)
  const refreshSecret = refreshToken.slice(36, 79)
  const asAccess = `lka_${ID}${refreshSecret}${refreshToken.slice(79, 90)}`
  assert.equal(readAccessToken(withChecksum(asAccess))?.isGenuine(KEY), false)
})

test("REV-6 an access token of an earlier version has no MAC and is not genuine by itself", () => {
  const old = withChecksum(firstPair(ID, KEY).accessToken.slice(0, 73))
  assert.equal(readAccessToken(old)?.isGenuine(KEY), false)
  assert.equal(readAccessToken(old)?.tokenId, ID)
})
