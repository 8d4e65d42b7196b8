/** Builds pictures by hand, so that a test can put a false value into any field. */
import { crc32, deflateSync } from "node:zlib"

export type PngOptions = {
  readonly depth?: 8 | 16
  readonly interlaced?: boolean
  /** Complete chunks before the pixels. */
  readonly chunks?: readonly Uint8Array[]
  /** The color of every pixel as RGBA. */
  readonly color?: readonly [number, number, number, number]
}

/** Builds a PNG of one color. */
export function png(width: number, height: number, options: PngOptions = {}): Buffer {
  const { depth = 8, color = [21, 94, 76, 255] } = options
  const samples = color.flatMap((value) => (depth === 16 ? [value, value] : [value]))
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * samples.length, Buffer.from(samples))])
  return pngWith(width, height, deflateSync(Buffer.alloc(row.length * height, row), { level: 9 }), options)
}

/** Builds a PNG that claims this width and height, whatever `pixels` decompress to. */
export function pngWith(
  width: number,
  height: number,
  pixels: Uint8Array,
  { depth = 8, interlaced = false, chunks = [] }: PngOptions = {},
): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, 6, 0, 0, interlaced ? 1 : 0], 8)
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")
  const parts = [chunk("IHDR", head), ...chunks, chunk("IDAT", pixels), chunk("IEND", new Uint8Array())]
  return Buffer.concat([signature, ...parts])
}

export function chunk(name: string, content: Uint8Array): Buffer {
  const checked = Buffer.concat([Buffer.from(name, "latin1"), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(checked))
  return Buffer.concat([length, checked, sum])
}

/** Returns the names of a PNG's chunks in order, and the bytes after the last chunk. */
export function chunksOf(bytes: Uint8Array): { readonly names: readonly string[]; readonly rest: Buffer } {
  const file = Buffer.from(bytes)
  const names: string[] = []
  let at = 8
  while (at < file.length && names.at(-1) !== "IEND") {
    names.push(file.toString("latin1", at + 4, at + 8))
    at += 12 + file.readUInt32BE(at)
  }
  return { names, rest: file.subarray(at) }
}

/** Builds a GIF of 1 by 1 pixel. Its frames are red (0) or blue (1). */
export function gif(frames: readonly (0 | 1)[], screen: readonly [number, number] = [1, 1]): Buffer {
  const head = Buffer.alloc(13)
  head.write("GIF89a", "latin1")
  head.writeUInt16LE(screen[0], 6)
  head.writeUInt16LE(screen[1], 8)
  head[10] = 0x80
  const colors = Buffer.of(255, 0, 0, 0, 0, 255)
  const drawn = frames.map((index) =>
    Buffer.of(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, index === 0 ? 0x44 : 0x4c, 1, 0),
  )
  return Buffer.concat([head, colors, ...drawn, Buffer.of(0x3b)])
}
