/**
 * Prepares the environment before a command reads it. A variable that is misspelled would otherwise be ignored in
 * silence, and a secret can come from a file, as container engines and systemd hand it over.
 */
import { readFileSync, statSync } from "node:fs"
import { SECRET_LENGTH_AT_LEAST } from "../../kernel/limits.ts"
import { variableName } from "../../kernel/process/variable-name.ts"
import { didYouMean } from "../../kernel/suggest.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { isOfKubernetes, isSecret, knownVariables, operatorVariables } from "./variables.rules.ts"

type Environment = Record<string, string | undefined>

const PREFIX = "LATCHKEY_"
const SECRETS = ["LATCHKEY_SECRET_KEY", "LATCHKEY_SECRET_KEY_NEW"]
const MAX_BYTES = 64 * 1024

/**
 * Sets each secret variable to the content of the file that its `_FILE` twin names, and removes what Kubernetes sets for
 * a Service called latchkey. Returns the problems as sentences without any value of a secret.
 */
export function prepareEnvironment(env: Environment): readonly Problem[] {
  const problems: Problem[] = []
  const names = Object.keys(env).filter((name) => name.startsWith(PREFIX))
  for (const name of names.toSorted()) {
    if (isOfKubernetes(name, env[name] ?? "")) {
      delete env[name]
      continue
    }
    const secret = name.endsWith("_FILE") ? name.slice(0, -"_FILE".length) : ""
    if (isSecret(secret)) {
      const problem = readTwin(env, secret)
      if (problem !== null) problems.push(problem)
    } else if (!knownVariables.has(name)) problems.push(unknownVariable(name, secret))
  }
  for (const name of SECRETS) {
    const secret = (env[name] ?? "").trim()
    if (secret !== "" && secret.length < SECRET_LENGTH_AT_LEAST)
      problems.push(`${variableName(name, env)} must hold at least ${SECRET_LENGTH_AT_LEAST} characters.`)
  }
  return problems
}

/** `plain` is the name without `_FILE`, or empty. */
function unknownVariable(name: string, plain: string): Problem {
  return knownVariables.has(plain)
    ? `There is no variable ${name}: ${plain} cannot come from a file. Set ${plain} itself.`
    : `There is no variable ${name}.${didYouMean(name, operatorVariables)}`
}

/** An empty twin names no file: a value was expected there. The twin stays, so that `variableName` can name it. */
function readTwin(env: Environment, secret: string): Problem | null {
  const twin = `${secret}_FILE`
  const file = env[twin] ?? ""
  if (file === "") return `${twin} is empty: set it to the path of a file, or remove it.`
  if ((env[secret] ?? "") !== "") return `${secret} and ${twin} are both set: use one of them.`
  const content = readSecretFile(file)
  if (!content.ok) return `${twin} is ${file}, ${content.error}.`
  env[secret] = content.value
  return null
}

/** Reads a file without its final line breaks. */
function readSecretFile(file: string): Result<string, Problem> {
  try {
    if (statSync(file).size > MAX_BYTES) return err("which is longer than 64 KiB")
    const text = readFileSync(file, "utf8").replace(/[\r\n]+$/, "")
    return text === "" ? err("which is empty") : ok(text)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOENT") return err("which does not exist")
    return err(
      `which user ${process.getuid?.() ?? "of this process"} cannot read (${code ?? "unknown error"})`,
    )
  }
}
