/**
 * A service sends its mail through the server of aiosmtpd, and Python's own parser reads it. The server hangs, dies and
 * greylists, and nodes are killed while they send.
 */
import { lookup } from "node:dns/promises"
import { mkdirSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { addAccount } from "../../src/accounts/accounts.ts"
import { setEmailByOperator } from "../../src/accounts/email/email.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import { databaseIn, type TestDatabase } from "../../test/support/database.ts"
import { REDIRECT_URI } from "../../test/support/connect.ts"
import { done, type Span, SpawnedServer, within } from "../../test/support/spawn.ts"
import { PASSWORD } from "../../test/support/test-server.ts"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { everyKind, flawsOf } from "./every-kind.ts"
import { outage, until } from "./outage.ts"
import { installReceiver, Receiver, type Taken } from "./receiver.ts"

const PEOPLE = 120
/** With fewer people, all mails may have come before the nodes are killed. */
const PEOPLE_AT_LEAST = 60
/** It fits in one encoded word. Between two of them, Python's parser shows a space that RFC 2047 §6.2 removes. */
const OPERATOR = "Zürich <a@b>, c"

export const mail: Proof = {
  name: "mail",
  promise: "Every mail comes, to one person, and a dead mail server delays nothing else",
  engines: ["sqlite", "postgres"],
  prove: (attempt) => within((span) => prove(span, attempt)),
}

async function prove(span: Span, attempt: Attempt): Promise<Figures> {
  const { work, engine, say } = attempt
  const python = installReceiver(work)
  const dir = join(work, "data")
  mkdirSync(dir)
  const database = await databaseIn(dir, engine)
  span.after(() => database.drop())
  const host = await ownName()

  say(`TLS from the start, and STARTTLS on ${host}`)
  const implicit = await receiverOf(span, python, work, host, "implicit")
  await done(dir, ["mail", "test", "ada@example.org", "--base-url", "https://id.example"], "")
  await until(() => implicit.taken.length === 1, "the test mail")
  await implicit.stop()
  const receiver = await receiverOf(span, python, work, host, "starttls")

  const people = await addPeople(database, Math.max(PEOPLE_AT_LEAST, part(attempt, PEOPLE)))
  const nodes = [await SpawnedServer.start(span, dir)]
  if (engine === "postgres") for (let n = 1; n < 3; n++) nodes.push(await SpawnedServer.start(span, dir))
  const urlOf = (n: number) => (nodes[n % nodes.length] ?? first).url
  const [first] = nodes as [SpawnedServer]

  say("each kind of mail")
  const taken = await everyKind({ dir, url: first.url, app: await newApp(dir), mailTo: mailsOf(receiver) })
  noFlawIn([...implicit.taken, ...receiver.taken])
  say("a mailbox that is unknown, and one that is greylisted")
  const greylisted = await refusals(dir, database, receiver)
  say(`${people.length} people sign in while the mail server hangs, then is dead`)
  const once = await outage({ receiver, people, urlOf }, () => Promise.resolve())
  if (once.twice > 0) throw new Error(`${once.twice} mails came twice`)
  say("the same, and nodes are killed while they send")
  const dying = nodes.slice(0, 2)
  const killed = await outage({ receiver, people, urlOf }, async () => {
    await receiver.sending()
    await Promise.all(dying.map((node) => node.stop("SIGKILL")))
    if (nodes.length === 1) nodes[0] = await SpawnedServer.start(span, dir)
  })

  noFlawIn(receiver.taken)
  const said = [...nodes, ...dying].map(({ stdout, stderr }) => stdout + stderr).join("")
  if (/p\/ss|p%2Fss|@example\.org/.test(said)) throw new Error("a log has the password or a recipient")
  const found = await done<unknown[]>(dir, ["verify"])
  if (found.length > 0) throw new Error(`verify finds ${JSON.stringify(found)}`)
  return {
    "kinds of mail that came": taken.length,
    "mails that Python's parser read without a flaw": receiver.taken.length + implicit.taken.length,
    "a greylisted mail came after, s": greylisted,
    "people who signed in while no mail server answered": 2 * people.length,
    "slowest sign-in then, ms": Math.max(once.slowest, killed.slowest),
    "all their mails came after, s": once.seconds,
    "of these, twice": once.twice,
    nodes: nodes.length,
    "nodes killed while they sent": dying.length,
    "all came after that, s": killed.seconds,
    "of these, twice with the same Message-ID": killed.twice,
    "received by": "aiosmtpd 1.4.6",
  }
}

function noFlawIn(mails: readonly Taken[]): void {
  const flaws = mails.flatMap((one) => flawsOf(one, OPERATOR))
  if (flaws.length > 0) throw new Error(flaws.slice(0, 5).join("\n"))
}

/** Returns the name of this machine, for which TLS is required, or localhost. */
async function ownName(): Promise<string> {
  const name = hostname().toLowerCase()
  const isKnown = await lookup(name).then(
    () => /^[a-z0-9][a-z0-9-]*$/.test(name),
    () => false,
  )
  return isKnown ? name : "localhost"
}

async function receiverOf(span: Span, python: string, work: string, host: string, mode: Receiver["mode"]) {
  const receiver = new Receiver(python, work, host, mode)
  span.after(() => receiver.stop())
  await receiver.start()
  const file = {
    mail: { smtp_url: receiver.url, from: "id@example.org", name: OPERATOR, ca_file: "../ca.pem" },
  }
  writeFileSync(join(work, "data/latchkey.yaml"), JSON.stringify(file))
  return receiver
}

async function addPeople(database: TestDatabase, count: number): Promise<readonly string[]> {
  const store = await database.open()
  try {
    const names = Array.from({ length: count }, (_, n) => `person-${n}`)
    for (const username of names) {
      const services = { store, clock: systemClock, mail: null }
      await addAccount(services, { username, password: PASSWORD, admin: false, address: null })
      await setEmailByOperator(services, username, `${username}@example.org`, { address: null })
    }
    return names
  } finally {
    await store.close()
  }
}

async function newApp(dir: string) {
  const added = await done<{ client_id: string }>(dir, [
    ...["app", "add", "--name", "Paperclip", "--type", "public"],
    ...["--redirect", REDIRECT_URI, "--permission", "account:read"],
  ])
  return { clientId: added.client_id, secret: null }
}

/** Each mail is taken once. */
function mailsOf(receiver: Receiver) {
  const used = new Set<unknown>()
  return async (address: string, words: string) => {
    const isIt = (one: Receiver["taken"][number]) =>
      one.to === address && `${one.subject}\n${one.text}`.includes(words) && !used.has(one)
    await until(() => receiver.taken.some(isIt), `a mail to ${address} with ${words}`)
    const found = receiver.taken.find(isIt)
    if (found === undefined) throw new Error("a mail was lost")
    used.add(found)
    return found
  }
}

/** Returns the seconds until a greylisted mail came. */
async function refusals(dir: string, database: TestDatabase, receiver: Receiver): Promise<number> {
  const begun = performance.now()
  for (const name of ["unknown", "greylisted"]) {
    await done(dir, ["account", "add", name, "--password-stdin"], PASSWORD)
    await done(dir, ["account", "email", name, `${name}@example.org`])
  }
  await until(() => receiver.taken.some(({ to }) => to === "greylisted@example.org"), "the greylisted mail")
  const given = await database.rows(
    "SELECT problem FROM outbox WHERE next_try_at IS NULL AND problem IS NOT NULL",
  )
  if (given.length !== 1 || given[0]?.["problem"] !== "EENVELOPE at RCPT TO (550)")
    throw new Error(`given up: ${JSON.stringify(given)}`)
  return Math.round((performance.now() - begun) / 1000)
}
