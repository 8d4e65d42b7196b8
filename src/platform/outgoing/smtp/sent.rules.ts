/** The result of sending one mail. `detail` may have the words of the server, so it is never logged. */
export type Sent =
  | { readonly outcome: "sent" }
  /** Another attempt may succeed. */
  | { readonly outcome: "failed"; readonly problem: string; readonly detail: string }
  /** The server refused the recipient or the mail permanently. */
  | { readonly outcome: "refused"; readonly problem: string; readonly detail: string }
