/** The flag of commands that print or send a link to the service. */
export const baseUrlFlag = {
  value: "URL",
  env: "LATCHKEY_BASE_URL",
  default: "http://localhost:8787",
  summary: "the base URL of the service, with which links begin",
} as const
