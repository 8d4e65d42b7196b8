/** The machine's clock moved for one process, by libfaketime. */
import { spawnSync } from "node:child_process"

export type MovedClock = (seconds: number) => Readonly<Record<string, string>>

/**
 * The environment that moves the wall clock of a process by so many seconds; null where `faketime` is not installed.
 * Under CI=true that is an error, and elsewhere it is said plainly.
 */
export const movedClock: MovedClock | null = findLibrary()

/** For the options of a test that needs it. */
export const needsFaketime = movedClock === null ? { skip: "faketime is not installed" } : {}

function findLibrary(): MovedClock | null {
  const said = spawnSync("faketime", ["-f", "+0s", "printenv", "LD_PRELOAD"], { encoding: "utf8" })
  const library = said.status === 0 ? said.stdout.trim() : ""
  if (library !== "") {
    return (seconds) => ({
      LD_PRELOAD: library,
      FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}s`,
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    })
  }
  if (process.env["CI"] === "true")
    throw new Error("faketime is not installed: its tests cannot be left out here")
  console.log("faketime is not installed: the tests that move a server's clock are left out")
  return null
}
