import { registerHooks } from "node:module"

/** From here on, the examples find the kit's source where a user of theirs finds the package. */
export function findSource(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, "latchkey-source"] }),
  })
}
