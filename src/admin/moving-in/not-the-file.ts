/** Means that the file is not what the command says. Nothing was written. */
export class NotTheFile extends Error {
  override readonly name = "NotTheFile"
}

/** Bounds the memory that a record takes. Records of real exports are far shorter. */
export const RECORD_CHARACTERS_AT_MOST = 1 << 20

export const TOO_LONG = `a record has more than ${RECORD_CHARACTERS_AT_MOST} characters`
