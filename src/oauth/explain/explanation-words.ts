/** No sentence contains a name that a user chose. The parameter `time` formats a time for the reader. */
import {
  type EndedBecause,
  isOfServiceAccount,
  type Repeats,
  type RevokedBecause,
} from "../../model/credential.rules.ts"
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

/** A fact, and what would change the fact. The remedy is null if nothing would. */
export type Explained = { readonly sentence: string; readonly remedy: string | null }

const NEW_AUTHORIZATION =
  "Only a new authorization helps: the app asks again, and the account holder consents."

const BOUND_AGAIN = "An administrator names the service account again: app update ID --service-account NAME."

const BOUND = "Active: the app gets access tokens by client_credentials. It ends only by revocation."

const GIVEN = "Active: the app gets access tokens by assertions of an organization."

const WORD_AGAIN =
  "With its next assertion the organization connects the app again. If the account holder or an administrator ended the access, the account holder first allows it under Apps and devices."

const WITH_SESSION =
  "It ends with the sign-in session in which the account holder consented: by a sign-out, by expiry or by a new password."

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
  "code-replayed": "its authorization code was used twice, so the code may have been stolen",
  "refresh-token-reused":
    "a refresh token that had been replaced long before was used again, so it may have been stolen",
  "account-removed": "the account was removed",
  "app-removed": "the app was removed",
  "not-for-account": "the account was in none of the app's groups when the app fetched the access",
  replaced: "newer access of the same browser session, app and label took its place",
  "link-removed": "the account was no longer linked to the organization that had given it",
  "session-ended": "the sign-in session of the consent ended, and the app ends with it",
}

const ends: { readonly [K in EndedBecause]: string } = {
  "code-expired": "the app did not exchange its code within ten minutes",
  idle: `the app did not refresh it for ${IDLE_SECONDS / DAY} days`,
  lifetime: `the consent was ${CREDENTIAL_SECONDS / DAY} days old`,
}

const theGroups = (groups: readonly string[]) =>
  `the ${groups.length === 1 ? "group" : "groups"} ${listed(groups)}`

const isOutside = ({ length }: readonly string[]) =>
  length === 1 ? "the account is not in it" : "the account is in none of them"

const joining = (groups: readonly string[]) =>
  `Put the account into ${groups.length === 1 ? "" : "one of "}${theGroups(groups)}.`

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
    remedy: "It cannot be restored. Register and authorize the app again.",
  }),
  "app-disabled": () => ({ sentence: "The app is disabled.", remedy: "Enable the app." }),
  "account-gone": () => ({
    sentence: "The account was removed.",
    remedy: "It cannot be restored.",
  }),
  "account-disabled": () => ({ sentence: "The account is disabled.", remedy: "Enable the account." }),
  "organization-withdrawn": () => ({
    sentence: "The configuration does not let the organization connect the app any more.",
    remedy: "Add the app to assertions of the sign-in provider in the configuration file.",
  }),
  "app-for-groups": ({ groups }) => ({
    sentence: `The app is for ${theGroups(groups)}, and ${isOutside(groups)}.`,
    remedy: joining(groups),
  }),
}

const comingEnds: { readonly [K in ComingEnd["rule"]]: (at: string) => string } = {
  code: (at) => `It ends on ${at} unless the app exchanges its code before.`,
  idle: (at) =>
    `It ends on ${at}, ${IDLE_SECONDS / DAY} days after the last refresh; each refresh extends this.`,
  lifetime: (at) =>
    `It ends on ${at}, ${CREDENTIAL_SECONDS / DAY} days after the consent, whatever the app does.`,
}

const blockerTexts: {
  readonly [K in PermissionBlocker]: (line: ExplainedPermission) => {
    readonly is: string
    readonly remedy: string
  }
} = {
  "left-catalog": () => ({
    is: "it is not in the catalog any more",
    remedy: "Define it in the configuration file again.",
  }),
  "not-consented": ({ consentImpliedBy, isGiven }) => ({
    is: isGiven
      ? "the organization may not give it"
      : consentImpliedBy.length === 0
        ? "the account holder has not consented to it"
        : `the account holder consented to ${listed(consentImpliedBy)} before that implied it`,
    remedy: isGiven
      ? "Add it to assertions of the sign-in provider in the configuration file."
      : "The app asks for it in a new authorization, and the account holder consents.",
  }),
  "beyond-ceiling": ({ isConsented }) => ({
    is: "the app's registration does not allow it",
    remedy: isConsented
      ? "Put it on the app's registration; no new authorization is needed."
      : "Put it on the app's registration.",
  }),
  "no-administrator": () => ({
    is: "the account is not an administrator",
    remedy: "Make the account an administrator.",
  }),
  "not-in-groups": ({ forGroups }) => ({
    is: `it is for ${theGroups(forGroups)}, and ${isOutside(forGroups)}`,
    remedy: joining(forGroups),
  }),
}

/** Explains the credential as a whole: its state, its blockers, its end and its elevation. */
export function wholeExplained(explanation: Explanation, time: Time): readonly Explained[] {
  const { state, comingEnd, elevatedUntil, client, repeats } = explanation
  const { consent } = explanation.credential
  const isBound = isOfServiceAccount(consent)
  const isGiven = consent.organization !== undefined
  const isRemediedBy = isBound ? BOUND_AGAIN : isGiven ? WORD_AGAIN : null
  const stops = explanation.blockers.map((blocker) => {
    const explained = explainedBlocker(blocker, time)
    const isOver = blocker.blocker === "revoked" || blocker.blocker === "ended"
    return isRemediedBy !== null && isOver ? { ...explained, remedy: isRemediedBy } : explained
  })
  const isOver = state === "revoked" || state === "ended"
  return [
    ...(isOver ? [] : [plain(isBound ? BOUND : isGiven ? GIVEN : states[state])]),
    ...stops,
    ...(!isOver && explanation.endsWithSession ? [plain(WITH_SESSION)] : []),
    ...(comingEnd === null ? [] : [plain(comingEnds[comingEnd.rule](time(comingEnd.at)))]),
    ...(state === "active" && isBound
      ? [plain("It is never elevated: a service account proves no factor.")]
      : []),
    ...(state === "active" && !isBound
      ? [explainedElevation(elevatedUntil, client?.stepUp === true, time)]
      : []),
    ...(repeats === null ? [] : [explainedRepeats(repeats, time)]),
  ]
}

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

/** Explains one permission. The text says why the credential reaches it, or lists every blocker. */
export function permissionExplained(line: ExplainedPermission): Explained {
  if (line.blockers.length > 0) {
    const sentences = line.blockers.map((blocker) => blockerTexts[blocker](line))
    return {
      sentence: `Not reached: ${sentences.map(({ is }) => is).join("; ")}.`,
      remedy: sentences.map(({ remedy }) => remedy).join(" "),
    }
  }
  const consented = line.isGiven
    ? "the organization may give it"
    : line.consentImpliedBy.length === 0
      ? "the account holder consented to it"
      : `the account holder consented to it, and to ${listed(line.consentImpliedBy)}, which ${line.consentImpliedBy.length === 1 ? "implies" : "imply"} it`
  const allowed =
    line.ceiling === "named"
      ? "the app's registration lists it"
      : `the app's registration allows it through ${listed(line.ceilingImpliedBy)}`
  return line.isReached
    ? plain(line.isBound ? `Reached: ${allowed}.` : `Reached: ${consented}, and ${allowed}.`)
    : plain("Not reached now, only because the whole credential reaches nothing.")
}

function explainedBlocker<K extends CredentialBlocker["blocker"]>(
  blocker: Extract<CredentialBlocker, { blocker: K }>,
  time: Time,
): Explained {
  return blockerSentences[blocker.blocker as K](blocker, time)
}

function explainedRepeats({ count, elsewhere: [last] }: Repeats, time: Time): Explained {
  const often = `Its refreshes were repeated ${count === 1 ? "once" : `${count} times`}`
  if (last === undefined) return plain(`${often}, never from another network.`)
  return {
    sentence: `${often}; last from another network on ${time(last.at)}: first from ${last.firstFrom}, then from ${last.from}.`,
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
