/** Sign-in through a real Keycloak: checks, rules, flows, administration, groups, new keys, an outage, and a move. */
import type { Figures, Proof } from "../proof.ts"
import { within } from "../../test/support/spawn.ts"
import { KEYCLOAK, keycloakArchive } from "./keycloak.ts"
import { checks } from "./checks.ts"
import { flows } from "./flows.ts"
import { administration, groups, newcomers } from "./rules.ts"
import { move, newKeys, outage } from "./trouble.ts"
import { World } from "./world.ts"

export const providers: Proof = {
  name: "providers",
  promise:
    "people sign in through a real Keycloak by its rules, and its outage or move costs no one an account",
  engines: ["sqlite", "postgres"],
  prove: (attempt) =>
    within(async (span): Promise<Figures> => {
      const { say } = attempt
      const archive = keycloakArchive()
      if ("missing" in archive) {
        say(`left out: ${archive.missing}`)
        return { "left out": archive.missing }
      }
      const world = await World.open(span, attempt, archive.zip)
      say("checks")
      const mistakes = await checks(world)
      say("rules and flows")
      const refused = await newcomers(world)
      await administration(world)
      await groups(world)
      await flows(world)
      say("new keys, an outage, a move")
      await newKeys(world)
      const { slowest, back } = await outage(world)
      const relinked = await move(world)
      return {
        Keycloak: KEYCLOAK,
        "mistakes that the check named": mistakes,
        "sign-ins through it": world.signIns,
        "refused by the rules": refused,
        "slowest answer while it was down, ms": Math.round(slowest),
        "until sign-ins worked after its start, ms": Math.round(back),
        "links moved to its new issuer": relinked,
      }
    }),
}
