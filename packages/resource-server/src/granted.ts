/** What a guard found out about a request, for the code behind it. */
import type { Access } from "./access.ts"

const granted = new WeakMap<object, Access>()

/** A guard says whose request this is. */
export function grant(request: object, access: Access): void {
  granted.set(request, access)
}

/** Whose request this is. Throws where no guard let it through: an address that was left unprotected by mistake. */
export function accessOf(request: object): Access {
  const access = granted.get(request)
  if (access === undefined) throw new Error("no guard stands before this address")
  return access
}
