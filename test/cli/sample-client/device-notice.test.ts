import { test } from "node:test"
import assert from "node:assert/strict"
import jsQR from "jsqr"
import { deviceNotice, qrText } from "../../../src/cli/sample-client/device-notice.ts"
import { largeLetters } from "../../../src/cli/sample-client/large-letters.ts"
import { USER_CODE_ALPHABET } from "../../../src/oauth/device/user-code.rules.ts"

const notice = {
  userCode: "BCDF-GHJK",
  verificationUri: "https://id.example/oauth/device",
  verificationUriComplete: "https://id.example/oauth/device?user_code=BCDF-GHJK",
}

test("DEV-2, DEV-3, DEV-4 the terminal shows the code, large and to copy, both links and a QR code", () => {
  const text = deviceNotice(notice, false)
  for (const shown of [`  ${notice.userCode}\n`, `  ${notice.verificationUri}\n`])
    assert.ok(text.includes(shown))
  assert.ok(text.includes(`  ${notice.verificationUriComplete}\n`))
  for (const line of largeLetters(notice.userCode).split("\n")) assert.ok(text.includes(`  ${line}\n`))
  assert.equal(
    read(text.split("\n").filter((line) => /^ {2}[ █▀▄]*$/.test(line))),
    notice.verificationUriComplete,
  )
})

test("DEV-4 the QR code is the link, black on white where the terminal has colors", () => {
  const plain = qrText(notice.verificationUri, false)
  assert.equal(read(plain.split("\n")), notice.verificationUri)
  const lines = qrText(notice.verificationUri, true).split("\n")
  for (const [i, line] of plain.split("\n").entries())
    assert.equal(lines[i], `\u001b[38;5;16;48;5;231m${line}\u001b[0m`)
})

test("DEV-4 a service without a link that has the code in it is shown its plain one", () => {
  const text = deviceNotice({ ...notice, verificationUriComplete: null }, false)
  assert.equal(text.includes("Or open this"), false)
  assert.equal(read(text.split("\n").filter((line) => /^ {2}[ █▀▄]*$/.test(line))), notice.verificationUri)
})

test("DEV-2 every letter of a user code can be drawn, each another way; what moves a cursor never is", () => {
  const drawn = [...USER_CODE_ALPHABET].map((letter) => largeLetters(letter))
  assert.equal(new Set(drawn).size, USER_CODE_ALPHABET.length)
  for (const letter of drawn) {
    const rows = letter.split("\n")
    assert.equal(rows.length, 5)
    assert.ok(rows.every((row) => row.length <= 5))
  }
  assert.equal(largeLetters("AB\u001b[2J"), "")
  assert.equal(deviceNotice({ ...notice, userCode: "A\u001b[2J" }, false).includes("\u001b"), false)
})

/** Reads the code from the screen as a phone does. The large letters above do not belong to it. */
function read(lines: readonly string[]): string | undefined {
  const first = lines.findIndex((line) => line.includes("▀"))
  const rows = lines.slice(first - 1).map((line) => [...line])
  const width = Math.max(...rows.map((row) => row.length))
  const scale = 4
  const [pixelsWide, pixelsHigh] = [width * scale, rows.length * 2 * scale]
  const pixels = new Uint8ClampedArray(pixelsWide * pixelsHigh * 4).fill(255)
  for (let y = 0; y < pixelsHigh; y++)
    for (let x = 0; x < pixelsWide; x++) {
      const cell = rows[Math.floor(y / scale / 2)]?.[Math.floor(x / scale)] ?? " "
      const isUpper = Math.floor(y / scale) % 2 === 0
      if (cell === "█" || cell === (isUpper ? "▀" : "▄"))
        pixels.fill(0, (y * pixelsWide + x) * 4, (y * pixelsWide + x) * 4 + 3)
    }
  // According to its types, the module is its own default export.
  return (jsQR as unknown as typeof jsQR.default)(pixels, pixelsWide, pixelsHigh)?.data
}
