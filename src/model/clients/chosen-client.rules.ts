/** The client_id and the secret that an administrator chooses for a new app. Interface APPLY-1. */
import { SECRET_LENGTH_AT_LEAST } from "../../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { ClientId } from "../../kernel/ids.ts"
import type { Client, ClientType } from "./client.rules.ts"

/** What others must know of an app before it is registered. */
export type ChosenClient = { readonly clientId: string | null; readonly secret: string | null }

/** A command would read a leading hyphen as a flag. */
const CHOSEN_ID = /^[A-Za-z0-9._][A-Za-z0-9._-]{2,63}$/
/** A secret travels in a header or a form. RFC 6749 §2.3.1 and appendix A.2. */
const SECRET = /^[\x21-\x7e]*$/
const SECRET_LENGTH_AT_MOST = 512

/** `used` are the ids of which something is stored, also of removed apps. */
export function parseChosenId(
  text: string,
  { registered, isUsed }: { readonly registered: Client | null; readonly isUsed: boolean },
): Result<ClientId, Problem> {
  if (!CHOSEN_ID.test(text))
    return err("A client_id has 3 to 64 of A-Z a-z 0-9 . _ -, and does not begin with -.")
  if (registered !== null) return err(`There is an app ${JSON.stringify(text)} already.`)
  return isUsed
    ? err(
        `A removed app had the client_id ${text}. It is free once its credentials are deleted, within eight days.`,
      )
    : ok(text as ClientId)
}

/** Returns what is wrong with the secret of a new app. */
export function chosenSecretProblem(secret: string): Problem | null {
  if (!SECRET.test(secret)) return "A client secret has only visible ASCII characters."
  return secret.length >= SECRET_LENGTH_AT_LEAST && secret.length <= SECRET_LENGTH_AT_MOST
    ? null
    : `A client secret has ${SECRET_LENGTH_AT_LEAST} to ${SECRET_LENGTH_AT_MOST} characters.`
}

/** Returns why an app cannot have a secret. */
export function withoutSecret({ type, keys }: { type: ClientType; keys: Client["keys"] }): Problem | null {
  if (type === "public") return "A public app has no secret."
  return keys === null ? null : "The app authenticates with a key and has no secret."
}
