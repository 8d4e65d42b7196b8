/** Changes the clock of one process with libfaketime. */
import { spawnSync } from "node:child_process"
import { globSync, renameSync, writeFileSync } from "node:fs"
import { leaveOut } from "./leave-out.ts"

export type MovedClock = (seconds: number) => Readonly<Record<string, string>>

/**
 * The path of the library on Debian. The program `faketime` is only used if this file is missing, because it can fail
 * while other processes start it.
 */
const INSTALLED = "/usr/lib/*/faketime/libfaketime.so.1"

/**
 * Returns the environment that moves the wall clock of a process by `seconds`. The value is null if `faketime` is not
 * installed. Under CI=true, this is an error.
 */
export const movedClock: MovedClock | null = findLibrary()

/** The options of a test that needs libfaketime. */
export const needsFaketime = movedClock === null ? { skip: "faketime is not installed" } : {}

export type SettableClock = {
  readonly environment: Readonly<Record<string, string>>
  /** Sets the offset from the real time in seconds. It also applies to running processes. */
  readonly set: (seconds: number) => void
}

/** Returns a clock that can be set while a process runs. `file` contains the offset. */
export function settableClock(file: string): SettableClock {
  const given = movedClock?.(0)
  if (given === undefined) throw new Error("faketime is not installed")
  const set = (seconds: number) => {
    writeFileSync(`${file}.new`, `${seconds < 0 ? "" : "+"}${seconds}s\n`)
    renameSync(`${file}.new`, file)
  }
  set(0)
  const { FAKETIME: _, ...environment } = given
  return { environment: { ...environment, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: "1" }, set }
}

/** Returns the library that the program `faketime` would load. Returns an empty text if no library is found. */
function askWrapper(): string {
  const result = spawnSync("faketime", ["-f", "+0s", "printenv", "LD_PRELOAD"], { encoding: "utf8" })
  return result.status === 0 ? result.stdout.trim() : ""
}

function findLibrary(): MovedClock | null {
  const library = globSync(INSTALLED)[0] ?? askWrapper()
  if (library !== "") {
    return (seconds) => ({
      LD_PRELOAD: library,
      FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}s`,
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    })
  }
  leaveOut("faketime is not installed", "the tests that move a server's clock")
  return null
}
