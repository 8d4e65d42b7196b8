/** What a route requires of its caller. */

export type Requirement = {
  /** All of them. */
  readonly permissions: readonly string[]
  /** Whether a factor has to be proven recently. */
  readonly elevation: boolean
}

/** Every one of `permissions` has to be within the token's reach. */
export function requirePermission(...permissions: readonly string[]): Requirement {
  for (const name of permissions) {
    // A name that cannot stand in a challenge could never be granted either. RFC 6749 §3.3.
    if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name)) throw new TypeError(`"${name}" is not a permission's name`)
  }
  return { permissions, elevation: false }
}

/** The account holder has to have proven a factor recently. RFC 9470. */
export function requireElevation(): Requirement {
  return { permissions: [], elevation: true }
}

const NOTHING: Requirement = { permissions: [], elevation: false }

/** All of it together. */
export function together(requirements: readonly Requirement[]): Requirement {
  const [only = NOTHING, ...more] = requirements
  if (more.length === 0) return only
  return {
    permissions: [...new Set(requirements.flatMap(({ permissions }) => permissions))],
    elevation: requirements.some(({ elevation }) => elevation),
  }
}
