/** What a person reads when a sign-in through a provider does not succeed, and the status of that page. */
import { type Html, html } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import type { NotCreated } from "./upstream/claims.rules.ts"
import type { UpstreamFailure } from "./upstream/upstream-failure.ts"

export type ProviderProblem = { readonly status: number; readonly text: Html }

export function failureInWords(label: string, { kind }: UpstreamFailure): ProviderProblem {
  const name = html`<bdi>${label}</bdi>`
  switch (kind) {
    case "unreachable":
      return {
        status: 503,
        text: html`${name} does not answer right now. Try again in a minute, or sign in another way.`,
      }
    case "unusable":
      return {
        status: 502,
        text: html`${name} answered in a form that this service does not read, so you are not signed in. Tell
        the administrator of this service, or sign in another way.`,
      }
    case "busy":
      return {
        status: 503,
        text: html`Too many people are signing in with ${name} right now. Wait a few seconds, then try again.`,
      }
    case "canceled":
      return { status: 403, text: html`You canceled at ${name}, so you are not signed in.` }
    case "refused":
      return { status: 502, text: html`${name} did not complete the sign-in. Start again.` }
    case "misconfigured":
      return {
        status: 502,
        text: html`Signing in with ${name} is not set up correctly. Ask the administrator of this service to
        check it.`,
      }
    case "invalid":
      return {
        status: 502,
        text: html`The answer of ${name} could not be verified, so you are not signed in. Start again. If it
        happens again, tell the administrator of this service.`,
      }
  }
}

const rules: Readonly<Record<Exclude<NotCreated, "off">, string>> = {
  unverified: "It does not show which organization you belong to.",
  domain: "It belongs to another organization than those that may join.",
  claim: "It is not in the group that may join.",
}

export function noAccountInWords(label: string, why: NotCreated, nameThere: string | null): ProviderProblem {
  const name = shownName(nameThere ?? "", "")
  const account = html`this <bdi>${label}</bdi> account${name !== "" && html` (<bdi>${name}</bdi>)`}`
  const text =
    why === "off"
      ? html`No account here is connected to ${account}. If you have an account, sign in another way and
        connect it under Sign-in and security. Otherwise ask the administrator for one.`
      : html`No account here is connected to ${account}, and it cannot get one. ${rules[why]} If you have an
        account, sign in another way and connect it under Sign-in and security.`
  return { status: 403, text }
}

export function addressHeldInWords(label: string): ProviderProblem {
  return {
    status: 403,
    text: html`An account here has the e-mail address of this <bdi>${label}</bdi> account, but it must be
      connected by hand. Sign in another way, then connect it under Sign-in and security.`,
  }
}

export function disabledInWords(): ProviderProblem {
  return { status: 403, text: html`Your account is disabled. Ask the administrator of this service.` }
}

export function staleInWords(label: string): ProviderProblem {
  return {
    status: 403,
    text: html`This sign-in with <bdi>${label}</bdi> took too long, or it was used before. Start again.`,
  }
}

export function notSetUpInWords(): ProviderProblem {
  return {
    status: 403,
    text: html`No account exists yet. Open the set-up link that the service printed. It makes the first
    account.`,
  }
}
