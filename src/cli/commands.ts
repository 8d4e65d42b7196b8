/** Every command, in the order in which help lists them. */
import { accountCommands } from "./account.ts"
import { appCommands } from "./app.ts"
import type { Command } from "./command.ts"
import { credentialCommands } from "./credential.ts"
import { doctor } from "./doctor.ts"
import { elevate } from "./elevate.ts"
import { explain } from "./explain.ts"
import { factorCommands } from "./factor.ts"
import { login } from "./login.ts"
import { move } from "./move.ts"
import { serve } from "./serve.ts"
import { settingCommands } from "./setting.ts"
import { upkeepCommands } from "./upkeep.ts"

export const commands: readonly Command[] = [
  serve,
  login,
  elevate,
  explain,
  doctor,
  ...upkeepCommands,
  move,
  ...accountCommands,
  ...factorCommands,
  ...appCommands,
  ...credentialCommands,
  ...settingCommands,
]
