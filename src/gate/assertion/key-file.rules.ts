export type FileFacts = { readonly mode: number; readonly uid: number }

/** Returns what is wrong, as the end of a sentence, or null. A key that others put there would sign assertions. */
export function keyFileProblem({ mode, uid }: FileFacts, ownUid: number): string | null {
  if (uid !== ownUid) return "belongs to another user"
  return (mode & 0o077) === 0 ? null : "can be read by other users"
}
