/** Moves a database until everything is sent and nothing is committed. Prints a line and waits to be killed. */
import { moveDatabase } from "../../../src/store/transfer/move.ts"

const [file = "", url = ""] = process.argv.slice(2)
await moveDatabase(file, url, async (step, body) => {
  const done = await body(() => undefined)
  if (step === "compare") {
    process.stdout.write("all sent\n")
    setInterval(() => undefined, 1000)
    await new Promise(() => undefined)
  }
  return done
})
