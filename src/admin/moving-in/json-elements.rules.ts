/**
 * Splits a JSON document into the elements of its lists, so that a large export needs little memory. The document is a
 * list, or an object with lists. Other members of the object are passed over.
 */
export type Element = {
  /** The name of the member that has the list. It is empty if the document is a list. */
  readonly list: string
  readonly text: string
}

export class JsonElements {
  #depth = 0
  #isInString = false
  #isEscaped = false
  #member = ""
  /** The depth of the elements of the current list. Zero outside of a list. */
  #elements = 0
  #text = ""
  #hasBegun = false
  #isObject = false
  #isBroken = false

  /** Returns the elements that end in this piece. */
  add(piece: string): Element[] {
    const found: Element[] = []
    for (const character of piece) {
      if (this.#isInString) this.#addToString(character)
      else this.#addOutside(character, found)
    }
    return found
  }

  /** Whether the document was complete. */
  get isWhole(): boolean {
    return this.#hasBegun && this.#depth === 0 && !this.#isInString && !this.#isBroken
  }

  get length(): number {
    return this.#text.length
  }

  #addToString(character: string): void {
    this.#keep(character)
    if (this.#isEscaped) this.#isEscaped = false
    else if (character === "\\") this.#isEscaped = true
    else if (character === '"') this.#isInString = false
  }

  #addOutside(character: string, found: Element[]): void {
    if (SPACE.has(character)) return
    if (!this.#hasBegun) this.#begin(character)
    else if (this.#depth === 0) this.#isBroken = true
    else if (character === '"') {
      this.#isInString = true
      this.#keep(character)
    } else if (character === "," || character === "]" || character === "}") this.#close(character, found)
    else if (character === "{" || character === "[") this.#open(character)
    else if (character === ":" && this.#elements === 0 && this.#depth === 1) this.#endMember()
    else this.#keep(character)
  }

  #begin(character: string): void {
    this.#hasBegun = true
    this.#isObject = character === "{"
    this.#isBroken = !this.#isObject && character !== "["
    this.#depth = 1
    this.#elements = this.#isObject ? 0 : 1
  }

  #open(character: string): void {
    const isList = this.#isObject && this.#depth === 1 && character === "[" && this.#elements === 0
    this.#depth++
    if (isList) {
      this.#elements = 2
      this.#text = ""
    } else this.#keep(character)
  }

  #close(character: string, found: Element[]): void {
    const isAtElements = this.#depth === this.#elements
    if (isAtElements) {
      if (this.#text !== "") found.push({ list: this.#member, text: this.#text })
      this.#text = ""
    }
    if (character !== ",") this.#depth--
    if (isAtElements && character === ",") return
    if (isAtElements) this.#elements = 0
    else if (this.#elements === 0 && this.#depth === 1 && character === ",") this.#text = ""
    else this.#keep(character)
  }

  #endMember(): void {
    this.#member = this.#text.replaceAll('"', "")
    this.#text = ""
  }

  /** Keeps the text of an element, or of a member's name. */
  #keep(character: string): void {
    if (this.#elements > 0 || this.#depth === 1) this.#text += character
  }
}

const SPACE: ReadonlySet<string> = new Set([" ", "\t", "\n", "\r", "\uFEFF"])
