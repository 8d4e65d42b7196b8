/** Checks bcrypt hashes on another thread, which starts with the first check and does not keep the process running. */
import { Worker } from "node:worker_threads"

type Waiting = { readonly resolve: (isRight: boolean) => void; readonly reject: (reason: unknown) => void }

type Answer = { readonly id: number; readonly isRight: boolean }

let running: { readonly worker: Worker; readonly waiting: Map<number, Waiting> } | null = null
let last = 0

/** Whether `password` matches a bcrypt hash. bcrypt reads only the first 72 bytes of a password. */
export function matchesBcrypt(password: string, hash: string): Promise<boolean> {
  const { worker, waiting } = (running ??= start())
  const id = ++last
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    worker.ref()
    worker.postMessage({ id, password, hash }, [])
  })
}

function start() {
  const waiting = new Map<number, Waiting>()
  const worker = new Worker(new URL("./bcrypt-worker.js", import.meta.url))
  worker.unref()
  worker.on("message", ({ id, isRight }: Answer) => {
    waiting.get(id)?.resolve(isRight)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
  })
  worker.on("error", (error) => {
    running = null
    for (const { reject } of waiting.values()) reject(error)
  })
  return { worker, waiting }
}
