"""The two pages of the product."""

from html import escape

STYLE = """
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 24rem; margin: 4rem auto; padding: 0 1rem; }
  label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
  input { margin: 0.25rem 0 1rem; padding: 0.5rem; }
  button { margin-top: 0.5rem; padding: 0.6rem; }"""


def home(name: str) -> str:
    return document(
        f"Hello, {name}",
        f"""<form method="post" action="/name"><label>Your name <input name="name" value="{escape(name)}"></label>
        <button>Save</button></form>
        <form method="post" action="/logout"><button>Sign out</button></form>
        <form method="post" action="/close"><button>Delete my account</button></form>""",
    )


def sign_in_form(next: str, problem: str = "") -> str:
    return document(
        "Sign in to Notebook",
        f"""<p role="alert">{escape(problem)}</p>
        <form method="post" action="/login"><input type="hidden" name="next" value="{escape(next)}">
        <label>E-mail <input name="email" type="email" autocomplete="username" required></label>
        <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
        <button>Sign in</button></form>""",
    )


def document(title: str, body: str) -> str:
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>{escape(title)}</title><style>{STYLE}</style><h1>{escape(title)}</h1>{body}</html>"""
