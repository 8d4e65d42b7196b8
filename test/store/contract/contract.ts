/** The contract of every engine, a file for each table. `test/store/<engine>.test.ts` runs it. */
import { accountContract } from "./accounts.ts"
import { changeContract } from "./changes.ts"
import { clientContract } from "./clients.ts"
import { credentialListContract } from "./credential-lists.ts"
import { credentialContract } from "./credentials.ts"
import { deviceGrantContract } from "./device-grants.ts"
import { documentContract } from "./documents.ts"
import { eventContract } from "./events.ts"
import { factorContract } from "./factors.ts"
import { groupContract } from "./groups.ts"
import { identityContract } from "./identities.ts"
import { importContract } from "./imports.ts"
import { invalidationContract } from "./invalidations.ts"
import { invitationContract } from "./invitations.ts"
import { keyContract } from "./keys.ts"
import { organizationContract } from "./organizations.ts"
import { rememberedConsentContract } from "./remembered-consents.ts"
import { rotationKeyContract } from "./rotation-keys.ts"
import { serviceContract } from "./service-tokens.ts"
import { sessionContract } from "./sessions.ts"
import { settingContract } from "./settings.ts"
import { signingKeyContract } from "./signing-keys.ts"
import { tallyContract } from "./tallies.ts"
import type { Open } from "./fixture.ts"

const parts = [
  accountContract,
  changeContract,
  clientContract,
  credentialListContract,
  credentialContract,
  deviceGrantContract,
  documentContract,
  eventContract,
  factorContract,
  groupContract,
  identityContract,
  importContract,
  invalidationContract,
  invitationContract,
  keyContract,
  rememberedConsentContract,
  organizationContract,
  rotationKeyContract,
  serviceContract,
  sessionContract,
  settingContract,
  signingKeyContract,
  tallyContract,
]

export function storeContract(name: string, open: Open): void {
  for (const part of parts) part(name, open)
}
