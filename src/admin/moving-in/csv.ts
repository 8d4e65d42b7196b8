import { CsvRecords, parseCsvHeader, parseCsvRecord } from "./csv.rules.ts"
import type { Moved } from "./moved.rules.ts"
import { NotTheFile, RECORD_CHARACTERS_AT_MOST, TOO_LONG } from "./not-the-file.ts"

export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<Moved> {
  let columns: readonly string[] | null = null
  let number = 0
  for await (const fields of recordsOf(pieces)) {
    number++
    if (columns === null) {
      const header = parseCsvHeader(fields)
      if (!header.ok) throw new NotTheFile(header.error)
      columns = header.value
      continue
    }
    const record = parseCsvRecord(columns, fields)
    if (!record.ok) throw new NotTheFile(`record ${number}: ${record.error}`)
    yield record.value
  }
  if (columns === null) throw new NotTheFile("it is empty")
}

async function* recordsOf(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  const records = new CsvRecords()
  for await (const piece of pieces) {
    yield* records.add(piece)
    if (records.length > RECORD_CHARACTERS_AT_MOST) throw new NotTheFile(TOO_LONG)
  }
  yield* records.end()
}
