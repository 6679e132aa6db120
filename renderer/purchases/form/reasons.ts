/** Why the reader of documents took a value, as the parts of a sentence. Pure. */
import type { Proposal } from '../form.ts'

type Evidence = Proposal['evidence'][string][number]

/** Key of a text below `fieldRead.reason`, and what fills it. Amounts and percents are numbers, to be formatted. */
export interface Reason {
  code: string
  args: Record<string, string | number>
}

/** Arguments that are amounts in euros, with two decimals. */
export const AMOUNTS: readonly string[] = ['base', 'tax', 'total']

const STRUCTURED: readonly string[] = ['facturae', 'ubl', 'cii', 'facturx']

/** Reasons whose sentence names a label or words, and have another one without them. */
const NAMING: Readonly<Record<string, string>> = {
  sums_close: 'label',
  parts_sum: 'label',
  label: 'label',
  heading: 'label',
  known_layout: 'label',
  words: 'text',
  title: 'title',
}

function reasonOf({ reason, args }: Evidence): Reason {
  const filled = Object.fromEntries(
    Object.entries(args).map(([name, text]) => [
      name,
      AMOUNTS.includes(name) || name === 'rate' ? Number(text) : text.trim(),
    ]),
  )
  const named = NAMING[reason]
  // Words of a category are a list.
  const text = filled['text'] ?? filled['words']
  const all = text === undefined ? filled : { ...filled, text }
  const isNamed = named === undefined || (all[named] !== undefined && all[named] !== '')
  return { code: isNamed ? reason : `${reason}_bare`, args: all }
}

/** Returns the reasons of a field, each once; of a value without a place on the page, where else it comes from. */
export function reasonsOf(proposal: Proposal, field: string): Reason[] {
  const level = proposal.levels[field]
  const evidence = proposal.evidence[field] ?? []
  const seen = new Map<string, Reason>()
  for (const each of evidence) {
    const reason = reasonOf(each)
    const key = JSON.stringify(reason)
    if (!seen.has(key)) seen.set(key, reason)
  }
  if (seen.size > 0) return [...seen.values()]
  if (level === 'known') return [{ code: 'memory', args: {} }]
  if (level !== 'proven') return []
  if (STRUCTURED.includes(proposal.source)) return [{ code: 'structured', args: {} }]
  if (field === 'supplierName' && proposal.supplierId !== undefined) return [{ code: 'contact', args: {} }]
  return proposal.source === 'qr' ? [{ code: 'qr', args: {} }] : []
}
