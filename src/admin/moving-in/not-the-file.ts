/** Means that the file is not what the command says. Nothing was written. */
export class NotTheFile extends Error {
  override readonly name = "NotTheFile"
}

/** A record of a file is longer than this, or the file is not what the command says. */
export const RECORD_CHARACTERS_AT_MOST = 1 << 20

export const TOO_LONG = `a record has more than ${RECORD_CHARACTERS_AT_MOST} characters`
