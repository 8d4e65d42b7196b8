/**
 * The card that every page is, and its brand.
 *
 * Icons stand on a light tile, for which most are drawn: on a dark card a black one could not be seen. The tile is not
 * white, so that what a picture leaves free above and below, or at its sides, reads as the tile.
 */
import { html as css } from "../../kernel/html.ts"

export const frame = css`
  .brand {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: var(--s2);
    margin-bottom: var(--s5);
    font-weight: 600;
    letter-spacing: -0.01em;
  }
  .mark {
    color: var(--accent);
  }
  .card {
    width: 100%;
    max-width: 27rem;
    margin: 0 auto;
    padding: var(--s7);
    border: 1px solid var(--line);
    border-radius: 1rem;
    background: var(--card);
    box-shadow: var(--lift);
  }
  .card.wide {
    max-width: 35rem;
  }
  .card > * + * {
    margin-top: var(--s5);
  }
  .card > h1 + .lead {
    margin-top: var(--s3);
  }
  .lead,
  .note,
  .hint {
    color: var(--soft);
  }
  .note,
  .hint {
    font-size: var(--small);
  }
  .tile {
    display: block;
    flex: none;
    width: 4rem;
    height: 4rem;
    border-radius: 1rem;
  }
  img.tile,
  .tile img {
    outline: 1px solid var(--line);
    outline-offset: -1px;
    background: var(--tile);
  }
  .tile.layered {
    position: relative;
    overflow: hidden;
  }
  .tile.layered > svg,
  .tile.layered > span {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    border-radius: inherit;
    line-height: 0;
  }
  .tile img {
    max-width: 100%;
    border-radius: inherit;
    vertical-align: top;
  }
  .tile + h1 {
    margin-top: var(--s4);
  }
  h1:has(.name) {
    font-weight: 400;
  }
  .name {
    font-weight: 700;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`
