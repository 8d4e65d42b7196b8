/** A counter in a setting that `verify` accepts. The number of requests is the counter. */
export const COUNTER = "rate_limit.oauth_anonymous"

export function counted(count: number): string {
  return `${count}/60`
}

export function counterOf(setting: { readonly value: string } | null): number {
  return setting === null ? 0 : Number.parseInt(setting.value, 10)
}
