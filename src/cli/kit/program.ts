/** The command to show in messages: `latchkey`, or its path if the shell would not find it. Set by the launcher. */
export const program = process.env["LATCHKEY_PROGRAM"] ?? "latchkey"
