/** The requirements of a route: permissions and elevation. */

export type Requirement = {
  /** The token must have all of these permissions. */
  readonly permissions: readonly string[]
  /** Whether the credential must be elevated. */
  readonly elevation: boolean
}

/** Requires that the token has all `permissions`. */
export function requirePermission(...permissions: readonly string[]): Requirement {
  for (const name of permissions) {
    // The `scope` of a challenge may contain only names with the syntax of RFC 6749 §3.3.
    if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name)) throw new TypeError(`"${name}" is not a permission's name`)
  }
  return { permissions, elevation: false }
}

/** Requires a recent confirmation with a second factor. RFC 9470. */
export function requireElevation(): Requirement {
  return { permissions: [], elevation: true }
}

const NOTHING: Requirement = { permissions: [], elevation: false }

/** Combines requirements into one. */
export function combine(requirements: readonly Requirement[]): Requirement {
  const [only = NOTHING, ...more] = requirements
  if (more.length === 0) return only
  return {
    permissions: [...new Set(requirements.flatMap(({ permissions }) => permissions))],
    elevation: requirements.some(({ elevation }) => elevation),
  }
}
