/** GET and POST /console/appearance and /console/appearance/logo. BRAND-4. */
import { showProof } from "../../accounts/guards/reauthentication-page.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import { hasRecentAuthentication } from "../../accounts/factors/factor.ts"
import {
  type Appearance,
  defaultAppearance,
  type TextMember,
  textMemberNames,
} from "../../model/appearance.rules.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { sendPage, sendSeeOther } from "../../platform/http/respond.ts"
import { consoleStyle } from "../../platform/ui/console/frame.ts"
import { sourceOf } from "../../platform/ui/style/style.ts"
import {
  administratorWrappers,
  type ConsoleRequest,
  consoleForm,
  frameOf,
  provenConsolePage,
  sendConsole,
} from "../console/console-page.ts"
import { changeAppearance, previewAppearance, setLogo, storedAppearance } from "./appearance.ts"
import { renderAppearance, type Texted } from "./appearance.view.ts"
import { renderLogos } from "./logos.view.ts"
import { pictureSheet } from "./picture.view.ts"

const PATH = "/console/appearance"
const LOGO = "/console/appearance/logo"

export const showAppearance = provenConsolePage(PATH, async (request) => {
  const look = await storedAppearance(request.services)
  return show(request, look, { typed: textsOf(look), problems: {} })
})

/** Stores the texts, or shows how they would look. An empty field unsets its member. */
export const submitAppearance = consoleForm(PATH, async (request) => {
  const { services, from } = request
  const typed = recordOf((member) => request.field(member).trim())
  const patch = recordOf((member) => typed[member] || null)
  const isPreview = request.field("preview") !== ""
  const looked = isPreview
    ? await previewAppearance(services, patch)
    : await changeAppearance(services, patch, from)
  if (!looked.ok)
    return show(request, await storedAppearance(services), { typed, problems: looked.error }, 400)
  return isPreview
    ? show(request, looked.value, { typed, problems: {} })
    : request.redirect(`${PATH}?done=saved`)
})

export const showLogos = provenConsolePage(LOGO, async (request) =>
  request.send(
    renderLogos({
      ...request.frame,
      shown: await storedAppearance(request.services),
      problem: request.field("again") === "" ? null : "Nothing has changed yet. Choose again.",
    }),
  ),
)

/** Its page asks for a recent factor. If that is over when the file arrives, the file is chosen again. */
export const submitLogo = administratorWrappers.fileForm(async (context, reply, request, file) => {
  const { services } = context
  if (!(await hasRecentAuthentication(services, request.signedIn)))
    return showProof(context, reply, request, `${LOGO}?again=yes`)
  const member = fieldOf(request, "logo") === "dark" ? "logoDark" : "logo"
  const problem = await store()
  if (problem === null) return sendSeeOther(context, reply, `${context.basePath}${PATH}?done=saved`)
  const shown = await storedAppearance(services)
  return sendConsole(
    context,
    reply,
    renderLogos({ ...frameOf(context, request), shown, problem, chosen: member }),
    400,
  )

  async function store(): Promise<string | null> {
    if (fieldOf(request, "remove") !== "") {
      await changeAppearance(services, { [member]: null }, request.from)
      return null
    }
    if (file === null) return "Choose a picture first."
    const set = await setLogo(services, member, file, request.from)
    return set.ok ? null : (set.error[member] ?? null)
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
