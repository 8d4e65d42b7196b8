/** Spring Security, in applications that a proof builds: one signs people in, one is an API. */
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import type { SiteProgram } from "./site.ts"

export const SPRING_SOURCES = join(import.meta.dirname, "spring")
export const SPRING_API_SOURCES = join(import.meta.dirname, "spring-api")

/** `jar` is the built application. */
export function springSecurity(jar: string, work: string): SiteProgram {
  return {
    name: "Spring Security",
    callback: "/login/oauth2/code/latchkey",
    command: () => onJava(jar, work),
  }
}

/** An API that verifies JWT access tokens. */
export function springApi(jar: string, work: string): SiteProgram {
  return { name: "Spring resource server", callback: "/unused", command: () => onJava(jar, work) }
}

/** Java trusts a certificate only in a store of its own, which is made in `work`. */
function onJava(jar: string, work: string): readonly string[] {
  const store = join(mkdtempSync(join(work, "java-")), "trusted.p12")
  const trust = `keytool -importcert -noprompt -file "$SSL_CERT_FILE" -keystore ${store} -storepass trusted`
  const options = `-Djavax.net.ssl.trustStore=${store} -Djavax.net.ssl.trustStorePassword=trusted`
  return ["sh", "-eu", "-c", `${trust} && exec java ${options} -jar ${jar}`]
}
