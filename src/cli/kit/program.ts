/** What remarks call this program: a line of theirs can be run as it stands. */

/** `latchkey` where the shell finds it; else the path that it was called by, as the launcher says. */
export const program = process.env["LATCHKEY_PROGRAM"] ?? "latchkey"
