/** From standard input, or a prompt without echo. Other users could see an argument of the command. */
import type { ReadStream } from "node:tty"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"

type ReadPassword = Result<string, Problem>

const MAX_BYTES = 64 * 1024

/** Reads a password from standard input, without one final line break. A terminal asks for the password twice. */
export async function readPassword(): Promise<ReadPassword> {
  const { stdin } = process
  return stdin.isTTY ? await askTwice(stdin) : await readToEnd(stdin)
}

/** Reads a secret from standard input. A terminal asks for the secret once. */
export async function readSecret(prompt: string): Promise<ReadPassword> {
  const { stdin } = process
  if (!stdin.isTTY) return await readToEnd(stdin)
  const secret = await ask(stdin, prompt)
  return secret === null ? err("No secret was given.") : ok(secret)
}

async function readToEnd(input: AsyncIterable<Buffer | string>): Promise<ReadPassword> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of input) {
    parts.push(Buffer.from(part))
    length += part.length
    if (length > MAX_BYTES) return err("Standard input is longer than 64 KiB.")
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts))
    return ok(text.replace(/\r?\n$/, ""))
  } catch {
    return err("Standard input is not UTF-8.")
  }
}

async function askTwice(terminal: ReadStream): Promise<ReadPassword> {
  const first = await ask(terminal, "Password: ")
  if (first === null) return err("No password was given.")
  const second = await ask(terminal, "Repeat the password: ")
  return first === second ? ok(first) : err("The two passwords differ.")
}

/** Reads a line without showing it. Returns null after Ctrl-C or Ctrl-D. */
function ask(terminal: ReadStream, prompt: string): Promise<string | null> {
  process.stderr.write(prompt)
  terminal.setRawMode(true)
  terminal.setEncoding("utf8")
  return new Promise((resolve) => {
    let typed: string[] = []
    const finish = (answer: string | null) => {
      terminal.off("data", take).pause().setRawMode(false)
      process.stderr.write("\n")
      resolve(answer)
    }
    const take = (text: string) => {
      for (const key of text) {
        if (key === "\r" || key === "\n") return finish(typed.join(""))
        if (key === "\u0003" || key === "\u0004") return finish(null)
        if (key === "\u0015") typed = []
        else if (key === "\u007F" || key === "\b") typed.pop()
        else if (key >= " ") typed.push(key)
      }
    }
    terminal.on("data", take).resume()
  })
}
