/** Plots. The colours keep apart in every kind of colour vision together with their patterns. */
import { html as css } from "../../kernel/html.ts"

export const consolePlots = css`
  .plots {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr));
    gap: var(--s5);
  }
  .plot {
    min-width: 0;
    padding: var(--s4) var(--s5);
    border: 1px solid var(--line);
    border-radius: var(--round);
  }
  .plot:last-child:nth-child(odd) {
    grid-column: 1 / -1;
  }
  .plot figcaption {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0 var(--s4);
  }
  .plot figcaption .total {
    color: var(--soft);
    font-size: var(--small);
    font-variant-numeric: tabular-nums;
  }
  .axes {
    display: grid;
    grid-template-columns: 48px minmax(0, 1fr);
    margin-top: var(--s3);
    font-size: 12px;
    font-variant-numeric: tabular-nums;
  }
  .plot .area {
    width: 100%;
    overflow: visible;
  }
  .plot text {
    fill: var(--soft);
  }
  .plot .grid {
    stroke: var(--line);
  }
  .plot .zero {
    stroke: var(--edge);
  }
  .plot .line {
    fill: none;
    stroke: var(--plot-1);
    stroke-width: 2;
    stroke-linejoin: round;
    vector-effect: non-scaling-stroke;
  }
  .plot .under {
    fill: var(--plot-1);
    fill-opacity: 0.14;
  }
  .legend-list {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s1) var(--s4);
    margin-top: var(--s3);
    font-size: var(--tiny);
  }
  .legend-list li {
    display: flex;
    align-items: center;
    gap: var(--s2);
  }
  .legend-list .amount {
    color: var(--soft);
    font-variant-numeric: tabular-nums;
  }
  .plot .nothing {
    display: grid;
    min-height: 12.5rem;
    place-items: center;
    color: var(--soft);
    font-size: var(--small);
    text-align: center;
  }
  .c1 {
    fill: var(--plot-1);
  }
  .c2 {
    fill: var(--plot-2);
  }
  .c3 {
    fill: var(--plot-3);
  }
  .c4 {
    fill: var(--plot-4);
  }
  .c5 {
    fill: var(--plot-5);
  }
  .c6 {
    fill: var(--plot-6);
  }
  .over {
    fill: none;
    stroke: var(--card);
  }
  .over-dot {
    fill: var(--card);
  }
  :root {
    --plot-1: #155e4c;
    --plot-2: #b8590b;
    --plot-3: #3570b3;
    --plot-4: #8c3f86;
    --plot-5: #6a6f1c;
    --plot-6: #757d78;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --plot-1: #7fd1b3;
      --plot-2: #f0a35b;
      --plot-3: #83b4ee;
      --plot-4: #dd9ad6;
      --plot-5: #cbd069;
      --plot-6: #98a19b;
    }
  }
  @media (max-width: 36rem) {
    .plot {
      padding: var(--s4) 0 var(--s5);
      border: 0;
      border-bottom: 1px solid var(--line);
      border-radius: 0;
    }
    .plots {
      gap: var(--s2);
    }
  }
  @media (forced-colors: active) {
    .plot svg {
      forced-color-adjust: none;
    }
  }
  @media print {
    .plot {
      break-inside: avoid;
    }
  }
`
