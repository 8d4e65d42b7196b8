/** Formats the results as tables, for the terminal and for docs/performance.md (`report.ts`). */
import type { Figures, Results } from "./results.ts"

export type Cell = string | number
export type Table = { readonly title: string; readonly rows: readonly Readonly<Record<string, Cell>>[] }

export function tablesOf({ embedded, postgres, growth, depth }: Results): Table[] {
  const tables: Table[] = []
  if (embedded !== null) {
    tables.push({ title: "Embedded", rows: embedded.figures.map(rowOf) })
    tables.push({ title: "Resident memory", rows: embedded.memory })
  }
  if (depth !== null)
    tables.push({
      title: "Group commit",
      rows: depth.map((one) => rounded({ ...one })),
    })
  if (growth !== null) tables.push({ title: "Growth", rows: growth.map((one) => rounded({ ...one })) })
  if (postgres !== null) {
    tables.push({ title: `PostgreSQL ${postgres.version}`, rows: postgres.figures.map(rowOf) })
    tables.push({
      title: "Refreshes, node by node",
      rows: postgres.perNode.map((one) => rounded({ ...one })),
    })
    tables.push({ title: "PostgreSQL alone", rows: postgres.commits.map((one) => rounded({ ...one })) })
    tables.push({ title: "Resident memory of nodes", rows: postgres.memory })
  }
  return tables
}

function rowOf({ requests: _, rounds: __, ...figures }: Figures) {
  return rounded(figures)
}

function rounded(row: Readonly<Record<string, Cell | null>>): Record<string, Cell> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "number" ? short(value) : (value ?? ""),
    ]),
  )
}

export function short(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3))
}
