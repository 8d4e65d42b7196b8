/** Lists are tables on wide screens and cards on phones. The query string contains filters and paging. */
import { type Html, html, type Insertable } from "../../../kernel/html.ts"

export type Column<Row> = {
  readonly label: string
  readonly cell: (row: Row) => Insertable
  /** `first` marks the column that names the row. */
  readonly look?: "first"
}

type Table<Row> = {
  /** The description of the table for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** This text replaces the table if there are no rows. */
  readonly empty: Insertable
}

/** Renders a list. Roles are explicit, because browsers remove table roles from elements that look like cards. */
export function table<Row>({ caption, columns, rows, empty }: Table<Row>): Html {
  if (rows.length === 0) return html`<div class="empty"><p>${empty}</p></div>`
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0">
    <table role="table" class="list">
      <caption class="unseen">
        ${caption}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map(({ label }) => html`<th role="columnheader" scope="col">${label}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (row) =>
            html`<tr role="row">
              ${columns.map((column) => drawn(column, row))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Renders one cell. A card does not show empty cells. */
function drawn<Row>({ label, cell, look }: Column<Row>, row: Row): Html {
  const value = cell(row)
  const content = html`<span class="label" aria-hidden="true">${label}</span
    ><span class="value">${value ?? "–"}</span>`
  if (look === "first") return html`<th role="rowheader" scope="row" class="first">${content}</th>`
  return html`<td role="cell" ${value === null && html`class="none"`}>${content}</td>`
}

type Query = Readonly<Record<string, string | undefined>>

/** Returns the path, with every parameter that is not empty in its query. */
export function addressOf(path: string, query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") parameters.set(name, value)
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`
}

export type Paging = {
  /** The cursor of the next page. The value is null on the last page. */
  readonly next: string | null
  readonly isFirst: boolean
}

/** Renders links to the next and to the first page. `query` contains the filters. */
export function pager(path: string, query: Query, { next, isFirst }: Paging, older = "Older"): Html | false {
  if (next === null && isFirst) return false
  return html`<nav class="pager" aria-label="Pages">
    ${!isFirst && html`<a class="button" href="${addressOf(path, query)}">Back to the start</a>`}
    ${next !== null && html`<a class="button next-page" rel="next" href="${addressOf(path, { ...query, after: next })}">${older}</a>`}
  </nav>`
}

type Choice = { readonly value: string; readonly label: string }

/** Renders a filter with few values as links. */
export function tabs(
  label: string,
  path: string,
  query: Query,
  name: string,
  choices: readonly Choice[],
): Html {
  const chosen = query[name] ?? ""
  return html`<nav class="tabs" aria-label="${label}">
    <ul>
      ${choices.map(
        ({ value, label: text }) =>
          html`<li>
            <a
              href="${addressOf(path, { ...query, [name]: value })}"
              ${value === chosen && html`aria-current="true"`}
              >${text}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`
}

/** Renders the filters as a GET form. On a phone, the form is collapsed unless a filter is set. */
export function filterForm(path: string, isSet: boolean, fields: Insertable): Html {
  return html`<details class="fold" ${isSet && html`open`}>
    <summary>Filter</summary>
    <form class="filters" method="get" action="${path}">
      ${fields}
      <button class="quiet">Show</button>
    </form>
  </details>`
}

/** Renders the text for a list whose filters match no row. */
export function noMatch(path: string, thing: string): Html {
  return html`No ${thing} matches. <a href="${path}">Show all</a>`
}

type FilterField = {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly type?: "search" | "text" | "date"
  readonly problem?: string | null
}

export function filterField({ name, label, value = "", type = "text", problem = null }: FilterField): Html {
  return html`<div class="field">
    <label for="filter-${name}">${label}</label>
    <input
      id="filter-${name}"
      name="${name}"
      type="${type}"
      autocomplete="off"
      value="${value}"
      ${problem !== null && html`aria-invalid="true" aria-describedby="filter-${name}-problem"`}
    />
    ${problem !== null && html`<p class="problem" id="filter-${name}-problem">${problem}</p>`}
  </div>`
}

export function filterSelect(name: string, label: string, value: string, choices: readonly Choice[]): Html {
  return html`<div class="field">
    <label for="filter-${name}">${label}</label>
    <select id="filter-${name}" name="${name}">
      ${choices.map(
        (choice) =>
          html`<option value="${choice.value}" ${choice.value === value && html`selected`}>
            ${choice.label}
          </option>`,
      )}
    </select>
  </div>`
}

/** Renders the link from a short list to the complete list. */
export function wholeList(
  basePath: string,
  path: string,
  query: Readonly<Record<string, string>>,
  label: string,
): Html {
  return html`<p class="ways"><a href="${addressOf(basePath + path, query)}">${label}</a></p>`
}
