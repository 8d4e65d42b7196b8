/**
 * Converts untrusted pictures. Decoders are native code, so each picture gets its own process (`picture-process.ts`). A
 * crash ends only this process, and a slow process is killed. One process runs at a time, with a short queue.
 */
import { spawn } from "node:child_process"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { ICON_BYTES_AT_MOST, ICON_PIXELS_AT_MOST, ICON_SIDE, LOGO_SIDE_AT_MOST } from "../../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { pictureFormat } from "./picture-format.ts"
import { drawnAs } from "./picture-process.ts"

/** The time limit includes the wait in the queue, so that pictures do not delay the shutdown of the service. */
const MILLISECONDS_AT_MOST = 8_000
const WAITING_AT_MOST = 8

/**
 * The size limit of the result. Random pixels do not compress, so the limit is their full size, with room for the PNG
 * format.
 */
const drawnBytesAtMost = (side: number) => side * side * 4 + 64 * 1024

/** What a picture becomes, with the size limit of the result. */
const kinds = {
  icon: { name: "An icon", most: drawnBytesAtMost(ICON_SIDE) },
  logo: { name: "A logo", most: drawnBytesAtMost(LOGO_SIDE_AT_MOST) },
  logoDark: { name: "A logo", most: drawnBytesAtMost(LOGO_SIDE_AT_MOST) },
}

export type PictureKind = keyof typeof kinds

/** The npm package has this file as JavaScript. */
const PROCESS = fileURLToPath(new URL(`./picture-process${extname(import.meta.url)}`, import.meta.url))

/** The environment variables that the loader of shared libraries may need. The process gets no others. */
const PASSED_ON = ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot"]

/**
 * Converts a picture to a PNG. Fails for a damaged or too large picture, for another format, or if the queue is
 * full.
 */
export async function drawPicture(
  bytes: Uint8Array,
  kind: PictureKind = "icon",
): Promise<Result<Uint8Array, Problem>> {
  if (bytes.length > ICON_BYTES_AT_MOST)
    return err(`The picture has more than ${ICON_BYTES_AT_MOST / 1024} KiB.`)
  if (pictureFormat(bytes) === null) return err(`${kinds[kind].name} is a PNG, JPEG, WebP or GIF picture.`)
  if (waiting >= WAITING_AT_MOST) return tooMany
  waiting += 1
  const until = performance.now() + MILLISECONDS_AT_MOST
  const turn = last.then(() => drawApart(bytes, kind, until))
  last = turn.then(leave, leave)
  return turn
}

const tooMany = err("Too many pictures are being read at this moment. Try again in a minute.")

let waiting = 0
let last: Promise<void> = Promise.resolve()

function leave(): void {
  waiting -= 1
}

async function drawApart(
  bytes: Uint8Array,
  kind: PictureKind,
  until: number,
): Promise<Result<Uint8Array, Problem>> {
  const left = until - performance.now()
  if (left <= 0) return tooMany
  const { status, isLate, output, complaint } = await run(bytes, kind, left)
  if (isLate) return err("The picture takes too long to read.")
  if (status === drawnAs.tooManyPixels)
    return err(`The picture has more than ${ICON_PIXELS_AT_MOST / 1_048_576} million pixels.`)
  if (status === drawnAs.invisible)
    return kind === "logoDark"
      ? err("Nothing of this logo can be seen on a dark page. Use a lighter one.")
      : err("Nothing of this logo can be seen on a light page. It can be the logo for dark pages.")
  // Node exits with status 1 if the script did not start. If a decoder crashes, a signal ends the process.
  if (status === 1) throw new Error(`pictures cannot be read on this machine: ${complaint}`)
  return status === drawnAs.whole && pictureFormat(output) === "png"
    ? ok(output)
    : err("The picture is broken.")
}

type Ended = {
  readonly status: number | null
  readonly isLate: boolean
  readonly output: Buffer
  readonly complaint: string
}

function run(bytes: Uint8Array, kind: PictureKind, milliseconds: number): Promise<Ended> {
  const env = Object.fromEntries(
    PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", PROCESS, kind], {
    env,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  })
  // A process that failed to start has no pipes. It reports an error event later.
  if (child.pid === undefined) return new Promise((_, reject) => child.once("error", reject))
  const output = gather(child.stdout, kinds[kind].most, () => child.kill("SIGKILL"))
  const complaint = gather(child.stderr, 16 * 1024, () => child.kill("SIGKILL"))
  let isLate = false
  const limit = setTimeout(() => {
    isLate = true
    child.kill("SIGKILL")
  }, milliseconds)
  // The process may end before it has read the whole input.
  child.stdin.on("error", () => undefined)
  child.stdin.end(bytes)
  return new Promise<Ended>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (status) => {
      resolve({ status, isLate, output: output(), complaint: complaint().toString().trim() })
    })
  }).finally(() => clearTimeout(limit))
}

/** Collects the output up to a limit. Calls `tooMuch` if the output exceeds the limit. */
function gather(stream: NodeJS.ReadableStream, most: number, tooMuch: () => void): () => Buffer {
  const parts: Buffer[] = []
  let length = 0
  stream.on("data", (part: Buffer) => {
    length += part.length
    if (length > most) tooMuch()
    else parts.push(part)
  })
  return () => Buffer.concat(parts)
}
