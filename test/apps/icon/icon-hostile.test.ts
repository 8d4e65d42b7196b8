/** Tests malicious pictures. Each is refused with a sentence or becomes a plain square, and the service continues. */
import { after, describe, test } from "node:test"
import assert from "node:assert/strict"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { constants, deflateSync } from "node:zlib"
import sharp, { type Sharp } from "sharp"
import { ICON_BYTES_AT_MOST } from "../../../src/kernel/limits.ts"
import { drawIcon, setIcon } from "../../../src/apps/icon/icon.ts"
import { pictureFormat } from "../../../src/apps/icon/picture-format.ts"
import { fixture } from "../../support/fixture.ts"
import { chunk, chunksOf, gif, png, pngWith } from "../../support/picture.ts"
import { peakOf } from "../../support/picture-peak.ts"
import { OPERATOR } from "../../support/test-server.ts"

const MEGABYTE = 1024 * 1024
const SCRIPT = "<script>alert(1)</script><?php system($_GET[0]) ?>"
const fetched: string[] = []

/** Every picture that contains a URL points to this server. */
const server = createServer((request, response) => {
  fetched.push(request.url ?? "")
  response.end()
})

await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const {
  testServer,
  app: { clientId },
} = await fixture({ apps: { app: { verified: true } } })
after(() => server.close())

const text = (words: string): Buffer => Buffer.from(words, "latin1")
/** Compresses zeros. A compressed megabyte does not depend on the bytes before it, so the same megabyte is repeated. */
function zeros(bytes: number): Buffer {
  if (bytes % MEGABYTE !== 0) return deflateSync(Buffer.alloc(bytes), { level: 9 })
  const one = deflateSync(Buffer.alloc(MEGABYTE), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const [head, block] = [one.subarray(0, 2), one.subarray(2)]
  // The first sum of zeros stays 1, and the second sum counts them. RFC 1950 §8.2.
  const sum = Buffer.alloc(4)
  sum.writeUInt16BE(bytes % 65_521)
  sum.writeUInt16BE(1, 2)
  return Buffer.concat([head, ...Array.from({ length: bytes / MEGABYTE }, () => block), Buffer.of(3, 0), sum])
}
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}
const flipped = (file: Buffer, at: number): Buffer => {
  const copy = Buffer.from(file)
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}
const whole = png(40, 20)
const dataOf = (file: Buffer): number => file.indexOf("IDAT") + 4

const noise = (side: number): Sharp =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: "#fff",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  })

/** Builds a progressive JPEG that repeats its last scan until the file is full. */
async function jpegOfManyScans(): Promise<Buffer> {
  const file = await sharp(png(2048, 2048)).jpeg({ progressive: true }).toBuffer()
  const end = file.subarray(-2)
  const scan = file.subarray(file.lastIndexOf(Buffer.of(0xff, 0xda)), -2)
  const times = Math.floor((ICON_BYTES_AT_MOST - file.length) / scan.length)
  return Buffer.concat([file.subarray(0, -2), ...Array.from({ length: times }, () => scan), end])
}

const svg = (): Buffer =>
  text(`<svg xmlns="http://www.w3.org/2000/svg"><image href="${elsewhere}/svg"/><script>1</script></svg>`)

const refused: Record<string, () => Buffer | Promise<Buffer>> = {
  "a header that claims fifty thousand by fifty thousand": () => pngWith(50_000, 50_000, zeros(5)),
  "twenty-five million pixels in a hundred kilobytes": () => png(5000, 5000),
  "one pixel high and five million wide": () => png(5_000_000, 1),
  "the largest numbers that a header holds": () => pngWith(0x7fffffff, 0x7fffffff, zeros(5)),
  "no pixel": () => pngWith(0, 0, zeros(5)),
  "nothing at all": () => Buffer.alloc(0),
  "the beginning alone": () => whole.subarray(0, 8),
  "a picture that ends in the middle": () => whole.subarray(0, -20),
  "a JPEG that ends in the middle": async () => (await noise(300).jpeg().toBuffer()).subarray(0, 4000),
  "a WebP that ends in the middle": async () => (await noise(300).webp().toBuffer()).subarray(0, 4000),
  "pixels that do not match their checksum": () => flipped(whole, dataOf(whole) + 6),
  "a wrong checksum of the pixels": () => flipped(whole, whole.indexOf("IEND") - 5),
  "a wrong checksum of the header": () => flipped(whole, 29),
  "rows that are not there": () => pngWith(2000, 2000, zeros(5)),
  "interlaced rows that are not": () => pngWith(500, 500, zeros(2001 * 500), { interlaced: true }),
  "a JPEG of ten thousand scans": once(jpegOfManyScans),
  "a drawing with a script": svg,
  "a drawing that is packed": () => Buffer.concat([Buffer.of(0x1f, 0x8b, 8, 0), deflateSync(svg())]),
  "a page": () => text(`<!doctype html><img src="${elsewhere}/page">${SCRIPT}`),
  "a PDF": () => text("%PDF-1.7\n1 0 obj"),
  "a TIFF": () => sharp(png(20, 20)).tiff().toBuffer(),
  "an AVIF": () => sharp(png(20, 20)).avif().toBuffer(),
  "a file with more bytes than are read": () => Buffer.concat([whole, Buffer.alloc(ICON_BYTES_AT_MOST)]),
  "a playlist": () => text(`#EXTM3U\n${elsewhere}/list`),
  "an ImageMagick script": () => text(`push graphic-context\nfill 'url(${elsewhere}/mvg)'\n`),
}

const drawn: Record<string, () => Buffer | Promise<Buffer>> = {
  "a picture with a page behind it": () => Buffer.concat([whole, text(SCRIPT)]),
  "a GIF with an archive behind it": () => Buffer.concat([gif([0]), text(`PK\x03\x04${SCRIPT}`)]),
  "a picture whose texts are a script": () =>
    png(40, 20, {
      chunks: [
        chunk("tEXt", text(`Comment\0${SCRIPT}`)),
        chunk("iTXt", text(`XML:com.adobe.xmp\0\0\0\0\0<x href="${elsewhere}/xmp">${SCRIPT}</x>`)),
        chunk("eXIf", text(`II*\0${SCRIPT}`)),
      ],
    }),
  "a photograph whose owner is a script": () =>
    noise(100)
      .jpeg()
      .withExif({ IFD0: { Artist: SCRIPT, Copyright: elsewhere } })
      .toBuffer(),
  "a text that unfolds to two hundred megabytes": () =>
    png(40, 20, { chunks: [chunk("zTXt", Buffer.concat([text("a\0\0"), zeros(200 * MEGABYTE)]))] }),
  "a color profile that does": once(() =>
    png(40, 20, { chunks: [chunk("iCCP", Buffer.concat([text("a\0\0"), zeros(200 * MEGABYTE)]))] }),
  ),
  "three hundred megabytes of rows too many": () => pngWith(40, 20, zeros(300 * MEGABYTE)),
  "twenty thousand texts": () =>
    png(40, 20, { chunks: Array.from({ length: 20_000 }, () => chunk("tEXt", text("a\0b"))) }),
  "thirty thousand frames": () => gif(Array.from({ length: 30_000 }, (_, n) => (n === 0 ? 0 : 1))),
  "a frame on the largest screen that there is": () => gif([0], [0xffff, 0xffff]),
  "sixteen bits a sample": once(() => png(2048, 2048, { depth: 16 })),
  "ink for four plates": () => noise(300).toColourspace("cmyk").jpeg().toBuffer(),
  "a line of one pixel": () => png(4000, 1),
  "one pixel": () => png(1, 1),
}

describe("ICON-1: refused, with a sentence for the person who uploaded it", () => {
  for (const [name, made] of Object.entries(refused)) {
    test(name, async () => {
      const icon = await setIcon(testServer.latchkey, clientId, await made(), OPERATOR)
      assert.ok(!icon.ok)
      assert.match(icon.error, /^[A-Z][^<>]{10,90}\.$/)
    })
  }
})

describe("ICON-1: drawn again, as a square that holds only the visible pixels", () => {
  for (const [name, made] of Object.entries(drawn)) {
    test(name, async () => {
      assert.ok((await setIcon(testServer.latchkey, clientId, await made(), OPERATOR)).ok)
      const answer = await fetch(`${testServer.url}/oauth/apps/${clientId}/icon`)
      assert.equal(answer.status, 200)
      assertPlain(Buffer.from(await answer.arrayBuffer()))
    })
  }
})

function assertPlain(file: Buffer): void {
  assert.equal(pictureFormat(file), "png")
  const { names, rest } = chunksOf(file)
  assert.deepEqual(
    [...new Set(names)].filter((name) => name !== "pHYs"),
    ["IHDR", "IDAT", "IEND"],
  )
  assert.equal(rest.length, 0, "something stands behind the picture")
  assert.deepEqual([file.readUInt32BE(16), file.readUInt32BE(20), file[24]], [256, 256, 8])
  assert.doesNotMatch(file.toString("latin1"), /script|<\?php|127\.0\.0\.1/)
  assert.ok(file.length < 300_000, `${file.length} bytes`)
}

async function pixelsOf(picture: Buffer): Promise<(x: number, y: number) => readonly number[]> {
  const icon = await drawIcon(picture)
  assert.ok(icon.ok)
  const raw = await sharp(icon.value.png).ensureAlpha().raw().toBuffer()
  return (x, y) => [...raw.subarray((y * 256 + x) * 4, (y * 256 + x) * 4 + 4)]
}

test("ICON-1: the first frame, and the whole picture in the middle of a transparent square", async () => {
  const first = await pixelsOf(gif([0, 1, 1]))
  assert.deepEqual(first(128, 128), [255, 0, 0, 255])
  const wide = await pixelsOf(png(40, 20, { color: [0, 0, 255, 255] }))
  assert.deepEqual(wide(128, 128), [0, 0, 255, 255])
  for (const [x, y] of [
    [0, 0],
    [255, 255],
    [128, 60],
    [128, 195],
  ] as const)
    assert.equal(wide(x, y)[3], 0, `${x}, ${y}`)
})

test("ICON-1: a photograph that lies on its side stands up", async () => {
  const half = { create: { width: 50, height: 100, channels: 3, background: "#00f" } } as const
  const left = await sharp({ create: { ...half.create, width: 100, background: "#f00" } })
    .composite([{ input: await sharp(half).png().toBuffer(), left: 50, top: 0 }])
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const at = await pixelsOf(left)
  // The picture is turned to the right by a quarter, so its left side is now on top.
  const [top, bottom] = [at(128, 30), at(128, 225)]
  assert.ok((top[0] ?? 0) > 200 && (top[2] ?? 255) < 60, String(top))
  assert.ok((bottom[2] ?? 0) > 200 && (bottom[0] ?? 255) < 60, String(bottom))
})

test("ICON-1: what takes the most memory takes it in a process of its own, and little", async () => {
  for (const made of [
    drawn["sixteen bits a sample"],
    drawn["a color profile that does"],
    drawn["thirty thousand frames"],
    drawn["a frame on the largest screen that there is"],
    refused["a JPEG of ten thousand scans"],
    () => png(2048, 2048, { depth: 16, interlaced: true }),
    () => sharp(png(2048, 2048)).toColourspace("cmyk").jpeg({ progressive: true }).toBuffer(),
    () => sharp(png(2048, 2048)).webp({ lossless: true }).toBuffer(),
  ]) {
    const file = await made?.()
    assert.ok(file !== undefined && file.length <= ICON_BYTES_AT_MOST)
    const peak = peakOf(file)
    assert.ok(peak < 256 * MEGABYTE, `${made?.name}: ${peak / MEGABYTE} MB`)
  }
})

test("ICON-1: of many at once the first few are drawn and the rest sent away; then it goes on", async () => {
  const all = await Promise.all(Array.from({ length: 30 }, () => drawIcon(whole)))
  const drawnOnes = all.filter(({ ok }) => ok)
  assert.ok(drawnOnes.length >= 1 && drawnOnes.length <= 8, `${drawnOnes.length} were drawn`)
  assert.ok(all.some((icon) => !icon.ok && icon.error.startsWith("Too many pictures")))
  assert.ok((await drawIcon(whole)).ok)
})

test("SVC-11: nothing of all this was fetched", () => assert.deepEqual(fetched, []))
