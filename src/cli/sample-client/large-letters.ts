/** A code to be read across a room: the letters of user codes, five rows high. */

/** Rows from the top, `|` between them; `#` is ink. */
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

/** `text` in large letters; empty where it holds any other character than those of user codes. */
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
