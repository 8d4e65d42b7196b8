/** The name of the variable that the operator set: `NAME`, or its twin `NAME_FILE` (`platform/config/environment.ts`). */
export function variableName(
  name: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const twin = `${name}_FILE`
  return (env[twin] ?? "") === "" ? name : twin
}
