import { test } from "node:test"
import assert from "node:assert/strict"
import { reservedScheme } from "../../../src/model/clients/reserved-schemes.rules.ts"

/** For each group: names of it, and schemes that begin or end as its patterns say. */
const reserved: readonly (readonly [does: string, schemes: string])[] = [
  ["runs code or shows text that a page chose", "javascript vbscript data blob view-source"],
  [
    "belongs to a browser itself",
    "chrome firefox safari chrome-extension moz-icon x-safari-https googlechromes",
  ],
  ["can be claimed by any web page", "mailto tel sms geo web+coffee ext+notes"],
  ["calls, messages or pays people", "facetime upi wechatpay lightning"],
  ["opens files, archives or devices", "file jar content zip"],
  ["opens a network share, a directory or a remote terminal", "smb rdp vnc telnet ldap"],
  ["streams, subscribes or connects", "ws wss rtsp feed"],
  ["opens a part of Windows", "search shell ms-settings ms-word microsoft.windows.camera anything-ms"],
  ["opens a part of macOS or iOS", "prefs shortcuts x-apple.systempreferences itms-apps com.apple.tv"],
  [
    "opens a part of Android, or an app of its choice there",
    "intent market android-app com.google.android.gm",
  ],
  ["opens a part of a Linux desktop", "apt flatpak snap apt+http flatpak+https"],
  ["is for credential wallets and authenticators", "openid otpauth openid4vp webauthn fido"],
  ["names something and opens nothing", "tag uuid cid did"],
]

test("REDIR-5 a scheme that systems give a meaning to is refused, with what it does", () => {
  for (const [does, schemes] of reserved)
    for (const scheme of schemes.split(" ")) assert.equal(reservedScheme(scheme), does, scheme)
})

test("REDIR-5 the case of a scheme is ignored", () => {
  for (const scheme of ["JavaScript", "JAVASCRIPT", "jAvAsCrIpT", "MS-Settings", "Web+Coffee"])
    assert.notEqual(reservedScheme(scheme), null, scheme)
})

test("REDIR-5 a single letter is a drive of Windows", () => {
  for (const scheme of ["a", "C", "z"]) assert.equal(reservedScheme(scheme), "is a drive of Windows")
})

test("the first group that has a name describes it", () => {
  assert.equal(reservedScheme("blob"), "runs code or shows text that a page chose")
  assert.equal(reservedScheme("urn"), "can be claimed by any web page")
})

test("the schemes of apps are free, also those that begin like a reserved one", () => {
  const free =
    "com.example.app myapp cursor vscode claude notes-app javascripts filer data2 mailtoo webapp chromeo " +
    "constructor __proto__ toString https http ms xms-a"
  for (const scheme of [...free.split(" "), ""]) assert.equal(reservedScheme(scheme), null, scheme)
})
