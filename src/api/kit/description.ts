/** The table of operations as an OpenAPI 3.1 document. It describes the API; the OAuth endpoints have RFC 8414 metadata. */
import { builtInPermissions } from "../../permissions/built-in-permissions.rules.ts"
import { apiStatuses } from "../../http/api-error.ts"
import type { Operation } from "./operation.ts"
import { choice, type JsonSchema, record, schemaOf, type Shape, text, integer } from "./shape.ts"

const SCHEME = "latchkey"

const error = record("Error", {
  error: record(null, {
    code: integer("The HTTP status.", 404),
    status: choice("What kind of error it is.", Object.keys(apiStatuses) as (keyof typeof apiStatuses)[]),
    message: text("For the developer of the app; it may change.", "There is no such app."),
  }),
})

const INTRODUCTION =
  `The API of the service itself. It is for the apps of account holders and administrators, and takes
the same access tokens as everything else: \`Authorization: Bearer\`.

Each operation names the permissions that it needs. Some need elevation too (\`x-elevation\`): without a factor proven
lately they answer 400 \`FAILED_PRECONDITION\` with \`Service-Elevation-Required: 1\`, and the app runs the step-up ceremony
(\`POST /oauth/step-up\`). What is checked first is told first: token, permissions, elevation, input, state.

Bodies are JSON, read strictly: a member twice, one that is not known, or one of another type is refused by name.
Lists come a page at a time: \`next\` of one page is \`after\` of the following one. Instants are seconds since 1970.

Besides the code grant there is the device grant (RFC 8628), which OpenAPI 3.1 cannot say; the metadata at
\`/.well-known/oauth-authorization-server\` does.`.replaceAll(/([^\n])\n([^\n])/g, "$1 $2")

export function description(issuer: string, operations: readonly Operation[]): JsonSchema {
  const tags = [...new Set(operations.map(tagOf))]
  return {
    openapi: "3.1.1",
    info: { title: "Latchkey", version: "1", description: INTRODUCTION },
    servers: [{ url: issuer }],
    tags: tags.map((name) => ({ name })),
    paths: pathsOf(operations),
    components: {
      securitySchemes: { [SCHEME]: securityScheme(issuer) },
      schemas: schemasOf([error, ...operations.flatMap(shapesOf)]),
      responses,
    },
  }
}

function securityScheme(issuer: string): JsonSchema {
  return {
    type: "oauth2",
    description:
      "OAuth 2.1 with PKCE (S256), or the device grant of RFC 8628 at /oauth/device-authorization.",
    flows: {
      authorizationCode: {
        authorizationUrl: `${issuer}/oauth/authorize`,
        tokenUrl: `${issuer}/oauth/token`,
        refreshUrl: `${issuer}/oauth/token`,
        scopes: Object.fromEntries(
          Object.entries(builtInPermissions).map(([name, { title }]) => [name, title]),
        ),
      },
    },
  }
}

function pathsOf(operations: readonly Operation[]): JsonSchema {
  const paths = new Map<string, Record<string, JsonSchema>>()
  for (const operation of operations) {
    const item = paths.get(operation.path) ?? {}
    item[operation.method.toLowerCase()] = itemOf(operation)
    paths.set(operation.path, item)
  }
  return Object.fromEntries(paths)
}

function itemOf(operation: Operation): JsonSchema {
  const { id, summary, notes, needs, elevation } = operation
  const parameters = parametersOf(operation)
  return {
    operationId: id,
    summary,
    ...(notes !== null && { description: notes }),
    tags: [tagOf(operation)],
    security: needs === null ? [] : [{ [SCHEME]: needs }],
    ...(elevation !== null && { "x-elevation": elevation }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(operation),
    responses: responsesOf(operation),
  }
}

/** `admin accounts`, `credentials`: the first word of the path behind `/api`. */
function tagOf({ path }: Operation): string {
  const [, , first = "", second = ""] = path.split("/")
  return first === "admin" ? `admin ${second}` : first.replace(/\.json$/, "")
}

function parametersOf({ path, query }: Operation): readonly JsonSchema[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    example: name === "key" ? "token.access_seconds" : "01k3v7m2q8xj5c9d4e6f7g8h9j",
  }))
  const properties = (query?.schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>
  const asked = Object.entries(properties).map(([name, { description: about, ...schema }]) => ({
    name,
    in: "query",
    description: about,
    schema,
    // A list is written with commas between.
    ...(schema["type"] === "array" && { style: "form", explode: false }),
  }))
  return [...names, ...asked]
}

function requestBodyOf({ body }: Operation): JsonSchema {
  if (body === null) return {}
  if ("picture" in body) {
    const content = body.picture.map((type) => [type, {}])
    const about = `The bytes of the picture's file, at most ${body.most / 1024} KiB.`
    return { requestBody: { required: true, description: about, content: Object.fromEntries(content) } }
  }
  const content = { "application/json": { schema: schemaOf(body), example: body.example } }
  return { requestBody: { required: true, content } }
}

/** Every status that the operation answers; those of the service as a whole (500, 503) are `default`. */
function responsesOf({ status, answers, needs, body, refuses }: Operation): JsonSchema {
  const content =
    answers === null
      ? {}
      : { content: { "application/json": { schema: schemaOf(answers), example: answers.example } } }
  const codes = new Set<keyof typeof responses>([
    "400",
    ...(needs === null ? [] : (["401"] as const)),
    ...(needs === null || needs.length === 0 ? [] : (["403"] as const)),
    ...refuses.map((one) => String(apiStatuses[one]) as "404" | "409"),
    ...(body === null ? [] : (["413", "415"] as const)),
    "default",
  ])
  return {
    [status]: { description: answers === null ? "Done." : "As asked.", ...content },
    ...Object.fromEntries([...codes].map((code) => [code, { $ref: `#/components/responses/${code}` }])),
  }
}

function refusal(about: string, headers: Readonly<Record<string, string>> = {}): JsonSchema {
  return {
    description: about,
    ...(Object.keys(headers).length > 0 && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, of]) => [name, { description: of, schema: { type: "string" } }]),
      ),
    }),
    content: { "application/json": { schema: schemaOf(error) } },
  }
}

const challenge = { "WWW-Authenticate": "A Bearer challenge: RFC 6750, with `resource_metadata`." }

const responses = {
  "400": refusal(
    "`INVALID_ARGUMENT`: something that was sent is not right. `FAILED_PRECONDITION`: this needs a factor proven lately.",
    { "Service-Elevation-Required": "`1` with `FAILED_PRECONDITION`.", ...challenge },
  ),
  "401": refusal("`UNAUTHENTICATED`: no access token, or none that works.", challenge),
  "403": refusal(
    "`PERMISSION_DENIED`: the credential lacks a permission; the challenge names all that are needed.",
    challenge,
  ),
  "404": refusal("`NOT_FOUND`: there is nothing of that id, or it is somebody else's."),
  "409": refusal("`ALREADY_EXISTS`: the name is taken. `CONFLICT`: things are such that it cannot be done."),
  "413": refusal("`INVALID_ARGUMENT`: the body is too large."),
  "415": refusal("`INVALID_ARGUMENT`: the body is of another type."),
  default: refusal("`INTERNAL` (500), or `UNAVAILABLE` (503) with `Retry-After`.", {
    "Retry-After": "Seconds to wait.",
  }),
} as const

function shapesOf({ query, body, answers }: Operation): readonly Shape<unknown>[] {
  const sent = body === null || "picture" in body ? [] : [body]
  return [...(query === null ? [] : query.parts), ...sent, ...(answers === null ? [] : [answers])]
}

/** Those that have a name, wherever they stand. */
function schemasOf(shapes: readonly Shape<unknown>[]): JsonSchema {
  const named = new Map<string, JsonSchema>()
  const visit = ({ name, schema, parts }: Shape<unknown>): void => {
    if (name !== null) named.set(name, schema)
    for (const part of parts) visit(part)
  }
  for (const shape of shapes) visit(shape)
  return Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
