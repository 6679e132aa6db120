/**
 * Reads a table in two passes. The first finds which rows belong together, so that the second can hand over each
 * document as soon as its last row is read: only documents whose rows stand apart are kept in memory.
 */
import type { FileRow } from '../../../platform/spreadsheets/cells.ts'
import type { SkipReason } from './codes.ts'

/** Consecutive rows with the same key. */
export interface Run<Info> {
  key: string
  info: Info
  rows: number
}

/** To which document the rows of a run belong, and as which part of it. */
export interface RunLink {
  document: number
  /** `replaced`: what the document takes back. */
  role: 'own' | 'replaced'
}

/** The rows of a run, with what the first pass found about it. */
export interface Part<Info> {
  role: RunLink['role']
  run: Run<Info>
  rows: FileRow[]
}

export interface Grouping<Info> {
  /** Returns what identifies the document of a row, or why it is none. */
  identify: (row: FileRow) => { key: string; info: Info } | SkipReason
  /** Returns false if a row begins a new run although its key is that of the run; default true. */
  continues?: (run: Run<Info>, info: Info) => boolean
  /** Decides which runs form a document; by default those with the same key. */
  link?: (runs: readonly Run<Info>[]) => RunLink[]
}

export interface Plan<Info> {
  runs: readonly Run<Info>[]
  links: readonly RunLink[]
  /** Runs of each document. */
  parts: readonly number[]
  rows: number
}

/** Joins the runs with the same key. */
function linkByKey<Info>(runs: readonly Run<Info>[]): RunLink[] {
  const documents = new Map<string, number>()
  return runs.map(({ key }) => {
    const document = documents.get(key) ?? documents.size
    documents.set(key, document)
    return { document, role: 'own' }
  })
}

/** The first pass. `seen` receives every row, to learn the notation of the file. */
export async function planDocuments<Info>(
  portions: AsyncIterable<FileRow[]>,
  grouping: Grouping<Info>,
  seen: (row: FileRow) => void,
): Promise<Plan<Info>> {
  const runs: Run<Info>[] = []
  let rows = 0
  for await (const portion of portions)
    for (const row of portion) {
      rows += 1
      const identified = grouping.identify(row)
      if (typeof identified === 'string') continue
      seen(row)
      const { key, info } = identified
      const last = runs.at(-1)
      if (last && last.key === key && (grouping.continues?.(last, info) ?? true)) last.rows += 1
      else runs.push({ key, info, rows: 1 })
    }
  const links = grouping.link?.(runs) ?? linkByKey(runs)
  const parts: number[] = []
  for (const { document } of links) parts[document] = (parts[document] ?? 0) + 1
  return { runs, links, parts, rows }
}

interface Reader<Info> {
  document: (parts: Part<Info>[]) => void
  skip: (row: FileRow, reason: SkipReason) => void
  /** Called after each portion of rows. */
  portion: (rowsRead: number) => Promise<void>
}

/** The second pass: calls `document` once for each, when its last row has been read. */
export async function readDocuments<Info>(
  portions: AsyncIterable<FileRow[]>,
  grouping: Grouping<Info>,
  plan: Plan<Info>,
  reader: Reader<Info>,
): Promise<void> {
  const open = new Map<number, Part<Info>[]>()
  let index = -1
  let left = 0
  let rowsRead = 0
  for await (const portion of portions) {
    for (const row of portion) {
      rowsRead += 1
      const identified = grouping.identify(row)
      if (typeof identified === 'string') {
        reader.skip(row, identified)
        continue
      }
      if (left === 0) {
        index += 1
        left = plan.runs[index]?.rows ?? 0
      }
      const run = plan.runs[index]
      const link = plan.links[index]
      if (!run || !link) throw new Error('The file has changed between its two readings.')
      const parts = open.get(link.document) ?? []
      open.set(link.document, parts)
      if (left === run.rows) parts.push({ role: link.role, run, rows: [] })
      parts.at(-1)?.rows.push(row)
      left -= 1
      if (left > 0 || parts.length < (plan.parts[link.document] ?? 0)) continue
      open.delete(link.document)
      reader.document(parts)
    }
    await reader.portion(rowsRead)
  }
}
