/**
 * The stages of a request, and the code of each. `profile.ts` attributes the samples of a CPU profile with this table.
 *
 * A sample belongs to the innermost function of its stack that has a stage. The first row that matches a function
 * counts. Code without a row is `other`, so new code does not hide in another stage.
 */

export const stages = [
  "connection",
  "form",
  "client",
  "load",
  "decide",
  "encode",
  "write",
  "commit",
  "driver",
  "page",
  "response",
  "garbage",
  "threads",
  "other",
  "database",
] as const
export type Stage = (typeof stages)[number]

export const stageWords: { readonly [S in Stage]: string } = {
  connection: "connection, parsing, budgets",
  form: "form",
  client: "client, session",
  load: "load and decode rows",
  decide: "decide, make tokens",
  encode: "encode rows",
  write: "write rows",
  commit: "group and commit",
  driver: "driver of PostgreSQL",
  page: "page",
  response: "response",
  garbage: "garbage collection (main thread)",
  threads: "other threads",
  other: "other",
  database: "PostgreSQL",
}

export type Row = {
  /** With `caller`, the time belongs to the function that called. */
  readonly stage: Stage | "caller"
  /** Matches paths from the root of the repository, and names of modules such as `node:net`. */
  readonly files: RegExp
  /** The functions that the row is about. Without them, it is about all functions of the files. */
  readonly functions?: readonly string[]
}

export const rows: readonly Row[] = [
  {
    stage: "page",
    files: /^src\/(platform\/(ui|languages)\/|platform\/http\/http-context\.ts|.*\.view\.ts)/,
  },
  { stage: "page", files: /^src\/oauth\/authorize\/authorization-pages\.ts/ },
  { stage: "response", files: /^src\/platform\/http\/connection\/(message|response-batching|drain)\.ts/ },
  { stage: "response", files: /^src\/platform\/http\/(respond|headers|refusal-log)\.ts/ },
  { stage: "form", files: /^src\/(platform\/http\/request|kernel\/form|oauth\/token\/grant-types)\.ts/ },
  { stage: "form", files: /^src\/oauth\/(.*\.endpoint|token\/grants\/token-request\.rules)\.ts/ },
  { stage: "connection", files: /^src\/platform\/(http\/|services\/(anonymous-)?budget\.ts)/ },
  { stage: "client", files: /^src\/(oauth\/clients|accounts)\// },
  {
    stage: "encode",
    files: /^src\/store\/codecs\//,
    functions: [
      "lifeValues",
      "credentialValues",
      "familyBytes",
      "codeBytes",
      "answerValues",
      "deviceGrantValues",
    ],
  },
  {
    stage: "encode",
    files: /^src\/store\/sqlite\/statements\/credential-table\.ts/,
    functions: ["rotationOf", "rowOfLife"],
  },
  { stage: "encode", files: /^src\/store\/postgres\/driver\/(binary-array|unnest|without-nul)\.ts/ },
  { stage: "caller", files: /^src\/(store\/(codecs|statements)|kernel)\// },
  { stage: "caller", files: /^src\/store\/sqlite\/statements\/(numbers|rowid)\.ts/ },
  { stage: "driver", files: /^(src\/store\/postgres\/driver\/|node_modules\/pg)/ },
  { stage: "load", files: /^src\/store\/(sqlite|postgres)\/statements\/(load|lookups|credential-rows)\.ts/ },
  { stage: "load", files: /^src\/store\/sqlite\/engine\/row-cache\.ts/ },
  {
    stage: "load",
    files: /^src\/store\/sqlite\/(engine\/connection|sqlite-store)\.ts/,
    functions: ["view", "#endView", "read"],
  },
  { stage: "commit", files: /^src\/store\/sqlite\/engine\/connection\.ts/, functions: ["transaction"] },
  { stage: "caller", files: /^src\/store\/sqlite\/engine\/connection\.ts/ },
  { stage: "write", files: /^src\/store\/(sqlite\/statements|postgres\/statements|postgres\/locking)\// },
  { stage: "write", files: /^src\/store\/postgres\/batching\/(guarded-|keyed-)/ },
  {
    stage: "commit",
    files: /^src\/(store\/|platform\/services\/counting-store\.ts|platform\/mail\/noticing-store\.ts)/,
  },
  { stage: "decide", files: /^src\/(oauth|model|platform\/services)\// },
  { stage: "other", files: /^src\// },
]

/** For stacks of which no function has a row above. */
export const rowsOfNode: readonly Row[] = [
  { stage: "commit", files: /^node:(fs|internal\/fs)/ },
  {
    stage: "connection",
    files: /^node:(_http|net|events|internal\/(stream|timers|process|async_hooks|http))/,
  },
]
