/** Draws a user code in letters five rows high. */

/** Each letter lists its rows from top to bottom, separated by `|`. A `#` is a filled cell. */
const glyphs: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    B: "####.|#...#|####.|#...#|####.",
    C: ".####|#....|#....|#....|.####",
    D: "####.|#...#|#...#|#...#|####.",
    F: "#####|#....|####.|#....|#....",
    G: ".####|#....|#..##|#...#|.####",
    H: "#...#|#...#|#####|#...#|#...#",
    J: "..###|...#.|...#.|#..#.|.##..",
    K: "#...#|#..#.|###..|#..#.|#...#",
    L: "#....|#....|#....|#....|#####",
    M: "#...#|##.##|#.#.#|#...#|#...#",
    N: "#...#|##..#|#.#.#|#..##|#...#",
    P: "####.|#...#|####.|#....|#....",
    Q: ".###.|#...#|#.#.#|#..#.|.##.#",
    R: "####.|#...#|####.|#..#.|#...#",
    S: ".####|#....|.###.|....#|####.",
    T: "#####|..#..|..#..|..#..|..#..",
    V: "#...#|#...#|#...#|.#.#.|..#..",
    W: "#...#|#...#|#.#.#|##.##|#...#",
    X: "#...#|.#.#.|..#..|.#.#.|#...#",
    Z: "#####|...#.|..#..|.#...|#####",
    "-": "...|...|###|...|...",
  }).map(([letter, rows]) => [letter, rows.split("|")] as const),
)

const ROWS = 5

/** Draws `text`. Returns an empty string if a character cannot be part of a user code. */
export function largeLetters(text: string): string {
  const drawn = [...text.toUpperCase()].map((letter) => glyphs.get(letter))
  if (drawn.includes(undefined)) return ""
  return Array.from({ length: ROWS }, (_, row) =>
    drawn
      .map((rows) => rows?.[row] ?? "")
      .join(".")
      .replaceAll("#", "█")
      .replaceAll(".", " ")
      .trimEnd(),
  ).join("\n")
}
