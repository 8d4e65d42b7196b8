/** Describes why a request failed. The error of `fetch` says so only in its cause. */
export function causeText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return causeText(error.cause)
  const { code } = error as { code?: unknown }
  return error.message || (typeof code === "string" ? code : error.name)
}
