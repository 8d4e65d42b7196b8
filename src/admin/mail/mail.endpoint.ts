/** GET /console/mail: the outbox. MAIL-10. */
import { consolePage } from "../console/console-page.ts"
import { renderMails } from "./mail.view.ts"

const MAILS_SHOWN = 50

export const showMails = consolePage("/console/mail", async (request) => {
  const { mail, store } = request.services
  const [backlog, listed] = await Promise.all([store.mailBacklog(), store.unsentMails(MAILS_SHOWN)])
  const mails = await Promise.all(
    listed.map(async (one) => {
      const { account } = await store.read({ account: one.userId })
      const { userId } = one
      return { ...one, account: userId === null ? null : { userId, username: account?.username ?? null } }
    }),
  )
  const page = renderMails({
    ...request.frame,
    sender: mail === null ? null : { server: `${mail.server.host}:${mail.server.port}`, from: mail.from },
    backlog,
    mails,
  })
  return request.send(page)
})
