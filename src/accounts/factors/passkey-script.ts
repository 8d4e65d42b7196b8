/**
 * The only script of the pages, served as /assets/passkey.js. It asks the browser for a passkey and puts the response
 * into the form. Without the script, the pages only lack the passkey button.
 *
 * Forms with `data-passkey` (`get` or `create`) contain the options as JSON, with binary values in base64url, and the
 * texts of problems.
 */
export const passkeyScript = String.raw`"use strict";
(() => {
  if (!window.PublicKeyCredential || !navigator.credentials) return;

  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  const text = (buffer) =>
    btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(""))
      .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const named = (list) => (list || []).map((one) => ({ ...one, id: bytes(one.id) }));

  const ask = {
    get: (options) =>
      navigator.credentials.get({
        publicKey: {
          ...options,
          challenge: bytes(options.challenge),
          allowCredentials: named(options.allowCredentials),
        },
      }),
    create: (options) =>
      navigator.credentials.create({
        publicKey: {
          ...options,
          challenge: bytes(options.challenge),
          user: { ...options.user, id: bytes(options.user.id) },
          excludeCredentials: named(options.excludeCredentials),
        },
      }),
  };

  const written = ({ id, type, rawId, response, authenticatorAttachment }, extensions) => {
    const answer = { clientDataJSON: text(response.clientDataJSON) };
    if (response.attestationObject) {
      answer.attestationObject = text(response.attestationObject);
      answer.transports = response.getTransports ? response.getTransports() : [];
    } else {
      answer.authenticatorData = text(response.authenticatorData);
      answer.signature = text(response.signature);
      if (response.userHandle) answer.userHandle = text(response.userHandle);
    }
    return JSON.stringify({
      id,
      type,
      rawId: text(rawId),
      authenticatorAttachment,
      response: answer,
      clientExtensionResults: extensions,
    });
  };

  const problems = { InvalidStateError: "addedAlready", SecurityError: "wrongAddress" };

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    const button = form.querySelector("button");
    const problem = form.querySelector("[data-problem]");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      button.disabled = true;
      problem.hidden = true;
      try {
        const credential = await ask[form.dataset.passkey](JSON.parse(form.dataset.options));
        form.elements.response.value = written(credential, credential.getClientExtensionResults());
        form.submit();
      } catch (error) {
        problem.textContent = form.dataset[problems[error.name] || "canceled"];
        problem.hidden = false;
        button.disabled = false;
      }
    });
    form.hidden = false;
  }
  for (const note of document.querySelectorAll("[data-without-passkey]")) note.hidden = true;
})();
`
