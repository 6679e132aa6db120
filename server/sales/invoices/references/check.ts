/**
 * Checks the invoices that an invoice rectifies or replaces, when it is examined and again in the transaction of its
 * issue.
 */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { documentTotals } from '../content.ts'
import { isRectifying, keepsClaim } from '../kinds.ts'
import type { DraftContent, InvoiceReferenceFacts } from '../content.ts'
import { rectificationKind, termWarnings } from '../correct/rectify-causes.ts'
import { familyOf, activeReferrers, isInForce, NamedInvoices } from './references.ts'
import {
  addStanding,
  grossCents,
  membersOf,
  NOTHING,
  ownStanding,
  replacement,
  sameTax,
  standingOfFamily,
} from './standing.ts'
import type { Family, Standing } from './standing.ts'
import { findByNumber } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'

type FaultDetails = Pick<Fault, 'code' | 'field' | 'message' | 'fix'> & Partial<Fault>
const error = (fault: FaultDetails): Fault => ({ severity: 'error', ...fault })
const warning = (fault: FaultDetails): Fault => ({ severity: 'warning', ...fault })

/** Named invoice of this book. */
interface Target {
  field: string
  row: InvoiceRow
  content: DraftContent
}

async function targetsOf(
  named: NamedInvoices,
  references: readonly InvoiceReferenceFacts[],
  role: InvoiceReferenceFacts['role'],
): Promise<Target[]> {
  const targets: Target[] = []
  let index = -1
  for (const reference of references) {
    if (reference.role !== role) continue
    index += 1
    if (reference.targetId === null) continue
    const row = await named.row(reference.targetId)
    if (row) targets.push({ field: `${role}[${index}]`, row, content: await named.contentOf(row) })
  }
  return targets
}

/**
 * Returns all faults of the invoices that a draft names. `rowId` is the draft's own row, which counts in no sum; null
 * before it has one.
 */
export async function referenceFaults(
  ctx: Ctx,
  content: DraftContent,
  issueDate: BusinessDate,
  rowId: number | null,
  named = new NamedInvoices(ctx),
): Promise<Fault[]> {
  if (isRectifying(content.kind)) return rectifyingFaults(ctx, content, issueDate, rowId, named)
  if (content.kind === 'F3') return substituteFaults(ctx, content, issueDate, rowId, named)
  return []
}

// ---- Rectifying. ----

async function rectifyingFaults(
  ctx: Ctx,
  content: DraftContent,
  issueDate: BusinessDate,
  rowId: number | null,
  named: NamedInvoices,
): Promise<Fault[]> {
  const targets = await targetsOf(named, content.references, 'rectifies')
  const cause = content.rectification?.cause ?? null
  const faults = [
    ...namedFaults(content),
    ...methodFaults(content),
    ...dateFaults(content, issueDate),
    ...(await elsewhereFaults(ctx, content, rowId)),
    ...rectifiedAmountFaults(content, targets),
  ]
  for (const target of targets) faults.push(...kindFaults(content, target), ...partyFaults(content, target))
  const families: Family[] = []
  for (const { field, row } of targets) {
    if (row.cancelled_at !== null) {
      faults.push(notInForce(field, row.number ?? ''))
      continue
    }
    const family = await familyOf(ctx, row.id, rowId, named)
    const replaced = replacement(family)
    if (replaced) faults.push(rectifiedReplaced(field, row.number ?? '', replaced.number))
    else families.push(family)
    if (content.rectification?.method === 'S') faults.push(...coverFaults(content, family, field))
    const [substitute] = (await named.referringTo(row.id, 'substitutes')).filter(isInForce)
    if (substitute)
      faults.push(
        error({
          code: 'rectified_substituted',
          field,
          message: `The ticket ${row.number ?? ''} has the invoice ${substitute.number ?? ''} in its place.`,
          fix: `Rectify ${substitute.number ?? ''} instead.`,
          params: { number: row.number ?? '', by: substitute.number ?? '' },
        }),
      )
  }
  if (content.rectification?.method === 'I')
    faults.push(...(await excessFaults(ctx, content, families, targets.length, rowId, named)))
  const [first] = targets
  faults.push(
    ...termWarnings({
      cause,
      issueDate,
      accrualDate:
        targets.map(({ row }) => row.operation_date ?? row.issue_date ?? issueDate).sort()[0] ??
        content.references.map((reference) => reference.issueDate).sort()[0] ??
        null,
      baseCents: first ? first.row.base_cents : null,
    }),
  )
  return faults
}

/** Checks the sums of the originals that a substitution registers, against the invoices of this book. */
function rectifiedAmountFaults({ rectification, references }: DraftContent, targets: Target[]): Fault[] {
  const said = rectification?.rectified
  const named = references.filter(({ role }) => role === 'rectifies').length
  if (!said || targets.length === 0 || targets.length < named) return []
  const sum = (pick: (row: InvoiceRow) => number) => targets.reduce((total, { row }) => total + pick(row), 0)
  const base = sum((row) => row.base_cents)
  const surcharge = sum((row) => row.surcharge_cents)
  const tax = sum((row) => row.tax_cents) - surcharge
  const differs = said.baseCents !== base || said.taxCents !== tax || (said.surchargeCents ?? 0) !== surcharge
  if (!differs) return []
  return [
    error({
      code: 'rectified_amounts_differ',
      field: 'rectification.base',
      message: `The invoices it rectifies said ${eurosFromCents(base)} and ${eurosFromCents(tax)} of VAT.`,
      fix: 'Leave base, tax and surcharge out of rectification: they are taken from the invoices.',
      params: { amount: eurosFromCents(base) },
    }),
  ]
}

/** Checks that a substitution also names the earlier corrections, because it states the whole again. */
function coverFaults({ references }: DraftContent, family: Family, field: string): Fault[] {
  const missing = family.children.filter(
    (child) => !references.some(({ role, targetId }) => role === 'rectifies' && targetId === child.id),
  )
  return missing.map((child) =>
    error({
      code: 'substitution_incomplete',
      field,
      message: `${family.number} was corrected by ${child.number}, which the substitution has to name too.`,
      fix: `Add ${child.number} to what it rectifies, or make the draft again.`,
      params: { number: family.number, by: child.number },
    }),
  )
}

/**
 * Checks that a rectifying invoice names its originals and its reason (RD 1619/2012 art. 15.5); a volume discount may
 * name its period only.
 */
function namedFaults({ references, rectification }: DraftContent): Fault[] {
  const faults: Fault[] = []
  const cause = rectification?.cause ?? null
  if (references.length === 0 && cause !== 'period_discount')
    faults.push(
      error({
        code: 'rectified_missing',
        field: 'rectifies',
        message: 'A rectifying invoice names the invoice it rectifies.',
        fix: 'Give rectifies; for a volume discount give the cause period_discount and the period as reason.',
      }),
    )
  if (rectification?.reason) return faults
  if (references.length === 0 && cause === 'period_discount')
    faults.push(
      error({
        code: 'rectified_period_missing',
        field: 'rectification.reason',
        message: 'A discount without a list of invoices says for which period it is.',
        fix: 'Write the period as the reason, such as "Rappel of the first half of 2026".',
      }),
    )
  else if (cause === null)
    faults.push(
      error({
        code: 'rectification_reason_missing',
        field: 'rectification.reason',
        message: 'A rectifying invoice says why.',
        fix: 'Choose a cause or write the reason.',
      }),
    )
  return faults
}

/** Rejects a substitution that would reverse the price too: the customer still owes it, and it stays income. */
function methodFaults({ kind, rectification }: DraftContent): Fault[] {
  if (!keepsClaim(kind) || rectification?.method !== 'S') return []
  return [
    error({
      code: 'method_not_for_cause',
      field: 'rectification.method',
      message: `${kind} takes back VAT alone: what the customer owes does not change, so there is no new whole to state.`,
      fix: 'Use method I.',
    }),
  ]
}

function dateFaults({ references }: DraftContent, issueDate: BusinessDate): Fault[] {
  const last = references
    .map((reference) => reference.issueDate)
    .sort()
    .at(-1)
  if (last === undefined || issueDate >= last) return []
  return [
    error({
      code: 'rectification_before_original',
      field: 'issueDate',
      message: `It cannot be dated before the invoice it corrects, of ${last}.`,
      fix: `Use ${last} or later.`,
      params: { date: last },
    }),
  ]
}

function substitutedAlready(field: string, number: string, by: string): Fault {
  return error({
    code: 'substituted_already',
    field,
    message: `${number} has the invoice ${by} in its place already.`,
    fix: 'Leave it out.',
    params: { number, by },
  })
}

/** Warns that the amount is unknown, so that nothing is reversed, unlike for a ticket of this book. */
function substitutedElsewhere(field: string, number: string): Fault {
  return warning({
    code: 'substituted_elsewhere',
    field,
    message: `The sale of ${number} was declared with the program that made it, and counts here once more.`,
    fix: 'Leave the ticket out of what you declare from there, or take the sale off in the return.',
    params: { number },
  })
}

function rectifiedReplaced(field: string, number: string, by: string): Fault {
  return error({
    code: 'rectified_replaced',
    field,
    message: `${number} was replaced by ${by}.`,
    fix: `Rectify ${by} instead.`,
    params: { number, by },
  })
}

/**
 * Compares the named invoices of another program with these books: which were rectified here before, and whose number
 * equals one of this book. Their amounts are unknown, so a second credit is only a warning.
 */
async function elsewhereFaults(ctx: Ctx, content: DraftContent, rowId: number | null): Promise<Fault[]> {
  const faults: Fault[] = []
  const indexes = { rectifies: -1, substitutes: -1 }
  for (const reference of content.references) {
    indexes[reference.role] += 1
    if (reference.targetId !== null) continue
    const field = `${reference.role}[${indexes[reference.role]}]`
    const { number } = reference
    const [own] = await findByNumber(ctx, number)
    if (own !== undefined)
      faults.push(
        warning({
          code: 'reference_number_known',
          field,
          message: `${number} is a number of this book too, with another date.`,
          fix: 'Give its id if that one is meant.',
          params: { number },
        }),
      )
    const before = await activeReferrers(ctx, reference, rowId)
    const replacedBy = before.findLast((one) => one.rectification_method === 'S')
    if (reference.role === 'substitutes') {
      faults.push(
        before[0]
          ? substitutedAlready(field, number, before[0].number ?? '')
          : substitutedElsewhere(field, number),
      )
    } else if (replacedBy) faults.push(rectifiedReplaced(field, number, replacedBy.number ?? ''))
    else if (before.length > 0) faults.push(rectifiedBefore(field, number, before))
  }
  return faults
}

function rectifiedBefore(
  field: string,
  number: string,
  before: Awaited<ReturnType<typeof activeReferrers>>,
): Fault {
  const by = before.map((one) => one.number ?? '').join(', ')
  const amount = eurosFromCents(before.reduce((sum, one) => sum + one.total_cents, 0))
  return warning({
    code: 'rectified_before',
    field,
    message: `${number} was rectified before by ${by}, with ${amount} in all.`,
    fix: 'Check that together they take back no more than it said.',
    params: { number, by, amount },
  })
}

function notInForce(field: string, number: string): Fault {
  return error({
    code: 'reference_cancelled',
    field,
    message: `${number} is annulled: there is nothing to correct.`,
    fix: 'Leave it out.',
    params: { number },
  })
}

/** Checks that tickets, and only tickets, are rectified by R5; a cause with a kind of its own requires it. */
function kindFaults({ kind, rectification }: DraftContent, { row, field }: Target): Fault[] {
  const number = row.number ?? ''
  const isTicket = row.kind === 'F2' || row.kind === 'R5'
  const choice = rectification?.cause ? rectificationKind(rectification.cause, row.kind) : null
  if (rectification?.cause && choice === null)
    return [
      error({
        code: 'cause_needs_client',
        field: 'rectification.cause',
        message: `${number} is a ticket: it names no debtor.`,
        fix: "Make the complete invoice (F3) with the customer's data first, and rectify that.",
        params: { number },
      }),
    ]
  if (isTicket === (kind === 'R5')) {
    if (choice === null || choice.kind === kind) return []
    return [
      warning({
        code: 'rectification_kind_unusual',
        field: 'kind',
        message: `For this cause ${choice.kind} is usual, not ${kind}.`,
        fix: `Set kind to ${choice.kind}.`,
        params: { kind: choice.kind },
      }),
    ]
  }
  return [
    error({
      code: 'rectification_kind_wrong',
      field: isTicket ? 'kind' : field,
      message: isTicket
        ? `${number} is a ticket: only R5 rectifies it.`
        : `R5 rectifies tickets; ${number} is a complete invoice.`,
      fix: isTicket ? 'Set kind to R5.' : 'Set kind to R1, R2, R3 or R4.',
      params: { number },
    }),
  ]
}

function partyFaults(content: DraftContent, { row, field, content: original }: Target): Fault[] {
  const faults: Fault[] = []
  const number = row.number ?? ''
  const isOther = original.client.nif !== content.client.nif && original.client.nif !== null
  if (isOther && content.rectification?.method === 'I' && content.kind !== 'R5')
    faults.push(
      warning({
        code: 'rectification_other_client',
        field: 'clientNif',
        message: `${number} was issued to another customer.`,
        fix: "To correct the customer's data rectify by substitution (method S).",
        params: { number },
      }),
    )
  const currency = (of: DraftContent) => of.currency?.code ?? 'EUR'
  if (currency(original) !== currency(content))
    faults.push(
      error({
        code: 'rectification_currency',
        field: 'currency',
        message: `${number} is in ${currency(original)}.`,
        fix: `Use ${currency(original)} with its exchange rate.`,
        params: { number, currency: currency(original), index: field },
      }),
    )
  return faults
}

/** Returns every family of an invoice: its own, and those of the invoices it rectifies, up to the first original. */
async function ancestorsOf(
  ctx: Ctx,
  family: Family,
  rowId: number | null,
  named: NamedInvoices,
): Promise<Family[]> {
  const found = [family]
  const waiting = [family.id]
  const seen = new Set(waiting)
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const row = await named.row(id)
    if (!row || !isRectifying(row.kind)) continue
    for (const { role, targetId } of (await named.contentOf(row)).references) {
      if (role !== 'rectifies' || targetId === null || seen.has(targetId)) continue
      seen.add(targetId)
      waiting.push(targetId)
      found.push(await familyOf(ctx, targetId, rowId, named))
    }
  }
  return found
}

/**
 * Limits a credit to what is left. With gross prices the limit applies to the prices, else to the bases; a rounding
 * difference in the other one is accepted.
 */
async function excessFaults(
  ctx: Ctx,
  content: DraftContent,
  families: readonly Family[],
  count: number,
  rowId: number | null,
  named: NamedInvoices,
): Promise<Fault[]> {
  // A part may rectify invoices of another program, whose amounts are unknown: then it is only a warning.
  const outside = content.references.some(({ role, targetId }) => role === 'rectifies' && targetId === null)
  if (families.length === 0 || families.length < count) return []
  const change = ownStanding(documentTotals(content))
  const figure =
    content.priceMode === 'gross' ? grossCents : (tax: Standing['taxes'][number]) => tax.baseCents
  const groups: Family[][] = [[...families]]
  if (families.length === 1 && families[0]) {
    const [, ...above] = await ancestorsOf(ctx, families[0], rowId, named)
    groups.push(...above.map((family) => [family]))
  }
  for (const group of groups) {
    const before = sumOf(group)
    const issued = group.reduce((sum, family) => addStanding(sum, family.own), NOTHING)
    const after = addStanding(before, change)
    for (const tax of after.taxes) {
      const first = issued.taxes.find((each) => sameTax(each, tax))
      const left = before.taxes.find((each) => sameTax(each, tax))
      const sign = Math.sign(first ? figure(first) : 0) || Math.sign(left ? figure(left) : 0) || 1
      // A rounding difference below zero from before does not come from this invoice.
      const own = change.taxes.find((each) => sameTax(each, tax))
      if (figure(tax) * sign >= 0 || !own || figure(own) * sign >= 0) continue
      const leftCents = left ? Math.max(0, figure(left) * sign) : 0
      const params = { amount: eurosFromCents(leftCents) }
      if (outside)
        return [
          warning({
            code: 'credit_exceeds_known',
            field: 'lines',
            message: `Of the invoices of this book only ${eurosFromCents(leftCents)} of ${rateName(tax)} is left.`,
            fix: 'Check that the rest is of the invoices of another program.',
            params,
          }),
        ]
      return [
        error({
          code: 'credit_exceeds_original',
          field: 'lines',
          message: `It takes back more than is left: ${eurosFromCents(leftCents)} of ${rateName(tax)}.`,
          fix: 'Reduce the lines; what goes beyond the invoice is no rectification of it.',
          params,
        }),
      ]
    }
  }
  return []
}

function rateName(tax: Standing['taxes'][number]): string {
  return tax.vatRateBp === null ? tax.taxTreatment : `${tax.vatRateBp / 100} %`
}

/** Merges families that share members: a rectification of several invoices counts once. */
function sumOf(families: readonly Family[]): Standing {
  const counted = new Set<number>()
  let sum = NOTHING
  for (const family of families) {
    const pruned = prune(family, counted)
    if (pruned) sum = addStanding(sum, standingOfFamily(pruned))
    for (const id of membersOf(family)) counted.add(id)
  }
  return sum
}

function prune(family: Family, counted: ReadonlySet<number>): Family | null {
  if (counted.has(family.id)) return null
  const children = family.children.flatMap((child) => {
    const kept = prune(child, counted)
    return kept ? [{ ...kept, method: child.method }] : []
  })
  return { ...family, children }
}

// ---- In place of tickets. ----

async function substituteFaults(
  ctx: Ctx,
  content: DraftContent,
  issueDate: BusinessDate,
  rowId: number | null,
  named: NamedInvoices,
): Promise<Fault[]> {
  const { references } = content
  const faults = [...dateFaults(content, issueDate), ...(await elsewhereFaults(ctx, content, rowId))]
  const targets = await targetsOf(named, references, 'substitutes')
  let sum: Standing = NOTHING
  for (const { row, field } of targets) {
    const number = row.number ?? ''
    if (row.cancelled_at !== null) faults.push(notInForce(field, number))
    if (row.kind !== 'F2')
      faults.push(
        error({
          code: 'substituted_not_ticket',
          field,
          message: `${number} is no ticket.`,
          fix: 'Only simplified invoices (F2) get a complete one in their place; rectify the others.',
          params: { number },
        }),
      )
    const [other] = (await named.referringTo(row.id, 'substitutes')).filter(isInForce)
    if (other) faults.push(substitutedAlready(field, number, other.number ?? ''))
    sum = addStanding(sum, standingOfFamily(await familyOf(ctx, row.id, null, named)))
  }
  if (faults.length > 0 || targets.length < references.length) return faults
  return sumFaults(sum, ownStanding(documentTotals(content)), targets.length)
}

/** Checks that an invoice in place of tickets charges the same amount: it is the same sale. */
function sumFaults(tickets: Standing, invoice: Standing, count: number): Fault[] {
  const negative = invoice.taxes.map((tax) => ({
    ...tax,
    baseCents: -tax.baseCents,
    taxCents: -tax.taxCents,
    surchargeCents: -tax.surchargeCents,
    outsideCents: -tax.outsideCents,
  }))
  const difference = addStanding(tickets, {
    taxes: negative,
    disbursementsCents: -invoice.disbursementsCents,
  })
  // Each ticket was rounded separately: the price is exact, its base may differ by a cent for each ticket.
  const isOff = difference.taxes.some((tax) => grossCents(tax) !== 0 || Math.abs(tax.baseCents) > count)
  if (!isOff) return []
  return [
    error({
      code: 'substitute_sum',
      field: 'lines',
      message: 'It must charge exactly what the tickets charged, at the same rates.',
      fix: 'Take the lines of the tickets; if the sale itself was wrong, rectify the ticket (R5).',
    }),
  ]
}
