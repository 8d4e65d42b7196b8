import { registerHooks } from "node:module"

/** From this call on, the examples use the kit's source in place of the published package. */
export function findSource(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, "latchkey-source"] }),
  })
}
