/** `import csv`: RFC 4180 with a header. The columns `user_id`, `username` and `password_hash` are needed. */
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { accountOf } from "./account.rules.ts"
import type { Moved } from "./moved.rules.ts"
import { otpSecret } from "./otp.rules.ts"

const NEEDED = ["user_id", "username", "password_hash"] as const
const KNOWN: readonly string[] = [...NEEDED, "enabled", "created_at", "totp_secret"]

/** Splits the text of a file into records. The text arrives in pieces. */
export class CsvRecords {
  #fields: string[] = []
  #field = ""
  /** The number of characters of the finished fields. Each counts one more, so that empty fields count too. */
  #finished = 0
  /** In quotes, after a quote in quotes, or outside. */
  #state: "plain" | "quoted" | "quote" = "plain"

  /** Returns the records that end in this piece. */
  add(piece: string): string[][] {
    const records: string[][] = []
    for (const character of piece) {
      if (this.#state === "quoted") {
        if (character === '"') this.#state = "quote"
        else this.#field += character
      } else if (character === '"' && (this.#state === "quote" || this.#field === "")) {
        if (this.#state === "quote") this.#field += character
        this.#state = "quoted"
      } else if (character === ",") this.#endField()
      else if (character === "\n") records.push(...this.#endRecord())
      else {
        this.#state = "plain"
        this.#field += character
      }
    }
    return records
  }

  /** Returns the last record, if the file does not end with a line break. */
  end(): string[][] {
    return this.#field === "" && this.#fields.length === 0 ? [] : this.#endRecord()
  }

  /** The number of characters of the record that has not ended. */
  get length(): number {
    return this.#finished + this.#field.length
  }

  #endField(): void {
    this.#fields.push(this.#field)
    this.#finished += this.#field.length + 1
    this.#field = ""
    this.#state = "plain"
  }

  #endRecord(): string[][] {
    if (this.#field.endsWith("\r")) this.#field = this.#field.slice(0, -1)
    const isEmpty = this.#field === "" && this.#fields.length === 0
    this.#endField()
    const record = this.#fields
    this.#fields = []
    this.#finished = 0
    return isEmpty ? [] : [record]
  }
}

export function parseCsvHeader(fields: readonly string[]): Result<readonly string[], Problem> {
  // This also removes a byte order mark.
  const columns = fields.map((name) => name.trim().toLowerCase())
  const missing = NEEDED.find((name) => !columns.includes(name))
  if (missing !== undefined) return err(`The first line does not name the column ${missing}.`)
  const unknown = columns.find((name) => !KNOWN.includes(name))
  if (unknown !== undefined)
    return err(`The column ${JSON.stringify(unknown)} is unknown. The columns are ${KNOWN.join(", ")}.`)
  return new Set(columns).size === columns.length ? ok(columns) : err("A column appears twice.")
}

export function parseCsvRecord(
  columns: readonly string[],
  fields: readonly string[],
): Result<Moved, Problem> {
  if (fields.length !== columns.length)
    return err(`It has ${fields.length} fields, and the first line has ${columns.length}.`)
  const valueOf = (column: string) => fields[columns.indexOf(column)] ?? ""
  const enabled = ENABLED.get(valueOf("enabled").toLowerCase())
  if (enabled === undefined) return err("enabled is neither true nor false.")
  const created = valueOf("created_at")
  if (created !== "" && !/^\d{1,11}$/.test(created)) return err("created_at is not a number of seconds.")
  const otp = valueOf("totp_secret")
  return ok(
    accountOf({
      userId: valueOf("user_id"),
      username: valueOf("username"),
      hash: valueOf("password_hash"),
      enabled,
      createdAt: created === "" ? null : Number(created),
      otpSecrets: otp === "" ? [] : [otpSecret({ secret: otp, digits: 6, period: 30, algorithm: "SHA1" })],
    }),
  )
}

const ENABLED: ReadonlyMap<string, boolean> = new Map([
  ["", true],
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
])
