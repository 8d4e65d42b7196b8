/** The JSON record of an explanation, for the command line and the API. */
import {
  choice,
  flag,
  instant,
  list,
  orNull,
  type Parsed,
  record,
  scopeShape,
  text,
} from "../../platform/json/shape.rules.ts"
import {
  credentialMembers,
  type CredentialRecord,
  credentialRecord,
} from "../credential/credential-record.rules.ts"
import type { SignInProviders } from "../../model/sign-in/provider.rules.ts"
import type { Explanation } from "./explanation.rules.ts"
import { accessTokenExplained, permissionExplained, type Time, wholeExplained } from "./explanation-words.ts"
import { type PermissionSource, titleOf } from "../../platform/languages/local-text.ts"

const explained = {
  sentence: text(
    "The reason.",
    "Reached: the account holder consented to it, and the app's registration lists it.",
  ),
  remedy: orNull(text("What would change that, or null.", "Add it to the registration of the app."), null),
}

export const explanationShape = record("Explanation", {
  ...credentialMembers,
  client_name: orNull(text("The name of the app, or null if it was removed.", "My notes")),
  blockers: list(
    "Why none of it can be used.",
    choice("The reason.", [
      "revoked",
      "ended",
      "app-gone",
      "app-disabled",
      "account-gone",
      "account-disabled",
      "app-for-groups",
      "organization-withdrawn",
    ]),
    { example: [] },
  ),
  for_groups: list(
    "The groups that the app is for; none if it is for every account.",
    text("A group.", "crew"),
    {
      example: [],
    },
  ),
  over_at: orNull(instant("When it was revoked or ended"), null),
  because: orNull(text("Why it ended, in one word.", "administrator"), null),
  next_end: orNull(
    record(null, {
      at: instant("The time"),
      rule: text("`code`, `idle` or `lifetime`.", "lifetime"),
    }),
  ),
  explained: list("About the credential as a whole, in sentences.", record(null, explained)),
  access_tokens: list(
    "Its access tokens, newest first. For the credential of this access token, only that token.",
    record(null, {
      issued_at: instant("When it was issued"),
      expires_at: instant("When it expires; 0 if it was already reported as expired", 1_800_003_600),
      live: flag("Whether it has not expired."),
      narrowed_to: orNull(scopeShape("The scope that the refresh asked for, or null for all."), null),
      reach: scopeShape("What it allows now."),
      sentence: text(
        "The same as a sentence.",
        "Issued on …, good until …, reaches all that the credential does.",
      ),
    }),
  ),
  permissions: list(
    "Every permission of the catalog, and any that the account holder consented to and that was removed from it.",
    record(null, {
      permission: text("The name of the permission.", "account:read"),
      title: orNull(text("The title for people.", "See your account")),
      reached: flag("Whether it is allowed now."),
      consented: flag("Whether the account holder consented to it."),
      consent_implied_by: list(
        "Other consented permissions that imply it.",
        text("A permission.", "account:write"),
        {
          example: [],
        },
      ),
      ceiling: choice("Whether the registration of the app names it, implies it, or neither.", [
        "named",
        "implied",
        "absent",
      ]),
      ceiling_implied_by: list(
        "Other registered permissions that imply it.",
        text("A permission.", "account:write"),
        {
          example: [],
        },
      ),
      for_groups: list(
        "The groups whose members may hold it; none if every account may.",
        text("A group.", "crew"),
        {
          example: [],
        },
      ),
      blockers: list(
        "Why it is not allowed.",
        choice("The reason.", [
          "left-catalog",
          "not-consented",
          "beyond-ceiling",
          "no-administrator",
          "not-in-groups",
        ]),
        { example: [] },
      ),
      ...explained,
    }),
  ),
})

export type ExplanationRecord = Parsed<typeof explanationShape> & CredentialRecord

export function explanationRecord(
  from: PermissionSource & { readonly providers: SignInProviders },
  explanation: Explanation,
  now: number,
  time: Time,
): ExplanationRecord {
  const { client, blockers, comingEnd } = explanation
  const over = blockers.find((one) => one.blocker === "revoked" || one.blocker === "ended")
  return {
    ...credentialRecord(from, explanation, now),
    client_name: client?.name ?? null,
    blockers: blockers.map(({ blocker }) => blocker),
    for_groups: client?.groups ?? [],
    over_at: over?.at ?? null,
    because: over?.because ?? null,
    next_end: comingEnd,
    explained: wholeExplained(explanation, time),
    access_tokens: explanation.accessTokens.map((token) => ({
      issued_at: token.issuedAt,
      expires_at: token.expiresAt,
      live: token.isLive,
      narrowed_to: token.narrowedTo?.join(" ") ?? null,
      reach: token.reach.join(" "),
      sentence: accessTokenExplained(token, time),
    })),
    permissions: explanation.permissions.map((line) => ({
      permission: line.permission,
      title: titleOf(from, line.permission),
      reached: line.isReached,
      consented: line.isConsented,
      consent_implied_by: line.consentImpliedBy,
      ceiling: line.ceiling,
      ceiling_implied_by: line.ceilingImpliedBy,
      for_groups: line.forGroups,
      blockers: line.blockers,
      ...permissionExplained(line),
    })),
  }
}
