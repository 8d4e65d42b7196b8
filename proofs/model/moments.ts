/**
 * Operations that consist of two or three moments. Other operations may run between these moments. A function returns
 * null if the operation is complete after this moment. Otherwise it returns the remaining operation or the final
 * response.
 */
import { checked } from "./bearer-rules.ts"
import type { Operation } from "./operation.ts"
import { lookAtCode, mayBeTooMany, openCode, reserveCode } from "./page-rules.ts"
import { beginStepUp, deviceOfForm, proveStepUp } from "./step-up-rules.ts"
import type { Expected } from "./expected.ts"
import { deviceOf, formOf, type World } from "./world.ts"

function isStepUp(world: World, name: string): boolean {
  const form = formOf(world, name)
  return form.about.what === "device" && deviceOfForm(world, form).stepUp !== null
}

function drawn({ device, form }: { readonly device: string; readonly form: string }, found: Expected) {
  if (found["page"] !== "step-up") return found
  return { do: "show a step-up", device, form, status: 200 } as const
}

export function begun(world: World, one: Operation, atOnce: number): Operation | Expected | null {
  switch (one.do) {
    case "call":
      return checked(world, one)
    case "answer":
      return isStepUp(world, one.form)
        ? (beginStepUp(world, one) ?? { do: "prove a step-up", form: one.form, step: one.step })
        : null
    case "prove a step-up": {
      const refused = proveStepUp(world, one)
      if (refused === null) return { do: "decide a step-up", form: one.form }
      const device = deviceOfForm(world, formOf(world, one.form)).name
      return { do: "show a step-up", device, form: null, status: Number(refused["status"]) }
    }
    case "open a code":
      if (mayBeTooMany(world, one, atOnce)) return reserveCode(world, one) ?? { ...one, do: "look at a code" }
      return deviceOf(world, one.device).stepUp === null ? null : drawn(one, openCode(world, one))
    case "look at a code":
      return drawn(one, lookAtCode(world, one))
    default:
      return null
  }
}
