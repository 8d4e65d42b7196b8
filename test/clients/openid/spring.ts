/** Spring Security, in an application that a proof builds. */
import { join } from "node:path"
import type { SiteProgram } from "./site.ts"

export const SPRING_SOURCES = join(import.meta.dirname, "spring")

/** `jar` is the built application. Java trusts a certificate only in a store of its own, which is made in `work`. */
export function springSecurity(jar: string, work: string): SiteProgram {
  const store = join(work, "trusted.p12")
  const trust = `keytool -importcert -noprompt -file "$SSL_CERT_FILE" -keystore ${store} -storepass trusted`
  const options = `-Djavax.net.ssl.trustStore=${store} -Djavax.net.ssl.trustStorePassword=trusted`
  return {
    name: "Spring Security",
    callback: "/login/oauth2/code/latchkey",
    command: () => ["sh", "-eu", "-c", `${trust} && exec java ${options} -jar ${jar}`],
  }
}
