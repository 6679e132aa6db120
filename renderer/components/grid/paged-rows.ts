/** Rows held page by page, as a long list has them. Pure. */

type Pages<Row> = ReadonlyMap<number, readonly Row[]>

/**
 * The pages without some rows, those below moved up as far as the pages follow one another; what lies beyond a gap is not
 * known in its new place, so it is forgotten and asked for again. `missing` counts the rows that went.
 */
export function withoutRows<Row>(
  pages: Pages<Row>,
  size: number,
  isGone: (row: Row) => boolean,
): { next: Map<number, readonly Row[]>; forgotten: number[]; missing: number } {
  const next = new Map<number, readonly Row[]>()
  const forgotten: number[] = []
  let missing = 0
  let run: { first: number; rows: Row[] } | null = null
  let last = -2
  for (const page of [...pages.keys()].toSorted((a, b) => a - b)) {
    const rows = pages.get(page) ?? []
    const kept = rows.filter((row) => !isGone(row))
    missing += rows.length - kept.length
    // Before the first row that went, pages stay where they are; after a gap behind it, none does.
    if (last !== page - 1 && missing > rows.length - kept.length) forgotten.push(page)
    else if (run && last === page - 1) run.rows.push(...kept)
    else {
      if (run) cut(next, run, size)
      run = { first: page, rows: kept }
    }
    if (!forgotten.includes(page)) last = page
  }
  if (run) cut(next, run, size)
  return { next, forgotten, missing }
}

function cut<Row>(
  into: Map<number, readonly Row[]>,
  run: { first: number; rows: readonly Row[] },
  size: number,
): void {
  if (run.rows.length === 0) into.set(run.first, [])
  for (let at = 0; at < run.rows.length; at += size)
    into.set(run.first + at / size, run.rows.slice(at, at + size))
}
