/** The texts of the confirmation page for actions on an app. */
export const actionWords = {
  disable: {
    title: "Disable",
    lead: "The app stops working at once for everyone. When it is enabled again, no one has to sign in again.",
    button: "Disable",
    isDangerous: true,
  },
  remove: {
    title: "Remove",
    lead: "Everyone is signed out of the app at once and for good. Its client id never comes back.",
    button: "Remove for good",
    isDangerous: true,
  },
  secret: {
    title: "A new secret for",
    lead: "The old secret stops working at once. Until its server has the new one, the app can neither sign anyone in nor renew its access. No one is signed out.",
    button: "Make a new secret",
    isDangerous: true,
  },
} as const
