/** A failure to open a browser does no harm, because the URL is printed too. */
import { spawn } from "node:child_process"

/** Returns whether a program was started. */
export function openBrowser(address: URL): boolean {
  const opener = openerOf(process.platform, process.env)
  if (opener === null) return false
  const [program, ...args] = opener
  const child = spawn(program, [...args, address.href], { detached: true, stdio: "ignore" })
  child.once("error", () => undefined)
  child.unref()
  return true
}

function openerOf(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): readonly [program: string, ...args: string[]] | null {
  if (platform === "darwin") return ["open"]
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"]
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? ["xdg-open"] : null
}
