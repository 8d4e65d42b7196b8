/** Opens many connections to a server and leaves them idle. */
import { connect, type Socket } from "node:net"

/** This many are opened at a time, so that the queue of the listening socket has room. */
const TOGETHER = 100

/** Each connection has had one answer. Throws if the server closes one. */
export async function openIdle(origin: string, count: number): Promise<readonly Socket[]> {
  const port = Number(new URL(origin).port)
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const more = Math.min(TOGETHER, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: more }, () => openOne(port)))))
  }
  const closed = sockets.filter((socket) => socket.destroyed).length
  if (closed > 0) throw new Error(`${closed} of ${count} idle connections were closed`)
  return sockets
}

function openOne(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ host: "127.0.0.1", port })
  socket.once("connect", () => socket.write(`GET /none HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`))
  socket.on("data", () => resolve(socket))
  socket.once("error", reject)
  socket.once("close", () => {
    socket.destroy()
    reject(new Error("the server closed an idle connection"))
  })
  return promise
}
