/**
 * Faults that keep a draft from being issued, from the page and from the server, each tied to the field that fixes
 * it. Pure: the page adds the texts.
 */
import type { OutputOf } from '../../../../server/api/contracts.ts'
import type { Cell, DraftForm, LineForm, StripCell } from './draft.ts'
import { isMarginScheme, isOneStopShop } from '../../../../server/domain/tax/totals.ts'
import { isSimplified } from '../../../../server/sales/invoices/kinds.ts'
import { isSalesAccount } from '../../../../server/sales/invoices/limits.ts'
import { FIGURE_CELLS, heldLines, isBlank, savableLines } from './draft.ts'
import { HEADER_ANCHORS, headerKey } from './header-form.ts'

export type ServerFault = OutputOf<'invoices.validate'>['issues'][number]

/** A field of the page: `client`, `dueDate`, `line:12:unitPrice`; empty if no field fixes the fault. */
export type Anchor = string

export interface DraftFault {
  severity: 'error' | 'warning'
  code: string
  anchor: Anchor
  /** Number of the line as shown, from 1; null for other faults. */
  line: number | null
  /** Text reported by the field's own control, if any. */
  words?: string
  /** Fault of the server; its code and params give the text. */
  server?: ServerFault
}

export const lineAnchor = (line: Pick<LineForm, 'key'>, cell: Cell | StripCell | 'more'): Anchor =>
  `line:${line.key}:${cell}`

/** Cells of a line by the API's names; other fields are in the strip of rare fields. */
const LINE_FIELDS: Record<string, Cell | StripCell> = {
  description: 'description',
  quantity: 'quantity',
  unitPrice: 'unitPrice',
  discountPct: 'discount',
  discountAmount: 'discountAmount',
  cost: 'cost',
  account: 'account',
  supply: 'supply',
  vatRate: 'vat',
  taxTreatment: 'vat',
  surcharge: 'vat',
  regimeKey: 'vat',
}

const FIELDS: Record<string, Anchor> = {
  clientName: 'client',
  clientId: 'client',
  clientNif: 'clientNif',
  'client.idType': 'clientIdType',
  'client.country': 'clientCountry',
  'client.address': 'clientStreet',
  'client.address.street': 'clientStreet',
  'client.address.postalCode': 'clientPostalCode',
  'client.address.city': 'clientCity',
  'client.address.province': 'clientProvince',
  'client.email': 'clientEmail',
  kind: 'kind',
  series: 'series',
  issueDate: 'issueDate',
  instalments: 'instalments',
  withholdingPct: 'withholding',
  priceMode: 'priceMode',
  discountPct: 'discountPct',
  discountAmount: 'discountAmount',
  currency: 'currency',
  fxRate: 'fxRate',
  fxDate: 'fxRate',
  property: 'property',
  'property.situation': 'property',
  'property.cadastralRef': 'cadastralRef',
  rectification: 'reason',
  'rectification.reason': 'reason',
  ...HEADER_ANCHORS,
}

/**
 * Returns the field of the page for a path of the server. Line numbers count the lines that were sent: without the
 * blank ones.
 */
export function anchorOf(path: string, form: DraftForm): { anchor: Anchor; line: number | null } {
  const instalment = /^instalments\[(\d+)\]\.(\w+)$/.exec(path)
  if (instalment) return { anchor: `instalment:${instalment[1]}:${instalment[2]}`, line: null }
  const match = /^lines\[(\d+)\](?:\.(\w+))?/.exec(path)
  if (match) {
    const line = savableLines(form)[Number(match[1])]
    if (!line) return { anchor: firstLineAnchor(form), line: null }
    return {
      anchor: lineAnchor(line, cellOf(match[2], line)),
      line: form.lines.indexOf(line) + 1,
    }
  }
  if (path === 'lines') return { anchor: firstLineAnchor(form), line: null }
  return { anchor: FIELDS[path] ?? '', line: null }
}

function cellOf(field: string | undefined, line: LineForm): Cell | StripCell | 'more' {
  if (field === undefined) return 'unitPrice'
  // The rate of another country is typed in the strip: the list of rates holds only Spanish ones.
  if (field === 'vatRate' && isOneStopShop(line)) return 'foreignRate'
  return LINE_FIELDS[field] ?? 'more'
}

function firstLineAnchor(form: DraftForm): Anchor {
  const first = form.lines[0]
  return first ? lineAnchor(first, 'description') : ''
}

/**
 * Returns the faults that the page finds itself. `dates` and `figures` are the unreadable ones of the document, by
 * anchor.
 */
export function localFaults(
  form: DraftForm,
  dates: Readonly<Record<Anchor, string>> = {},
  figures: Readonly<Record<Anchor, string>> = {},
): DraftFault[] {
  const faults: DraftFault[] = []
  const error = (code: string, anchor: Anchor, line: number | null = null, words?: string) =>
    faults.push({ severity: 'error', code, anchor, line, ...(words ? { words } : {}) })
  if (form.client.name.trim() === '' && !isSimplified(form.kind)) error('client_missing', 'client')
  for (const [anchor, words] of Object.entries(dates)) error('date_unread', anchor, null, words)
  for (const [anchor, words] of Object.entries(figures)) error('figure_unread', anchor, null, words)
  if (form.currency !== 'EUR' && form.fxMicro === null && figures.fxRate === undefined)
    error('fx_rate_missing', 'fxRate')
  for (const [index, line] of form.lines.entries()) {
    if (isBlank(line)) continue
    const number = index + 1
    if (line.description.trim() === '') error('description_missing', lineAnchor(line, 'description'), number)
    for (const cell of FIGURE_CELLS) {
      const words = line.unread[cell]
      if (words !== undefined) error(`${cell}_unread`, lineAnchor(line, cell), number, words)
    }
    if (line.quantityMicro === null && line.unread.quantity === undefined)
      error('quantity_missing', lineAnchor(line, 'quantity'), number)
    if (line.unitPriceMicro === null && line.unread.unitPrice === undefined)
      error('price_missing', lineAnchor(line, 'unitPrice'), number)
    if (isMarginScheme(line) && line.costCents === null && line.unread.cost === undefined)
      error('cost_missing', lineAnchor(line, 'cost'), number)
    if (line.account.trim() !== '' && !isSalesAccount(line.account.trim()))
      error('account_shape', lineAnchor(line, 'account'), number)
  }
  if (savableLines(form).length === 0 && heldLines(form).length === 0)
    error('lines_missing', firstLineAnchor(form))
  return faults
}

/** Returns the server's faults by field; a field that already has a fault of the page gets no second one. */
export function serverFaults(
  issues: readonly ServerFault[],
  form: DraftForm,
  local: readonly DraftFault[],
): DraftFault[] {
  const said = new Set(local.map((fault) => fault.anchor))
  return issues.flatMap((issue) => {
    const { anchor, line } = anchorOf(issue.field, form)
    if (anchor !== '' && issue.severity === 'error' && said.has(anchor)) return []
    return [{ severity: issue.severity, code: issue.code, anchor, line, server: issue }]
  })
}

/** Returns the content that a fault is about, as text: while it is unchanged, the fault still holds. */
export function aboutOf(fault: DraftFault, form: DraftForm): string {
  const match = /^line:(\d+):/.exec(fault.anchor)
  const line = match ? form.lines.find((each) => each.key === Number(match[1])) : undefined
  if (fault.server?.field === 'lines' || fault.anchor === '' || fault.anchor === 'kind')
    return JSON.stringify([form.lines.map((each) => ({ ...each, open: false })), form.kind, form.client.name])
  if (match) return line ? JSON.stringify({ ...line, open: false }) : 'gone'
  if (fault.anchor.startsWith('client')) return JSON.stringify([form.client, form.kind])
  return JSON.stringify([
    form.issueDate,
    form.series,
    form.withholdingBp,
    form.discountBp,
    form.discountCents,
    form.currency,
    form.fxMicro,
    form.fxDate,
    form.property,
    form.rectification,
    ...headerKey(form),
  ])
}
