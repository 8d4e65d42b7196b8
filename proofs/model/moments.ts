/**
 * Operations that consist of two or three moments. Other operations may run between these moments. A function returns
 * null if the operation is complete after this moment. Otherwise it returns the remaining operation or the final
 * response.
 */
import { checked } from "./bearer-rules.ts"
import type { Operation } from "./operation.ts"
import { mayBeTooMany, reserveCode } from "./page-rules.ts"
import { beginStepUp, deviceOfForm, proveStepUp } from "./step-up-rules.ts"
import type { Expected } from "./expected.ts"
import { formOf, type World } from "./world.ts"

function isStepUp(world: World, name: string): boolean {
  const form = formOf(world, name)
  return form.about.what === "device" && deviceOfForm(world, form).stepUp !== null
}

export function begun(world: World, one: Operation, atOnce: number): Operation | Expected | null {
  switch (one.do) {
    case "call":
      return checked(world, one)
    case "answer":
      return isStepUp(world, one.form)
        ? (beginStepUp(world, one) ?? { do: "prove a step-up", form: one.form, step: one.step })
        : null
    case "prove a step-up":
      return proveStepUp(world, one) ?? { do: "decide a step-up", form: one.form }
    case "open a code":
      if (!mayBeTooMany(world, one, atOnce)) return null
      return reserveCode(world, one) ?? { ...one, do: "look at a code" }
    default:
      return null
  }
}
