/**
 * Loads the commands by the first word of their name, in the order of help. Only the modules of the called command are
 * loaded, because every module delays the start.
 */
import type { Command } from "../platform/cli/command.ts"

const loaders: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  serve: async () => [(await import("./serve.command.ts")).serve],
  gate: async () => [
    (await import("../gate/commands/gate.command.ts")).gate,
    (await import("../gate/commands/check.command.ts")).gateCheck,
    (await import("../gate/commands/explain.command.ts")).gateExplain,
    (await import("../gate/snippets/snippet.command.ts")).gateSnippet,
  ],
  login: async () => [(await import("./sample-client/login.command.ts")).login],
  elevate: async () => [(await import("./sample-client/elevate.command.ts")).elevate],
  explain: async () => [(await import("../oauth/explain/explain.command.ts")).explain],
  doctor: async () => [(await import("./doctor/doctor.command.ts")).doctor],
  config: async () => (await import("./config.command.ts")).configCommands,
  backup: async () => [(await import("../admin/upkeep/upkeep.command.ts")).backup],
  migrate: async () => [(await import("../admin/upkeep/migrate.command.ts")).migrate],
  verify: async () => [(await import("../admin/upkeep/upkeep.command.ts")).verify],
  events: async () => [(await import("../admin/events/events.command.ts")).events],
  apply: async () => [(await import("../admin/apply/apply.command.ts")).apply],
  export: async () => [(await import("../admin/apply/export.command.ts")).exportCommand],
  import: async () => (await import("../admin/moving-in/import.command.ts")).importCommands,
  move: async () => [(await import("./move.command.ts")).move],
  account: async () => [
    ...(await import("../admin/accounts/account.command.ts")).accountCommands,
    (await import("../admin/groups/membership.command.ts")).accountGroups,
    ...(await import("../admin/accounts/factor.command.ts")).factorCommands,
    ...(await import("../admin/providers/provider.command.ts")).linkCommands,
    ...(await import("../accounts/email/email.command.ts")).emailCommands,
    ...(await import("../accounts/recovery/recovery.command.ts")).recoveryCommands,
    ...(await import("../admin/invitations/invitation.command.ts")).inviteCommands,
  ],
  invitation: async () => (await import("../admin/invitations/invitation.command.ts")).invitationCommands,
  group: async () => (await import("../admin/groups/group.command.ts")).groupCommands,
  provider: async () => (await import("../admin/providers/provider.command.ts")).providerCommands,
  app: async () => (await import("../admin/apps/app.command.ts")).appCommands,
  document: async () => (await import("../admin/documents/document.command.ts")).documentCommands,
  credential: async () => (await import("../admin/credentials/credential.command.ts")).credentialCommands,
  mail: async () => (await import("../admin/mail/mail.command.ts")).mailCommands,
  secret: async () => (await import("../admin/secret/secret.command.ts")).secretCommands,
  key: async () => (await import("../admin/keys/key.command.ts")).keyCommands,
  appearance: async () => (await import("../admin/appearance/appearance.command.ts")).appearanceCommands,
  setting: async () => (await import("../admin/settings/setting.command.ts")).settingCommands,
}

/** Loads the commands whose name begins with `word`. */
export async function commandsOf(word: string): Promise<readonly Command[]> {
  return Object.hasOwn(loaders, word) ? ((await loaders[word]?.()) ?? []) : []
}

export async function allCommands(): Promise<readonly Command[]> {
  return (await Promise.all(Object.values(loaders).map((load) => load()))).flat()
}
