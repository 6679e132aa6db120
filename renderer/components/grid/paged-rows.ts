/** Rows of a long list, held by page. Pure. */

type Pages<Row> = ReadonlyMap<number, readonly Row[]>

/**
 * Returns the pages without some rows. Those below move up as far as the pages are contiguous; pages beyond a gap
 * would have an unknown position, so they are dropped and loaded again. `missing` counts the removed rows.
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
    // Pages before the first removed row stay where they are; none does after a gap behind it.
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
