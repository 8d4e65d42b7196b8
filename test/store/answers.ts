/** Returns the results of all reading methods of a store, so that two stores can be compared. */
import type { ClientId, Hash, TokenId, UserId } from "../../src/kernel/ids.ts"
import { DAY } from "../../src/kernel/time.ts"
import type { Store } from "../../src/store/store.ts"
import { hash, id, NOW } from "./samples.ts"

const all = { limit: 1000 }

export async function answersOf(store: Store): Promise<Record<string, unknown>> {
  const [userId, clientId, tokenId] = [id<UserId>("a"), id<ClientId>("c"), id<TokenId>("t", 1)]
  const day = NOW - (NOW % DAY)
  return {
    accounts: await store.accounts(all),
    accountsByName: await store.accounts(all, { nameBegins: "ad" }),
    clients: await store.clients({ ...all, newestFirst: true }),
    clientsFound: await store.clients(all, { nameContains: "häus" }),
    credentials: await store.credentials({}, all),
    live: await store.credentials({ live: NOW }, all),
    over: (await store.credentials({ over: NOW, userId }, all)).map((one) => one.credential.consent.tokenId),
    page: await store.credentials({ clientId }, { limit: 7, after: tokenId, newestFirst: false }),
    sessions: await store.sessions(userId),
    settings: [...(await store.settings())],
    events: await store.events({}, all),
    eventsOf: await store.events({ clientId, kinds: ["consented", "signed-in"], since: NOW }, all),
    minutes: await store.tallies({ grain: "minute", since: day, until: day + DAY }),
    days: await store.tallies({ grain: "day", since: day, until: day + DAY, clientId: "every" }),
    talliesOfApps: await store.talliesOfApps(day, day + DAY),
    figures: await store.gauges(NOW),
    users: await store.usersOf(clientId, NOW, 1000),
    consents: (await store.consentsOf({ clientId }, NOW)).map((one) => JSON.stringify(one)).toSorted(),
    invalidations: await store.invalidations(0, 1000),
    found: await found(store),
    problems: (await store.verify()).map((one) => JSON.stringify(one)).toSorted(),
  }
}

async function found(store: Store) {
  const [userId, clientId, tokenId] = [id<UserId>("a"), id<ClientId>("c"), id<TokenId>("t", 1)]
  const session = `session1`.padEnd(43, "_") as Hash
  const read = await store.read({
    client: clientId,
    ownedApps: userId,
    account: userId,
    accountByName: "öde",
    credential: tokenId,
    tokensOf: tokenId,
    appOf: tokenId,
    ownerOf: tokenId,
    deviceGrant: id("g", 3),
    deviceGrantByCode: "u3".padEnd(43, "_") as Hash,
    approverOf: id("g", 3),
    factors: userId,
    passkey: "credential",
    session,
    signedIn: session,
    spentTicket: id("t"),
    knownBrowser: { browserHash: "browser".padEnd(43, "_") as Hash, userId },
    anyKnownBrowser: "browser".padEnd(43, "_") as Hash,
    icon: clientId,
    boundCredential: id<ClientId>("c", 9),
    boundAccount: id<ClientId>("c", 9),
    anyBinding: true,
    serviceToken: hash("service0_"),
    latestServiceTokens: id<TokenId>("t", 99),
    setting: "token.access_seconds",
    meta: "service_secret_check",
    setupLink: true,
    otherAdministrator: id("a", 1),
  })
  return { ...read, icon: read.icon === null ? null : { ...read.icon, png: [...read.icon.png] } }
}
