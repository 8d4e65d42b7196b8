/** The two pages of the product. */

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 24rem; margin: 4rem auto; padding: 0 1rem; }
  label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
  input { margin: 0.25rem 0 1rem; padding: 0.5rem; }
  button { margin-top: 0.5rem; padding: 0.6rem; }`

export function page(title: string, { name }: { readonly name: string }): string {
  return document(
    title,
    `<form method="post" action="/name"><label>Your name <input name="name" value="${escaped(name)}"></label>
    <button>Save</button></form>
    <form method="post" action="/logout"><button>Sign out</button></form>
    <form method="post" action="/close"><button>Delete my account</button></form>`,
  )
}

export function signInForm(next: string, problem = ""): string {
  return document(
    "Sign in to Notebook",
    `<p role="alert">${escaped(problem)}</p>
    <form method="post" action="/login"><input type="hidden" name="next" value="${escaped(next)}">
    <label>E-mail <input name="email" type="email" autocomplete="username" required></label>
    <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
    <button>Sign in</button></form>`,
  )
}

function document(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>${escaped(title)}</title><style>${STYLE}</style><h1>${escaped(title)}</h1>${body}</html>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
