/**
 * Applies what is remembered of a supplier to what was read of a document. It ranks and repairs what the reader found, and
 * never changes what arithmetic, a code or structured data prove. Pure.
 */
import { addDays, daysBetween } from '../../domain/dates.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import type { Proposal } from '../intake/contract.ts'
import { warning } from '../fault.ts'
import { placedBy } from './places.ts'
import type { Placed } from './places.ts'
import { layoutFor, PLACED_FIELDS, SURE_AFTER } from './shape.ts'
import type { FieldRule, KnownLayout, PlacedField, SupplierMemory, UsualField } from './shape.ts'

type Level = Proposal['levels'][string]

const isSure = (level: Level | undefined): boolean => level === 'proven' || level === 'known'

/** Sets a value with its level; what stood there becomes an alternative. */
function put<Name extends keyof Proposal>(
  proposal: Proposal,
  name: Name,
  value: NonNullable<Proposal[Name]>,
  level: Level,
): void {
  const before = proposal[name]
  Object.assign(proposal, { [name]: value })
  proposal.levels[name] = level
  proposal.confidence[name] = level === 'known' ? 'medium' : 'low'
  if (before === undefined || before === value || typeof before === 'object') return
  if (typeof before !== 'string' && typeof before !== 'number') return
  const others = (proposal.alternatives[name] ?? []).filter((other) => other !== value && other !== before)
  proposal.alternatives[name] = [before, ...others]
}

/** Returns the rule of a field that places exactly one value; the rule that was right most often first. */
function placedFor(
  layout: KnownLayout,
  field: PlacedField,
  labelled: NonNullable<Proposal['layout']>['labelled'],
): { rule: FieldRule; placed: Placed } | null {
  const rules = layout.rules
    .filter((rule) => rule.field === field)
    .toSorted((a, b) => b.streak - a.streak || b.hits - b.misses - (a.hits - a.misses))
  for (const rule of rules) {
    const found = placedBy(rule, labelled)
    const [placed] = found
    // Two values at one label leave it open which one is meant.
    if (placed && found.length === 1) return { rule, placed }
  }
  return null
}

/** Days between which a due date may lie after the day of issue. */
const MOST_TERM = 400

function isPlausible(proposal: Proposal, field: PlacedField, value: string): boolean {
  if (field === 'supplierNumber') return true
  const { issueDate, dueDate } = proposal
  if (field === 'dueDate')
    return issueDate === undefined || (value >= issueDate && daysBetween(issueDate, value) <= MOST_TERM)
  return dueDate === undefined || !isSure(proposal.levels['dueDate']) || value <= dueDate
}

function applyPlaces(proposal: Proposal, layout: KnownLayout): void {
  const { labelled } = proposal.layout!
  for (const field of PLACED_FIELDS) {
    const level = proposal.levels[field]
    if (level === 'proven') continue
    const found = placedFor(layout, field, labelled)
    if (!found || !isPlausible(proposal, field, found.placed.value)) continue
    const { rule, placed } = found
    const before = proposal[field]
    // What the reader found at another label, as exact text, contradicts the rule: shown, and not sure.
    const isContradicted = before !== undefined && before !== placed.value && level === 'read'
    const isKnown = rule.streak >= SURE_AFTER && placed.isCertain && !isContradicted
    // A value that is right at its label and has not been confirmed often enough stays as the reader had it.
    if (!isKnown && before === placed.value) continue
    put(
      proposal,
      field,
      placed.value,
      isKnown ? 'known' : placed.isCertain && before === undefined ? 'read' : 'guess',
    )
    proposal.evidence[field] = [
      {
        page: placed.at.page,
        box: placed.at.box,
        reason: 'known_layout',
        args: { label: rule.label, documents: String(rule.streak) },
      },
    ]
  }
}

/** Raises fields that are as in the confirmed documents of the supplier, in the layout that they have. */
function raiseKnown(proposal: Proposal, memory: SupplierMemory, layout: KnownLayout): void {
  if (layout.documents < SURE_AFTER) return
  // The number is one of the paper, and the paper looks as this supplier's does.
  if (proposal.supplierNif !== undefined && proposal.levels['supplierNif'] === 'read')
    proposal.levels['supplierNif'] = 'known'
  for (const field of ['kind', 'currency', 'supplierName', 'paymentMethod'] as const) {
    const usual = memory.usual[field]
    const value = proposal[field]
    if (usual && usual.streak >= SURE_AFTER && usual.value === value && !isSure(proposal.levels[field]))
      proposal.levels[field] = 'known'
  }
}

const levelOf = (streak: number): Level => (streak >= SURE_AFTER ? 'known' : 'guess')

/** Fills what the paper does not say, or says less well than a person did before. */
function applyUsual(proposal: Proposal, { usual }: SupplierMemory): void {
  const { supplierName, concept, account, deductiblePct, paymentMethod, termDays } = usual
  if (supplierName && supplierName.streak > 0 && !isSure(proposal.levels['supplierName'])) {
    // As certain as the tax number by which it was found.
    const level = proposal.levels['supplierNif'] ?? 'guess'
    put(proposal, 'supplierName', supplierName.value, level === 'proven' ? 'known' : level)
  }
  if (concept && concept.streak > 0) put(proposal, 'concept', concept.value, levelOf(concept.streak))
  if (account && account.streak > 0) put(proposal, 'account', account.value, levelOf(account.streak))
  if (paymentMethod && paymentMethod.streak > 0 && !isSure(proposal.levels['paymentMethod'])) {
    const isUnread = proposal.paymentMethod === undefined || proposal.levels['paymentMethod'] === 'guess'
    if (isUnread)
      put(
        proposal,
        'paymentMethod',
        paymentMethod.value as NonNullable<Proposal['paymentMethod']>,
        levelOf(paymentMethod.streak),
      )
  }
  if (deductiblePct && deductiblePct.streak > 0 && proposal.taxLines.length > 0) {
    const share = Number(deductiblePct.value)
    proposal.taxLines = proposal.taxLines.map((line) => ({
      ...line,
      deductiblePct: line.deductiblePct ?? share,
    }))
    proposal.levels['deductiblePct'] = levelOf(deductiblePct.streak)
  }
  if (termDays && termDays.streak > 0) applyTerm(proposal, termDays.value, levelOf(termDays.streak))
}

/** Computes a due date that the paper does not print from the usual term; sure only if the paper has no later day. */
function applyTerm(proposal: Proposal, days: string, level: Level): void {
  const { issueDate } = proposal
  if (issueDate === undefined || proposal.dueDate !== undefined) return
  const hasLaterDay = proposal.layout?.labelled.some(
    ({ kind, value }) => kind === 'date' && value > issueDate,
  )
  const isSureOfIssue = isSure(proposal.levels['issueDate'])
  put(proposal, 'dueDate', addDays(issueDate, Number(days)), !hasLaterDay && isSureOfIssue ? level : 'guess')
  proposal.evidence['dueDate'] = []
}

/** Warns of what differs from the confirmed documents of a supplier. */
function differences(proposal: Proposal, memory: SupplierMemory, ibans: readonly string[]): Fault[] {
  const faults: Fault[] = []
  const { iban, issueDate, dueDate } = proposal
  const known = [...memory.ibans.map((each) => each.iban), ...ibans]
  if (iban !== undefined && known.length > 0 && !known.includes(iban)) {
    if (proposal.levels['iban'] !== undefined) proposal.levels['iban'] = 'guess'
    faults.push(
      warning(
        'iban_new',
        'iban',
        'The supplier asks for payment to an account that it never used before.',
        'Call the supplier on a number that you know before you pay: a changed account is the commonest invoice fraud.',
        { iban, known: known[0] ?? '' },
      ),
    )
  }
  const usualFor = (field: UsualField): string | null => {
    const usual = memory.usual[field]
    return usual && usual.streak >= SURE_AFTER ? usual.value : null
  }
  const term = usualFor('termDays')
  if (term !== null && issueDate !== undefined && dueDate !== undefined) {
    const days = daysBetween(issueDate, dueDate)
    // A month is 28 to 31 days.
    if (Math.abs(days - Number(term)) > 3)
      faults.push(
        warning(
          'terms_changed',
          'dueDate',
          'The days to pay are not those of the earlier documents of this supplier.',
          'Check the due date, and what was agreed.',
          { days, usual: Number(term) },
        ),
      )
  }
  const withheld = usualFor('withholding')
  const rate = String(proposal.withholding?.rate ?? 0)
  if (withheld !== null && withheld !== rate && proposal.taxLines.length > 0)
    faults.push(
      warning(
        'withholding_changed',
        'withholding',
        'The withholding is not that of the earlier documents of this supplier.',
        'Check it against the document.',
        { rate: Number(rate), usual: Number(withheld) },
      ),
    )
  return faults
}

/** Returns a proposal with what is remembered of its supplier, and what to look at. `ibans`: those of the contact. */
export function withMemory(
  read: Proposal,
  memory: SupplierMemory,
  ibans: readonly string[] = [],
): { proposal: Proposal; warnings: Fault[] } {
  const proposal = structuredClone(read)
  const isStructured = ['facturae', 'ubl', 'cii', 'facturx'].includes(proposal.source)
  const layout = proposal.layout ? layoutFor(memory, proposal.layout.print) : null
  if (layout && !isStructured) {
    applyPlaces(proposal, layout)
    raiseKnown(proposal, memory, layout)
  }
  const warnings = differences(proposal, memory, ibans)
  applyUsual(proposal, memory)
  return { proposal, warnings }
}
