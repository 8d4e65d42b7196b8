/** Imported for what it does: from here on, the examples find the kit's source where a user of theirs finds the package. */
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: [...context.conditions, "latchkey-source"] }),
})
