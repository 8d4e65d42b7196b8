/** What an app knows: where the service is, who it is itself, and where it listens. */
import { randomBytes } from "node:crypto"

export const { BASE: base, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, PORT: port } = process.env
export const url = `http://127.0.0.1:${port}`
export const sessionSecret = randomBytes(32).toString("hex")
