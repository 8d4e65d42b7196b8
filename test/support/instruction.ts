/** Words that tell the reader of an error description what to do. Interface ERR-11: a description states a fact. */
const VERBS =
  "add ask authenticate authorize begin call change check choose contact correct encode escape fix follow get give go " +
  "include insert leave limit make omit open provide put read register remove rename repeat replace request resend " +
  "retry see send set shorten sign start stop supply try use wait write"

/** An imperative begins a sentence, or what comes after a colon, a semicolon or a comma. */
const IMPERATIVE = new RegExp(
  `(?:^|[.:;,] )(?:please |then |instead |and )*(?:${VERBS.replaceAll(" ", "|")})\\b`,
  "i",
)
const DEMAND =
  /\b(?:you|your|please|retry|try|should|shall|must|ought|contact|wait|has to|have to|needs? to|instead)\b/i

export function isInstruction(description: string): boolean {
  return IMPERATIVE.test(description) || DEMAND.test(description)
}
