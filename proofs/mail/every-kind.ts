/** Causes each kind of mail as people do, and follows the links in the mails. */
import { Browser } from "../../test/support/browser.ts"
import { type AppIdentity, codeFor, exchange, newVerifier } from "../../test/support/connect.ts"
import { done } from "../../test/support/spawn.ts"
import { PASSWORD } from "../../test/support/test-server.ts"
import { mailKinds } from "../../src/model/mail/mail.rules.ts"
import type { Taken } from "./receiver.ts"

type Place = {
  readonly dir: string
  readonly url: string
  readonly app: AppIdentity
  /** Resolves with the first new mail to this address whose text has `words`. */
  readonly mailTo: (address: string, words: string) => Promise<Taken>
}

const NEW = "a new correct horse"

/** Returns the mails that came, one of each kind. */
export async function everyKind({ dir, url, app, mailTo }: Place): Promise<readonly Taken[]> {
  const taken: Taken[] = []
  const take = async (address: string, words: string) => {
    const mail = await mailTo(address, words)
    taken.push(mail)
    return mail
  }
  await done(dir, ["account", "add", "ada", "--password-stdin"], PASSWORD)
  const browser = new Browser(url)
  await browser.signIn("ada", PASSWORD)
  const enter = async (address: string) => {
    await browser.submit(await browser.get("/account/email"), "/account/email", { address })
    const mail = await mailTo(address, "/email/confirm?link=")
    await press("/email/confirm", mail, {}, browser)
    return mail
  }
  /** Opens the link of a mail, in another browser if none is given, and presses its button. */
  const press = async (
    path: string,
    mail: Taken,
    fields: Readonly<Record<string, string>> = {},
    opener = new Browser(url),
  ) => {
    const { pathname, search } = new URL(linkIn(mail, path))
    const page = await opener.get(pathname + search)
    const pressed = await opener.submit(page, path, fields)
    if (pressed.status !== 200 && pressed.status !== 303)
      throw new Error(`the link to ${path} answered ${page.status}, ${pressed.status}`)
  }

  taken.push(await enter("ada@example.org"))
  await enter("thief@example.org")
  await press("/email/restore", await take("ada@example.org", "/email/restore?link="))
  await take("thief@example.org", "brought")

  const asking = new Browser(url)
  await asking.submit(await asking.get("/recover"), "/recover", { name: "Ada@example.org" })
  await press("/recover", await take("ada@example.org", "/recover?link="), { new_password: NEW })
  await take("ada@example.org", "Your password was changed")

  const fresh = new Browser(url)
  await fresh.signIn("ada", NEW)
  await take("ada@example.org", "A new browser signed in")
  const { verifier, challenge } = newVerifier()
  const code = await codeFor(fresh, app, challenge)
  await take("ada@example.org", "An app was connected")
  for (let times = 0; times < 2; times++) await exchange({ url }, app, code, verifier)
  await take("ada@example.org", "An app was signed out")

  await done(dir, ["account", "totp", "ada"])
  await take("ada@example.org", "A way to sign in was added")
  await done(dir, ["account", "factors", "ada", "reset"])
  await take("ada@example.org", "A way to sign in was removed")
  await done(dir, ["account", "email", "ada", "ada.lovelace@example.org"])
  await take("ada.lovelace@example.org", "Your address was added")
  for (const flags of [[], ["--admin"]]) {
    const address = `invited${flags.length}@example.org`
    await done(dir, ["account", "invite", "--name", `grace${flags.length}`, "--email", address, ...flags])
    await press("/invitation", await take(address, "/invitation?link="), {
      username: `grace${flags.length}`,
      password: PASSWORD,
    })
  }
  if (taken.length !== mailKinds.length) throw new Error(`${taken.length} of ${mailKinds.length} kinds came`)
  return taken
}

function linkIn({ text }: Taken, path: string): string {
  const found = text.split(/\s+/).find((word) => word.includes(`${path}?link=`))
  if (found === undefined) throw new Error(`no link to ${path}: ${text}`)
  return found
}

/** Returns what is wrong with a mail, in the eyes of another parser. */
export function flawsOf(mail: Taken, operator: string): readonly string[] {
  const expected: readonly (readonly [boolean, string])[] = [
    [mail.tls, "it came without TLS"],
    [mail.login === "id", "it came without a login"],
    [mail.recipients.length === 1 && mail.recipients[0] === mail.to, `it went to ${mail.recipients.join()}`],
    [
      mail.from.join() === `${operator} id@example.org` && mail.sender === "id@example.org",
      `it is from ${mail.from.join()}`,
    ],
    [mail.subject.endsWith(` – ${operator}`), `its subject is ${mail.subject}`],
    [mail.defects.length === 0, mail.defects.join()],
    [mail.longest <= 998 && mail.is_ascii, "a line is too long or not ASCII"],
    [mail.attachments === 0, "it has an attachment"],
    [mail.text.includes("https://") || mail.text.includes("http://localhost"), "its text has no link"],
    [mail.html.startsWith("<!doctype html>") && mail.html.includes("</html>"), "its HTML is cut off"],
    [!`${mail.text}${mail.html}`.includes("Paperclip"), "it has the name of an app that is not verified"],
  ]
  return expected.flatMap(([holds, flaw]) => (holds ? [] : [`${mail.subject}: ${flaw}`]))
}
