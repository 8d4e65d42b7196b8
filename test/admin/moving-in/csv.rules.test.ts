import { describe, test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { CsvRecords, parseCsvHeader, parseCsvRecord } from "../../../src/admin/moving-in/csv.rules.ts"
import { BCRYPT } from "./objects.ts"

function split(...pieces: readonly string[]): string[][] {
  const records = new CsvRecords()
  const found = pieces.flatMap((piece) => records.add(piece))
  return [...found, ...records.end()]
}

describe("MOVE-1 records are split as RFC 4180 says", () => {
  const cases: readonly (readonly [text: string, records: readonly (readonly string[])[]])[] = [
    ["", []],
    ["a,b\n", [["a", "b"]]],
    ["a,b", [["a", "b"]]],
    [
      "a,b\r\nc,d\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["a\n\n\r\nb\n", [["a"], ["b"]]],
    [",\n", [["", ""]]],
    ['"a,b","c\nd","e\r\n"\n', [["a,b", "c\nd", "e\r\n"]]],
    ['"say ""hi""",""\n', [['say "hi"', ""]]],
    ['a"b,c\n', [['a"b', "c"]]],
    ['"a"b,c\n', [["ab", "c"]]],
    ['"not ended,\n', [["not ended,\n"]]],
    ["a,", [["a", ""]]],
  ]
  for (const [text, records] of cases)
    test(JSON.stringify(text), () => assert.deepEqual(split(text), records))
})

test("MOVE-1 where a file is cut into pieces makes no difference", () => {
  const field = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", " ", "é") })
  fc.assert(
    fc.property(
      fc.array(fc.array(field, { minLength: 2, maxLength: 3 })),
      fc.integer({ min: 1, max: 5 }),
      (rows, size) => {
        const text = rows
          .map((row) => `${row.map((one) => `"${one.replaceAll('"', '""')}"`).join(",")}\n`)
          .join("")
        assert.deepEqual(split(...(text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [])), rows)
      },
    ),
  )
})

test("MOVE-1 the length of a record that has not ended is known, empty fields included", () => {
  const records = new CsvRecords()
  records.add('ab,,"c')
  assert.equal(records.length, 5)
  records.add(",".repeat(10))
  assert.equal(records.length, 15)
  records.add('"\n')
  assert.equal(records.length, 0)
})

test("MOVE-1 a header names its columns, in any order and case", () => {
  const fields = ["\uFEFFUsername", " user_id ", "PASSWORD_HASH", "totp_secret", "created_at", "enabled"]
  assert.deepEqual(parseCsvHeader(fields), {
    ok: true,
    value: ["username", "user_id", "password_hash", "totp_secret", "created_at", "enabled"],
  })
})

test("MOVE-1 a header that lacks, repeats or does not know a column is refused, and the column is named", () => {
  const errorOf = (text: string) => {
    const header = parseCsvHeader(text.split(","))
    return header.ok ? "" : header.error
  }
  assert.equal(errorOf("user_id,username"), "The first line does not name the column password_hash.")
  assert.equal(errorOf(""), "The first line does not name the column user_id.")
  assert.match(
    errorOf("user_id,username,password_hash,admin"),
    /^The column "admin" is unknown\. The columns are user_id,/,
  )
  assert.equal(errorOf("user_id,username,password_hash,User_Id"), "A column appears twice.")
})

const columns = ["user_id", "username", "password_hash", "enabled", "created_at", "totp_secret"]
const record = (...fields: readonly string[]) => parseCsvRecord(columns, fields)
const accountIn = (...fields: readonly string[]) => {
  const read = record(...fields)
  return read.ok && read.value.kind === "account" ? read.value : assert.fail("no account")
}

test("MOVE-1, MOVE-2 a record is an account; what is left empty has its default", () => {
  assert.deepEqual(accountIn("7", "ada", BCRYPT, "", "", ""), {
    kind: "account",
    account: {
      userId: "7",
      username: "ada",
      passwordHash: BCRYPT,
      enabled: true,
      createdAt: null,
      otpSecrets: [],
    },
    skipped: [],
  })
  const { account } = accountIn("7", "ada", BCRYPT, "FALSE", "1700000000", "gezd gnbv gy3t qojq")
  assert.deepEqual(
    [account.enabled, account.createdAt, account.otpSecrets],
    [false, 1_700_000_000, ["GEZDGNBVGY3TQOJQ"]],
  )
})

test("MOVE-3, MOVE-8 a hash or a secret that cannot be used is reported, and the account moves in", () => {
  const whatIn = (hash: string, secret: string) =>
    accountIn("7", "ada", hash, "", "", secret).skipped.map(({ what }) => what)
  assert.deepEqual(whatIn("$md5$abc", "short"), ["password", "one-time password"])
  assert.deepEqual(whatIn("", ""), ["password"])
  assert.equal(accountIn("7", "ada", "$md5$abc", "", "", "").account.passwordHash, null)
})

test("MOVE-1 a record whose fields do not fit the header is refused", () => {
  const errorOf = (...fields: readonly string[]) => {
    const read = record(...fields)
    return read.ok ? "" : read.error
  }
  assert.equal(errorOf("7", "ada"), "It has 2 fields, and the first line has 6.")
  assert.equal(errorOf("7", "ada", "", "", "", "", ""), "It has 7 fields, and the first line has 6.")
  for (const enabled of ["yes", "2", " true"])
    assert.equal(errorOf("7", "ada", "", enabled, "", ""), "enabled is neither true nor false.")
  for (const enabled of ["true", "True", "1", ""])
    assert.equal(accountIn("7", "ada", "", enabled, "", "").account.enabled, true)
  for (const enabled of ["false", "False", "0"])
    assert.equal(accountIn("7", "ada", "", enabled, "0", "").account.enabled, false)
  for (const enabled of ["true", "True", "1", "0", "false", ""])
    assert.equal(errorOf("7", "ada", "", enabled, "", ""), "")
  for (const created of ["yesterday", "-1", "1.5", "1e9", "1".repeat(12), "2026-01-01"])
    assert.equal(errorOf("7", "ada", "", "", created, ""), "created_at is not a number of seconds.")
  assert.equal(errorOf("7", "ada", "", "", "1".repeat(11), ""), "")
})
