/** Everybody in the table. */
import type { Client } from "./client.ts"
import { oauth4webapi } from "./oauth4webapi.ts"
import { openidClient } from "./openid-client.ts"
import { simpleOauth2 } from "./simple-oauth2.ts"

export const clients: readonly Client[] = [openidClient, oauth4webapi, simpleOauth2]
