/** GET and POST /console/appearance and /console/appearance/logo. BRAND-4. */
import { showProof } from "../../accounts/guards/reauthentication-page.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import { hasRecentAuthentication } from "../../accounts/factors/factor.ts"
import {
  type Appearance,
  defaultAppearance,
  type TextMember,
  textMemberNames,
  textMembers,
} from "../../model/appearance.rules.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { sendPage, sendSeeOther } from "../../platform/http/respond.ts"
import { consoleStyle, sourceOf } from "../../platform/ui/style/style.ts"
import {
  administratorWrappers,
  type ConsoleRequest,
  consoleForm,
  frameOf,
  provenConsolePage,
  sendConsole,
} from "../console/console-page.ts"
import { changeAppearance, setLogo, storedAppearance, storeLogo } from "./appearance.ts"
import { renderAppearance, type Texted } from "./appearance.view.ts"
import { renderLogos } from "./logos.view.ts"
import { pictureSheet } from "./picture.view.ts"

const PATH = "/console/appearance"
const LOGO = "/console/appearance/logo"

export const showAppearance = provenConsolePage(PATH, async (request) => {
  const look = await storedAppearance(request.services)
  return show(request, look, { typed: textsOf(look), problems: {} })
})

/** Stores the texts, or shows how they would look. */
export const submitAppearance = consoleForm(PATH, async (request) => {
  const stored = await storedAppearance(request.services)
  const typed = recordOf((member) => request.field(textMembers[member].member).trim())
  const { patch, problems } = read(typed)
  if (Object.keys(problems).length > 0) return show(request, stored, { typed, problems }, 400)
  if (request.field("preview") !== "") {
    const look = { ...stored, ...patch, name: patch.name ?? defaultAppearance.name }
    return show(request, look, { typed, problems })
  }
  const changed = await changeAppearance(request.services, patch, request.from)
  if (changed.ok) return request.redirect(`${PATH}?done=saved`)
  const { member, problem } = changed.error
  return show(request, stored, { typed, problems: { [member]: problem } }, 400)
})

export const showLogos = provenConsolePage(LOGO, async (request) =>
  request.send(
    renderLogos({ ...request.frame, shown: await storedAppearance(request.services), problem: null }),
  ),
)

/** A form with a file has no page that asks for a factor and sends it again. The file is chosen again. */
export const submitLogo = administratorWrappers.fileForm(async (context, reply, request, file) => {
  const { services } = context
  if (!(await hasRecentAuthentication(services, request.signedIn)))
    return showProof(context, reply, request, LOGO)
  const member = fieldOf(request, "logo") === "dark" ? "logoDark" : "logo"
  const isRemoval = fieldOf(request, "remove") !== ""
  if (isRemoval) await storeLogo(services, member, null, request.from)
  const problem = isRemoval ? null : await store(file)
  if (problem === null) return sendSeeOther(context, reply, `${context.basePath}${PATH}?done=saved`)
  const shown = await storedAppearance(services)
  return sendConsole(context, reply, renderLogos({ ...frameOf(context, request), shown, problem }), 400)

  async function store(picture: Uint8Array | null): Promise<string | null> {
    if (picture === null) return "Choose a picture first."
    const set = await setLogo(services, member, picture, request.from)
    return set.ok ? null : set.error
  }
})

function show(
  { context, reply, frame }: ConsoleRequest,
  shown: Appearance,
  form: Texted,
  status = 200,
): HttpReply {
  const sheet = consoleStyle + pictureSheet(shown.color)
  const page = renderAppearance({ ...frame, shown, sheet, ...form })
  return sendPage(context, reply, status, page, { styleSource: sourceOf(sheet) })
}

function recordOf<V>(value: (member: TextMember) => V): Readonly<Record<TextMember, V>> {
  return Object.fromEntries(textMemberNames.map((member) => [member, value(member)])) as Record<TextMember, V>
}

/** The default name is shown as an empty field, because nothing is stored for it. */
function textsOf(look: Appearance): Texted["typed"] {
  return recordOf((member) => (look[member] === defaultAppearance[member] ? "" : (look[member] ?? "")))
}

/** An empty field unsets its member. */
function read(typed: Texted["typed"]) {
  const parsed = recordOf((member) =>
    typed[member] === "" ? null : textMembers[member].parse(typed[member]),
  )
  const problems = Object.fromEntries(
    textMemberNames.flatMap((member) => {
      const result = parsed[member]
      return result?.ok === false ? [[member, result.error]] : []
    }),
  )
  const patch = recordOf((member) => {
    const result = parsed[member]
    return result?.ok === true ? result.value : null
  })
  return { patch, problems }
}
