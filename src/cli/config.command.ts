/** Judges the configuration without a start: file, flags and environment. Opens no database and creates nothing. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Answer, command, done } from "../platform/cli/command.ts"
import { builtInPermissions } from "../model/permissions/built-in-permissions.rules.ts"
import { serveFlags, serveOptions } from "./serve.command.ts"

const check = command({
  name: "config check",
  summary: "Check the configuration without a start",
  operands: ["[FILE]"],
  flags: serveFlags,
  notes: [
    "Reads FILE, or the file that serve would read, with the files that it names; and the flags and variables of serve. " +
      "Opens no database, does not look whether serve may use the data directory, and asks no other host: doctor and provider check do that. Exit status 1 or 2 if serve would " +
      "refuse.",
  ],
  example: "latchkey config check /etc/latchkey/latchkey.yaml",
  run: async ({ flags, globals, operands: [file] }): Promise<Answer> => {
    const named = file === "" ? globals.config : file
    const options = await serveOptions(flags, { ...globals, config: named })
    if ("exit" in options) return options
    const usual = join(globals.data, "latchkey.yaml")
    const read = named ?? (existsSync(usual) ? usual : null)
    const { catalog, resourceServers, providers, mail, languages } = options
    const added = [...catalog.keys()].filter((name) => !Object.hasOwn(builtInPermissions, name))
    const json = {
      file: read,
      permissions: added,
      resource_servers: [...(resourceServers?.keys() ?? [])],
      sign_in_providers: [...providers.keys()],
      mail: mail !== null,
      languages: { added: languages.added, changed: languages.changed },
      trusted_proxies: options.trustedProxies,
    }
    const listed = (what: string, tags: readonly string[]) =>
      tags.length === 0 ? "" : ` ${what}: ${tags.join(", ")}.`
    return done(
      json,
      `${read ?? `There is no ${usual}; the rest of the configuration`} is valid. The data directory was not checked.${listed("New languages", languages.added)}${listed("Languages with changed texts", languages.changed)}`,
    )
  },
})

export const configCommands = [check]
