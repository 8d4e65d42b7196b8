/**
 * An explanation in plain words. Every sentence of it is in one of the tables here; none holds a name that a person
 * chose. `time` writes an instant (integer seconds) the way the reader expects it.
 */
import type { EndedBecause, Repeats, RevokedBecause } from "../../records/credential.rules.ts"
import type {
  ComingEnd,
  ExplainedAccessToken,
  ExplainedPermission,
  Explanation,
  PermissionBlocker,
  CredentialBlocker,
} from "./explanation.rules.ts"
import { CREDENTIAL_SECONDS, IDLE_SECONDS } from "../../kernel/limits.ts"
import { DAY } from "../../kernel/time.ts"

export type Time = (at: number) => string

/** What is so, and what would have to change for it to be otherwise; null where nothing would. */
export type Explained = { readonly sentence: string; readonly remedy: string | null }

const NEW_AUTHORIZATION =
  "Only a new authorization helps: the app asks again, and the account holder consents."

const states: { readonly [K in Explanation["state"]]: string } = {
  issued: "Issued: the account holder has consented, and the app has not exchanged its code for tokens yet.",
  active: "Active: the app holds tokens for it.",
  revoked: "Revoked.",
  ended: "Ended.",
}

const revocations: { readonly [K in RevokedBecause]: string } = {
  app: "the app signed itself out",
  "account-holder": "the account holder ended it",
  administrator: "an administrator revoked it",
  "code-replayed": "its authorization code came a second time, which means that two had it",
  "refresh-token-reused":
    "a refresh token that had been replaced long before came again, which means that two had it",
  "account-removed": "the account was removed",
  "app-removed": "the app was removed",
}

const ends: { readonly [K in EndedBecause]: string } = {
  "code-expired": "the app did not exchange its code within ten minutes",
  idle: `the app did not refresh it for ${IDLE_SECONDS / DAY} days`,
  lifetime: `the consent was ${CREDENTIAL_SECONDS / DAY} days old`,
}

const blockerSentences: {
  readonly [K in CredentialBlocker["blocker"]]: (
    blocker: Extract<CredentialBlocker, { blocker: K }>,
    time: Time,
  ) => Explained
} = {
  revoked: ({ at, because }, time) => ({
    sentence: `It was revoked on ${time(at)}: ${revocations[because]}.`,
    remedy: NEW_AUTHORIZATION,
  }),
  ended: ({ at, because }, time) => ({
    sentence: `It ended on ${time(at)}: ${ends[because]}.`,
    remedy: NEW_AUTHORIZATION,
  }),
  "app-gone": () => ({
    sentence: "The app is not registered any more.",
    remedy: "Nothing brings it back. The app has to be registered and authorized again.",
  }),
  "app-disabled": () => ({ sentence: "The app is disabled.", remedy: "Enable the app." }),
  "account-gone": () => ({
    sentence: "The account was removed.",
    remedy: "Nothing brings it back.",
  }),
  "account-disabled": () => ({ sentence: "The account is disabled.", remedy: "Enable the account." }),
}

const comingEnds: { readonly [K in ComingEnd["rule"]]: (at: string) => string } = {
  code: (at) => `It ends on ${at} unless the app exchanges its code before.`,
  idle: (at) =>
    `It ends on ${at}, ${IDLE_SECONDS / DAY} days after the last refresh; each refresh moves that on.`,
  lifetime: (at) =>
    `It ends on ${at}, ${CREDENTIAL_SECONDS / DAY} days after the consent, whatever the app does.`,
}

const obstacles: {
  readonly [K in PermissionBlocker]: (line: ExplainedPermission) => {
    readonly is: string
    readonly remedy: string
  }
} = {
  "left-catalogue": () => ({
    is: "it is not in the catalogue any more",
    remedy: "Define it in the configuration file again.",
  }),
  "not-consented": ({ consentImpliedBy }) => ({
    is:
      consentImpliedBy.length === 0
        ? "the account holder has not consented to it"
        : `the account holder consented to ${listed(consentImpliedBy)} before that implied it`,
    remedy: "The app asks for it in a new authorization, and the account holder consents.",
  }),
  "beyond-ceiling": ({ isConsented }) => ({
    is: "the app's registration does not allow it",
    remedy: isConsented
      ? "Put it on the app's registration; no new authorization is needed."
      : "Put it on the app's registration.",
  }),
  "no-administrator": () => ({
    is: "the account is no administrator",
    remedy: "Make the account an administrator.",
  }),
}

/** The credential as a whole: its state, what stops it, its end, its elevation. */
export function wholeExplained(explanation: Explanation, time: Time): readonly Explained[] {
  const { state, comingEnd, elevatedUntil, client, repeats } = explanation
  const stops = explanation.blockers.map((blocker) => explainedBlocker(blocker, time))
  const isOver = state === "revoked" || state === "ended"
  return [
    ...(isOver ? [] : [plain(states[state])]),
    ...stops,
    ...(comingEnd === null ? [] : [plain(comingEnds[comingEnd.rule](time(comingEnd.at)))]),
    ...(state === "active" ? [explainedElevation(elevatedUntil, client?.stepUp === true, time)] : []),
    ...(repeats === null ? [] : [explainedRepeats(repeats, time)]),
  ]
}

/** One of its access tokens. */
export function accessTokenExplained(
  { issuedAt, expiresAt, isLive, narrowedTo }: ExplainedAccessToken,
  time: Time,
): string {
  const issued = `Issued on ${time(issuedAt)}`
  if (!isLive) return `${issued}, expired.`
  const width =
    narrowedTo === null
      ? "reaches all that the credential does"
      : narrowedTo.length === 0
        ? "narrowed to nothing"
        : `narrowed to ${narrowedTo.join(" ")}`
  return `${issued}, good until ${time(expiresAt)}, ${width}.`
}

/** One permission: why it is reached, or everything that keeps it from being reached. */
export function permissionExplained(line: ExplainedPermission): Explained {
  if (line.obstacles.length > 0) {
    const sentences = line.obstacles.map((obstacle) => obstacles[obstacle](line))
    return {
      sentence: `Not reached: ${sentences.map(({ is }) => is).join("; ")}.`,
      remedy: sentences.map(({ remedy }) => remedy).join(" "),
    }
  }
  const consented =
    line.consentImpliedBy.length === 0
      ? "the account holder consented to it"
      : `the account holder consented to it, and to ${listed(line.consentImpliedBy)}, which ${line.consentImpliedBy.length === 1 ? "brings" : "bring"} it along`
  const allowed =
    line.ceiling === "named"
      ? "the app's registration lists it"
      : `the app's registration allows it through ${listed(line.ceilingImpliedBy)}`
  return line.isReached
    ? plain(`Reached: ${consented}, and ${allowed}.`)
    : plain("Not reached now, for no other reason than that the whole credential reaches nothing.")
}

function explainedBlocker<K extends CredentialBlocker["blocker"]>(
  blocker: Extract<CredentialBlocker, { blocker: K }>,
  time: Time,
): Explained {
  return blockerSentences[blocker.blocker as K](blocker, time)
}

function explainedRepeats({ count, elsewhere: [last] }: Repeats, time: Time): Explained {
  const often = `Its refreshes were answered again ${count === 1 ? "once" : `${count} times`}`
  if (last === undefined) return plain(`${often}, never to another network.`)
  return {
    sentence: `${often}; last to another network on ${time(last.at)}: first to ${last.firstFrom}, then to ${last.from}.`,
    remedy: "Revoke it if the account holder does not know both addresses.",
  }
}

function explainedElevation(until: number | null, mayAsk: boolean, time: Time): Explained {
  if (until !== null) return plain(`It is elevated until ${time(until)}.`)
  return mayAsk
    ? {
        sentence: "It is not elevated.",
        remedy: "The app asks for a step-up, and the account holder proves a factor.",
      }
    : { sentence: "It is not elevated, and the app may not ask for it.", remedy: "Allow the app step-up." }
}

function plain(sentence: string): Explained {
  return { sentence, remedy: null }
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
}
