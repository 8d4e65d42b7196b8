/** Finds instructions in error descriptions. A description only states a fact. Interface ERR-11. */
const VERBS =
  "add ask authenticate authorize begin call change check choose contact correct encode escape fix follow get give go " +
  "include insert leave limit make omit open provide put read register remove rename repeat replace request resend " +
  "retry see send set shorten sign start stop supply try use wait write"

/** An imperative begins a sentence or follows a colon, a semicolon or a comma. */
const IMPERATIVE = new RegExp(
  `(?:^|[.:;,] )(?:please |then |instead |and )*(?:${VERBS.replaceAll(" ", "|")})\\b`,
  "i",
)
const DEMAND =
  /\b(?:you|your|please|retry|try|should|shall|must|ought|contact|wait|has to|have to|needs? to|instead)\b/i

export function isInstruction(description: string): boolean {
  return IMPERATIVE.test(description) || DEMAND.test(description)
}
