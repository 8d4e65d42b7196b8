/** Connections that begin but do not end. Their senders are slow, give a false length, or never stop. */
import { setTimeout as sleep } from "node:timers/promises"
import { Connection } from "./connection.ts"
import { FORM } from "./draft.ts"

type Attempt = {
  readonly name: string
  /** Whether the attempt waits as long as the service allows. */
  readonly isPatient: boolean
  /** Rejects if the service responds wrongly or too late. */
  readonly act: (connection: Connection) => Promise<void>
}

/** The additional time for a response and the end of a connection on a busy machine. */
const SLACK_MILLISECONDS = 15_000
/** A head may take 15 seconds and a request 30. This is checked every five seconds. docs/interface.md. */
const HEAD_MILLISECONDS = 15_000 + 5_000 + SLACK_MILLISECONDS
const REQUEST_MILLISECONDS = 30_000 + 5_000 + SLACK_MILLISECONDS
const KEEP_ALIVE_MILLISECONDS = 75_000 + 5_000 + SLACK_MILLISECONDS
/** The service reads far fewer bytes of a request that it rejects. */
const SENT_BYTES_AT_MOST = 64 * 1024 * 1024

const post = (...lines: readonly string[]) =>
  ["POST /oauth/token HTTP/1.1", "Host: localhost", `Content-Type: ${FORM}`, ...lines, "", ""].join("\r\n")

export const slowOnes: readonly Attempt[] = [
  {
    name: "a head without an end",
    isPatient: true,
    act: async (connection) => {
      connection.write("GET /health HTTP/1.1\r\nHost: localhost\r\n")
      await drip(connection, "x", HEAD_MILLISECONDS, 408)
    },
  },
  {
    name: "a body, a byte now and then",
    isPatient: true,
    act: async (connection) => {
      connection.write(post("Content-Length: 1000"))
      await drip(connection, "a", REQUEST_MILLISECONDS, 408)
    },
  },
  {
    name: "chunks of one byte",
    isPatient: true,
    act: async (connection) => {
      connection.write(post("Transfer-Encoding: chunked"))
      await drip(connection, "1\r\na\r\n", REQUEST_MILLISECONDS, 408)
    },
  },
  {
    name: "a chunk whose size never ends",
    isPatient: true,
    act: async (connection) => {
      connection.write(post("Transfer-Encoding: chunked"))
      await drip(connection, "0", REQUEST_MILLISECONDS, null)
    },
  },
  {
    name: "nothing at all",
    isPatient: true,
    act: async (connection) => {
      await mustEnd(connection, HEAD_MILLISECONDS)
      if (connection.reader.rest !== "")
        throw new Error(`a client that asked nothing was answered ${connection.reader.rest}`)
    },
  },
  {
    name: "nothing more after an answer",
    isPatient: true,
    act: async (connection) => {
      connection.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
      await mustAnswer(connection, 200)
      await mustEnd(connection, KEEP_ALIVE_MILLISECONDS)
    },
  },
  {
    name: "chunks without an end",
    isPatient: false,
    act: async (connection) => {
      connection.write(post("Transfer-Encoding: chunked"))
      await pour(connection, `4000\r\n${"a".repeat(0x4000)}\r\n`)
    },
  },
  {
    name: "gigabytes",
    isPatient: false,
    act: async (connection) => {
      connection.write(post("Content-Length: 9999999999"))
      await pour(connection, "a".repeat(0x4000))
    },
  },
  {
    name: "less than was announced",
    isPatient: false,
    act: async (connection) => {
      connection.write(post("Content-Length: 100") + "client_id=x")
      connection.socket.end()
      await mustEnd(connection, SLACK_MILLISECONDS)
    },
  },
  {
    name: "the end of a sender behind its request",
    isPatient: false,
    act: async (connection) => {
      connection.write(post("Content-Length: 11") + "client_id=x")
      connection.socket.end()
      await mustEnd(connection, SLACK_MILLISECONDS)
    },
  },
  {
    name: "a reset in a head",
    isPatient: false,
    act: (connection) => reset(connection, "GET /health HTTP/1.1\r\nHos"),
  },
  {
    name: "a reset in a body",
    isPatient: false,
    act: (connection) => reset(connection, post("Content-Length: 100") + "client_id=x"),
  },
  {
    name: "a reset before the answer",
    isPatient: false,
    act: (connection) => reset(connection, (post("Content-Length: 11") + "client_id=x").repeat(20)),
  },
  {
    name: "a reset behind a tunnel",
    isPatient: false,
    act: (connection) =>
      reset(connection, "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\nand more"),
  },
  {
    name: "answers that are read late",
    isPatient: false,
    act: async (connection) => {
      connection.socket.pause()
      connection.write("GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(LATE))
      await sleep(1000)
      connection.socket.resume()
      for (let left = LATE; left > 0; left--) await mustAnswer(connection, 200)
    },
  },
]

/**
 * The number of requests that may be in flight. They do not fit into the buffers between client and service, so the
 * service must wait.
 */
const LATE = 32

/** Tries one kind on its own connection. */
export async function trySlow({ name, act }: Attempt, port: number): Promise<void> {
  const connection = await Connection.open(port)
  try {
    await act(connection)
  } catch (problem) {
    throw new Error(`${name}: ${(problem as Error).message}`, { cause: problem })
  } finally {
    connection.close()
  }
}

/** Sends a small piece each second until the service ends the connection, which must happen within `milliseconds`. */
async function drip(connection: Connection, bit: string, milliseconds: number, status: number | null) {
  const timer = setInterval(() => connection.write(bit), 1000)
  try {
    if (status !== null) await mustAnswer(connection, status, milliseconds)
    await mustEnd(connection, milliseconds)
  } finally {
    clearInterval(timer)
  }
}

/** Sends as fast as possible until the service ends the connection. Before that, the service must have said why. */
async function pour(connection: Connection, bit: string): Promise<void> {
  const { socket } = connection
  let sent = 0
  const more = () => {
    while (!socket.destroyed && sent < SENT_BYTES_AT_MOST) {
      sent += bit.length
      if (!socket.write(bit, "latin1")) return
    }
  }
  socket.on("drain", more)
  more()
  await mustAnswer(connection, 400)
  await mustEnd(connection, SLACK_MILLISECONDS)
  if (sent >= SENT_BYTES_AT_MOST) throw new Error(`it took ${sent} bytes`)
}

async function reset(connection: Connection, bytes: string): Promise<void> {
  connection.write(bytes)
  await sleep(5)
  connection.socket.resetAndDestroy()
}

async function mustAnswer(
  connection: Connection,
  status: number,
  milliseconds = SLACK_MILLISECONDS,
): Promise<void> {
  const answer = await connection.answer("GET", milliseconds)
  if (answer === undefined) throw new Error(`no answer within ${milliseconds} ms`)
  if (answer === null) throw new Error(`ended without an answer (${connection.error ?? "no error"})`)
  if (answer.status !== status) throw new Error(`answered ${answer.status} ${answer.body.slice(0, 200)}`)
}

async function mustEnd(connection: Connection, milliseconds: number): Promise<void> {
  if (!(await connection.ended(milliseconds))) throw new Error(`not ended within ${milliseconds} ms`)
}
