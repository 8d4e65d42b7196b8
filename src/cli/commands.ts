/**
 * Loads the commands by the first word of their name, in the order of help. Only the modules of the called command are
 * loaded, because every module delays the start.
 */
import type { Command } from "./kit/command.ts"

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
  explain: async () => [(await import("../permissions/explain/explain.command.ts")).explain],
  doctor: async () => [(await import("./doctor/doctor.command.ts")).doctor],
  backup: async () => [(await import("../upkeep/upkeep.command.ts")).backup],
  verify: async () => [(await import("../upkeep/upkeep.command.ts")).verify],
  events: async () => [(await import("../audit/pages/events.command.ts")).events],
  import: async () => (await import("../moving-in/import.command.ts")).importCommands,
  move: async () => [(await import("./move.command.ts")).move],
  account: async () => [
    ...(await import("../accounts/management/account.command.ts")).accountCommands,
    ...(await import("../accounts/management/factor.command.ts")).factorCommands,
    ...(await import("../accounts/providers/management/provider.command.ts")).linkCommands,
    ...(await import("../accounts/email/email.command.ts")).emailCommands,
    ...(await import("../accounts/recovery/recovery.command.ts")).recoveryCommands,
  ],
  provider: async () =>
    (await import("../accounts/providers/management/provider.command.ts")).providerCommands,
  app: async () => (await import("../apps/management/app.command.ts")).appCommands,
  document: async () => (await import("../oauth/documents/document.command.ts")).documentCommands,
  credential: async () =>
    (await import("../oauth/credential/management/credential.command.ts")).credentialCommands,
  mail: async () => (await import("../mail/management/mail.command.ts")).mailCommands,
  setting: async () => (await import("../settings/setting.command.ts")).settingCommands,
}

/** Loads the commands whose name begins with `word`. */
export async function commandsOf(word: string): Promise<readonly Command[]> {
  return Object.hasOwn(loaders, word) ? ((await loaders[word]?.()) ?? []) : []
}

export async function allCommands(): Promise<readonly Command[]> {
  return (await Promise.all(Object.values(loaders).map((load) => load()))).flat()
}
