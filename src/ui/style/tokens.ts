/** Colours, sizes and spaces, in light and in dark. */
import { html as css } from "../../kernel/html.ts"

export const tokens = css`
  :root {
    color-scheme: light dark;
    --page: #f5f4f0;
    --card: #ffffff;
    --sunken: #f7f6f3;
    --ink: #1a1f1c;
    --soft: #4b534e;
    --line: #e3e1da;
    --edge: #8b918c;
    --tile: #f0eee8;
    --accent: #155e4c;
    --accent-over: #0f4a3c;
    --on-accent: #ffffff;
    --link: #155e4c;
    --serious: #fcf5e4;
    --serious-line: #dfc48a;
    --serious-ink: #664407;
    --wrong: #fdf1ef;
    --wrong-line: #e6b3aa;
    --wrong-ink: #8c1d12;
    --lift: 0 1px 2px rgb(26 31 28 / 5%), 0 12px 32px -12px rgb(26 31 28 / 14%);
    --tiny: 0.8125rem;
    --small: 0.9375rem;
    --body: 1rem;
    --large: 1.125rem;
    --title: 1.5rem;
    --s1: 0.25rem;
    --s2: 0.5rem;
    --s3: 0.75rem;
    --s4: 1rem;
    --s5: 1.5rem;
    --s6: 2rem;
    --s7: 2.5rem;
    --s8: 4rem;
    --round: 0.625rem;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --page: #101312;
      --card: #191d1b;
      --sunken: #212624;
      --ink: #eef1ef;
      --soft: #b6beb9;
      --line: #2e3431;
      --edge: #7c857f;
      --tile: #b9c0bc;
      --accent: #7fd1b3;
      --accent-over: #9be0c6;
      --on-accent: #08231a;
      --link: #7fd1b3;
      --serious: #272011;
      --serious-line: #5d4c22;
      --serious-ink: #f0d08f;
      --wrong: #2c1a17;
      --wrong-line: #6c372f;
      --wrong-ink: #ffb9ac;
      --lift: none;
    }
  }
`
