/** The name of the command in messages: `latchkey`, or its path if it is not in PATH. The launcher sets it. */
export const program = process.env["LATCHKEY_PROGRAM"] ?? "latchkey"
