/** Who may have written or read the file of a key. */

export type FileFacts = { readonly mode: number; readonly uid: number }

/**
 * Returns what is wrong, as the end of a sentence, or null. If others may write into the directory, one of them could
 * put a key there, with which assertions would be signed.
 */
export function keyFileProblem({ mode, uid }: FileFacts, ownUid: number): string | null {
  if (uid !== ownUid) return "belongs to another user"
  return (mode & 0o077) === 0 ? null : "can be read by other users"
}
