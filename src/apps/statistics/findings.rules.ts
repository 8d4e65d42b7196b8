/** Finds problems of an app's code in its counts. The texts are for the developer of the app. */
import { type AppCounts, refusedShare, replayShare } from "./app-health.rules.ts"
import type { Reason } from "../../model/refusals/refusal.rules.ts"
import { sum } from "./series.rules.ts"

export type FindingName =
  | "sends-refresh-tokens-twice"
  | "keeps-retired-refresh-tokens"
  | "sends-codes-twice"
  | "secret-wrong"
  | "assertion-wrong"
  | "verifier-wrong"
  | "redirect-differs"
  | "sends-unknown-tokens"
  | "goes-on-when-over"
  | "polls-too-fast"
  | "asks-beyond-registration"
  | "requests-malformed"

/**
 * `weight` sorts findings. Findings of weight 3 sign people out, those of weight 2 fail requests, and those of weight 1
 * waste requests.
 */
export type Finding = {
  readonly finding: FindingName
  readonly weight: 1 | 2 | 3
  /** The problem that the counts show. */
  readonly sentence: string
  /** The step that the developer can take. */
  readonly advice: string
}

/** Counts below these numbers may come from a lost response, a typing error or an experiment. */
const REPLAYS_AT_LEAST = 10
const REPLAY_SHARE_AT_LEAST = 0.02
/** Below this share of its requests, an app works for almost everyone. */
const REFUSED_SHARE_AT_LEAST = 0.02
const REUSES_AT_LEAST = 1
const CODE_REPLAYS_AT_LEAST = 2
const ERRORS_AT_LEAST = 5
const POLLS_TOO_FAST_AT_LEAST = 50

type Rule = Pick<Finding, "finding" | "weight" | "advice"> & {
  /** Returns the sentence of the finding. Returns null if the counts do not show the problem. */
  readonly see: (counts: AppCounts) => string | null
}

/** Builds a rule that finds many refusals for these reasons. */
function often(
  reasons: readonly Reason[],
  sentence: (times: string) => string,
  atLeast: number = ERRORS_AT_LEAST,
): Rule["see"] {
  return ({ errors }) => {
    const count = sum(errors.map((one) => (reasons.includes(one.reason) ? one.count : 0)))
    return count < atLeast ? null : sentence(inTimes(count))
  }
}

/** Builds a rule that finds a large share of requests that were refused for these reasons. */
function mostly(reasons: readonly Reason[], sentence: (often: string) => string): Rule["see"] {
  return (counts) => {
    const count = sum(counts.errors.map((one) => (reasons.includes(one.reason) ? one.count : 0)))
    const share = refusedShare(counts, count)
    return count < ERRORS_AT_LEAST || share < REFUSED_SHARE_AT_LEAST
      ? null
      : sentence(`${inTimes(count)}: ${inPercent(share)} of its requests`)
  }
}

const rules: readonly Rule[] = [
  {
    finding: "keeps-retired-refresh-tokens",
    weight: 3,
    see: ({ reuses }) =>
      reuses < REUSES_AT_LEAST
        ? null
        : `The app sent a refresh token more than a minute after it had been replaced, ${inTimes(reuses)}. ` +
          "Each time its credential was revoked, and a person had to sign in again.",
    advice:
      "Store the new refresh token durably before anything else, and throw the old one away at the same moment. Never " +
      "bring an older one back: from a backup, a second device that shares the file, or a process that kept it in memory.",
  },
  {
    finding: "sends-codes-twice",
    weight: 3,
    see: ({ codeReplays }) =>
      codeReplays < CODE_REPLAYS_AT_LEAST
        ? null
        : `The app exchanged the same authorization code again, ${inTimes(codeReplays)}. Each time the credential ` +
          "was revoked.",
    advice:
      "Exchange a code once, and never repeat the request by itself: no automatic retry, no second call when the page of " +
      "the redirect is reloaded. If the answer was lost, authorize again.",
  },
  {
    finding: "sends-refresh-tokens-twice",
    weight: 1,
    see: ({ replays, refreshes }) => {
      const share = replayShare({ replays, refreshes })
      return replays < REPLAYS_AT_LEAST || share < REPLAY_SHARE_AT_LEAST
        ? null
        : `The app often sends a refresh token twice: ${inPercent(share)} of its refreshes are repetitions.`
    },
    advice:
      "Let one request refresh at a time and the others wait for its answer. Wait at least ten seconds for the answer " +
      "before trying again. Today the second one gets the same tokens; a minute later it would end the sign-in.",
  },
  {
    finding: "secret-wrong",
    weight: 2,
    see: mostly(
      ["clientSecretWrong", "clientSecretMissing", "clientHasNoSecret"],
      (times) => `The app failed to authenticate itself, ${times}.`,
    ),
    advice:
      "Check that the deployed secret is the one shown last. A public app sends no secret at all, only its client_id.",
  },
  {
    finding: "assertion-wrong",
    weight: 2,
    see: mostly(
      [
        "clientAssertionMissing",
        "clientHasNoKey",
        "clientKeysUnavailable",
        "assertionAlgorithmRefused",
        "assertionKeyUnknown",
        "assertionSignatureWrong",
        "assertionAudienceWrong",
        "assertionExpired",
        "assertionNotYetValid",
        "assertionLifetimeTooLong",
        "assertionIdMissing",
        "assertionReplayed",
      ],
      (times) => `The assertion that authenticates the app was refused, ${times}.`,
    ),
    advice:
      "Sign each request with a key that is registered, with its kid in the header, a new jti, the issuer as the only aud " +
      "and an exp in one minute. Keep the clock of the server right. The refused requests below name the check that failed.",
  },
  {
    finding: "verifier-wrong",
    weight: 2,
    see: mostly(["verifierWrong"], (times) => `The code verifier did not match the challenge, ${times}.`),
    advice:
      "Keep the verifier of each authorization under its own state. Two tabs, or a second attempt, must not write over " +
      "the first one's.",
  },
  {
    finding: "redirect-differs",
    weight: 2,
    see: mostly(
      ["redirectUriDiffers", "redirectUriUnregistered"],
      (times) => `The redirect_uri did not match, ${times}.`,
    ),
    advice:
      "Send the very same redirect_uri in the authorization request and in the exchange, port and slash included, and " +
      "register it exactly as it is sent.",
  },
  {
    finding: "sends-unknown-tokens",
    weight: 2,
    see: mostly(
      [
        "refreshTokenUnknown",
        "codeUnknown",
        "deviceCodeUnknown",
        "refreshTokenOfAnotherClient",
        "codeOfAnotherClient",
        "tokenOfAnotherClient",
      ],
      (times) => `The app sent tokens or codes that this service never gave it, ${times}.`,
    ),
    advice:
      "Look for tokens that are cut off, changed, mixed up between environments, or sent as another kind of token.",
  },
  {
    finding: "goes-on-when-over",
    weight: 1,
    see: often(
      ["credentialRevoked", "credentialEnded", "accountUnavailable", "refreshTokenRetired"],
      (times) => `The app went on refreshing credentials that are over, ${times}.`,
      POLLS_TOO_FAST_AT_LEAST,
    ),
    advice:
      "Treat invalid_grant as final: delete the tokens, stop retrying, and ask the person to authorize again.",
  },
  {
    finding: "polls-too-fast",
    weight: 1,
    see: often(
      ["devicePolledEarly"],
      (times) => `The app polled for a device grant too soon, ${times}.`,
      POLLS_TOO_FAST_AT_LEAST,
    ),
    advice: "Wait interval seconds between two polls, and five seconds more after each slow_down.",
  },
  {
    finding: "asks-beyond-registration",
    weight: 1,
    see: often(
      ["scopeUnknown", "scopeOverCeiling", "scopeOverReach", "scopeMalformed", "scopeEmpty"],
      (times) => `The app asked for permissions that it cannot have, ${times}.`,
    ),
    advice: "Ask only for what the app's registration lists, or have the registration widened first.",
  },
  {
    finding: "requests-malformed",
    weight: 1,
    see: often(
      [
        "parameterMissing",
        "parameterMalformed",
        "parameterRepeated",
        "bodyNotForm",
        "grantTypeUnsupported",
        "responseTypeUnsupported",
        "challengeMethodUnsupported",
        "requestObjectUnsupported",
        "requestUriUnsupported",
      ],
      (times) => `The app's requests were incomplete or malformed, ${times}.`,
    ),
    advice: "The list of refused requests on the app's page names the parameter of each.",
  },
]

/** Returns the findings of one app, worst first. */
export function findingsOf(counts: AppCounts): readonly Finding[] {
  return rules
    .flatMap(({ see, finding, weight, advice }) => {
      const sentence = see(counts)
      return sentence === null ? [] : [{ finding, weight, sentence, advice }]
    })
    .toSorted((a, b) => b.weight - a.weight)
}

function inTimes(count: number): string {
  return count === 1 ? "once" : `${count.toLocaleString("en")} times`
}

function inPercent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
}
