/** oauth2-proxy, started with the command in docs/clients.md. A proof builds it. */
import { randomBytes } from "node:crypto"
import { dirname } from "node:path"
import { commands } from "../documented.ts"
import type { SiteProgram } from "./site.ts"

/** `program` is the path of the executable. */
export function oauth2Proxy(program: string): SiteProgram {
  return {
    name: "oauth2-proxy",
    callback: "/oauth2/callback",
    begin: (visitor) => visitor.get("/oauth2/start?rd=/oauth2/userinfo"),
    command: ({ BASE, CLIENT_ID, CLIENT_SECRET, PORT }) => {
      const variables = {
        PATH: `${dirname(program)}:${process.env["PATH"]}`,
        base: BASE,
        client: CLIENT_ID,
        secret: CLIENT_SECRET,
        cookie_secret: randomBytes(16).toString("hex"),
        listen: `127.0.0.1:${PORT}`,
        app: `http://127.0.0.1:${PORT}`,
        upstream: "static://200",
      }
      const assigned = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
      return ["env", ...assigned, "sh", "-eu", "-c", `exec ${commands("oauth2-proxy")}`]
    },
  }
}
