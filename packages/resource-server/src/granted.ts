/** Stores the access of a checked request for its handlers. */
import type { Access } from "./access.ts"

const granted = new WeakMap<object, Access>()

export function grant(request: object, access: Access): void {
  granted.set(request, access)
}

/** Returns the access of a checked request. Throws if the route is not protected. */
export function accessOf(request: object): Access {
  const access = granted.get(request)
  if (access === undefined) throw new Error("this route is not protected: add protect() before its handler")
  return access
}
