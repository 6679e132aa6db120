/**
 * Reads camt.053, bank statements in XML. Only booked entries count; balances and totals are verified. A batch stays
 * one movement, because it changed the balance once; its operations are stored with it. Source: ISO 20022,
 * BankToCustomerStatement, versions 001.02 to 001.13.
 */
import { at, children, textAt } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import { isBusinessDate } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { centsToText, scaleText } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import { cleanText, FileFaults, fileWarning, MAX_MOVEMENTS, refuseFile } from './statement.ts'
import type { Movement, MovementDetail, Statement } from './statement.ts'
import { readXml } from './xml.ts'

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(0[2-9]|1[0-3])$/
const OTHER_CAMT = /^urn:iso:std:iso:20022:tech:xsd:(camt\.05[24])\.001\.\d\d$/

/** Most operations of one batch that are stored with it. */
const MAX_DETAILS = 500

/** Returns true when the text starts like XML. */
export function looksLikeXml(text: string): boolean {
  return /^\s*</.test(text)
}

/** Entries of one statement, collected while the file is read. */
interface Gathered {
  movements: Movement[]
  credits: { count: number; cents: Cents }
  debits: { count: number; cents: Cents }
  notBooked: number
  /** Totals of entries not booked yet; some banks include them in the summary. */
  notBookedCents: { credit: Cents; debit: Cents }
  entries: number
}

/** Reads a whole file. Throws `validation_failed` with every fault and its line. */
export function readCamt053(text: string): { statements: Statement[]; warnings: Fault[] } {
  const faults = new FileFaults()
  const warnings: Fault[] = []
  const statements: Statement[] = []
  let gathered = emptyGathering()
  let total = 0
  const root = readXml(text, (element, parent) => {
    if (element.name === 'Ntry' && parent?.name === 'Stmt') {
      if (++total > MAX_MOVEMENTS)
        refuseFile('bank_file_too_long', `The file holds more than ${MAX_MOVEMENTS} movements.`, {
          most: MAX_MOVEMENTS,
        })
      takeEntry(element, gathered, faults, warnings)
      return true
    }
    if (element.name === 'Stmt') {
      const statement = takeStatement(element, gathered, faults, warnings)
      if (statement) statements.push(statement)
      gathered = emptyGathering()
      return true
    }
    return false
  })
  const other = OTHER_CAMT.exec(root.ns)
  if (other)
    refuseFile(
      'camt_other',
      `That is a ${other[1]}, not a statement.`,
      { kind: other[1] ?? '' },
      'Ask the bank for camt.053.',
    )
  if (!NAMESPACE.test(root.ns) || root.name !== 'Document')
    refuseFile(
      'bank_file_unknown',
      'That XML is no statement of a bank.',
      {},
      'Download Norma 43, camt.053 or CSV from the bank.',
    )
  faults.check()
  if (statements.length === 0) refuseFile('bank_file_empty', 'The file holds no account.')
  return { statements, warnings }
}

function emptyGathering(): Gathered {
  return {
    movements: [],
    credits: { count: 0, cents: 0 },
    debits: { count: 0, cents: 0 },
    notBooked: 0,
    notBookedCents: { credit: 0, debit: 0 },
    entries: 0,
  }
}

/** Returns an amount in cents; a third decimal is accepted only when it is zero. */
function centsOf(element: XmlElement | null, faults: FileFaults): Cents | null {
  if (!element) return null
  const cents = scaleText(element.text.trim(), 2)
  if (cents === null)
    faults.add('camt_amount', `Line ${element.line} has no amount.`, {
      line: element.line,
      text: cleanText(element.text).slice(0, 40),
    })
  return cents
}

function signed(cents: Cents, indicator: string | null): Cents {
  return indicator === 'DBIT' && cents !== 0 ? -cents : cents
}

/** Returns the day of a date, or of an instant in the bank's own offset. */
function dayOf(element: XmlElement | null): BusinessDate | null {
  const text = textAt(element, 'Dt') ?? textAt(element, 'DtTm')?.slice(0, 10) ?? null
  return text !== null && isBusinessDate(text.slice(0, 10)) ? text.slice(0, 10) : null
}

function takeEntry(entry: XmlElement, gathered: Gathered, faults: FileFaults, warnings: Fault[]): void {
  gathered.entries++
  // Versions 001.02 to 001.07 write the status as text, later ones below Cd.
  const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts')
  if (status !== null && status !== 'BOOK') {
    gathered.notBooked++
    const cents = scaleText(textAt(entry, 'Amt') ?? '', 2) ?? 0
    gathered.notBookedCents[textAt(entry, 'CdtDbtInd') === 'DBIT' ? 'debit' : 'credit'] += cents
    return
  }
  const amount = at(entry, 'Amt')
  const currency = amount?.attributes.Ccy
  if (currency !== 'EUR')
    faults.add('bank_currency', `The entry of line ${entry.line} is not in euros.`, {
      line: entry.line,
      currency: cleanText(currency ?? '').slice(0, 3),
    })
  const cents = centsOf(amount, faults)
  const indicator = textAt(entry, 'CdtDbtInd')
  if (indicator !== 'CRDT' && indicator !== 'DBIT')
    faults.add('camt_sign', `The entry of line ${entry.line} is neither credit nor debit.`, {
      line: entry.line,
    })
  const date = dayOf(at(entry, 'BookgDt')) ?? dayOf(at(entry, 'ValDt'))
  if (!date) faults.add('camt_date', `The entry of line ${entry.line} has no day.`, { line: entry.line })
  if (cents === null || cents < 0 || !date) return
  const side = indicator === 'DBIT' ? gathered.debits : gathered.credits
  side.count++
  side.cents += cents
  if (cents === 0) return
  const movement = movementOf(entry, signed(cents, indicator), date, faults)
  const known = movement.details
  if (known.length > 1 && known.reduce((sum, detail) => sum + detail.amountCents, 0) !== movement.amountCents)
    warnings.push(
      fileWarning(
        'camt_batch_total',
        `The operations of the entry of line ${entry.line} do not add up to it.`,
        {
          line: entry.line,
        },
      ),
    )
  gathered.movements.push(movement)
}

function movementOf(entry: XmlElement, amountCents: Cents, date: BusinessDate, faults: FileFaults): Movement {
  const operations = children(entry, 'NtryDtls').flatMap((details) => children(details, 'TxDtls'))
  const single = operations.length === 1 ? operations[0] : undefined
  const party = single ? partyOf(single, amountCents > 0) : { name: null, iban: null }
  const extra = cleanText(textAt(entry, 'AddtlNtryInf') ?? '')
  const told = single ? remittanceText(single) : ''
  const reversal = textAt(entry, 'RvslInd') === 'true' || textAt(entry, 'RvslInd') === '1'
  const text = [reversal ? 'Devolución' : '', extra, told === extra ? '' : told, party.name ?? '']
    .filter(Boolean)
    .filter((part, index, all) => all.findIndex((other) => other.includes(part)) === index)
    .join(' · ')
  const end = single ? textAt(single, 'Refs', 'EndToEndId') : null
  const reference = [end === 'NOTPROVIDED' ? null : end, textAt(entry, 'AcctSvcrRef')].find(Boolean) ?? null
  return {
    line: entry.line,
    date,
    valueDate: dayOf(at(entry, 'ValDt')),
    amountCents,
    balanceCents: null,
    text: cleanText(text) || (amountCents > 0 ? 'Abono' : 'Cargo'),
    counterparty: party.name,
    counterpartyIban: party.iban,
    reference: reference === null ? null : cleanText(reference).slice(0, 80),
    concept: conceptOf(entry),
    details:
      operations.length > 1
        ? operations
            .slice(0, MAX_DETAILS)
            .flatMap((operation) => detailOf(operation, amountCents, faults) ?? [])
        : [],
  }
}

function conceptOf(entry: XmlElement): string | null {
  const code = at(entry, 'BkTxCd')
  const domain = [
    textAt(code, 'Domn', 'Cd'),
    textAt(code, 'Domn', 'Fmly', 'Cd'),
    textAt(code, 'Domn', 'Fmly', 'SubFmlyCd'),
  ]
  const text = domain.every(Boolean) ? domain.join('/') : textAt(code, 'Prtry', 'Cd')
  return text === null ? null : cleanText(text).slice(0, 40)
}

/** Returns the counterparty: the debtor of a credit, the creditor of a debit. */
function partyOf(operation: XmlElement, isCredit: boolean): { name: string | null; iban: string | null } {
  const parties = at(operation, 'RltdPties')
  const role = isCredit ? 'Dbtr' : 'Cdtr'
  // Up to 001.07 the name is directly below the role, later below Pty.
  const name = textAt(parties, role, 'Pty', 'Nm') ?? textAt(parties, role, 'Nm')
  const iban = textAt(parties, `${role}Acct`, 'Id', 'IBAN')
  return {
    name: name === null ? null : cleanText(name).slice(0, 140),
    iban: iban === null ? null : iban.replace(/\s/g, '').toUpperCase().slice(0, 34),
  }
}

function remittanceText(operation: XmlElement): string {
  const remittance = at(operation, 'RmtInf')
  const parts = children(remittance, 'Ustrd').map((part) => part.text)
  for (const structured of children(remittance, 'Strd')) {
    const reference = textAt(structured, 'CdtrRefInf', 'Ref')
    if (reference) parts.push(reference)
    for (const document of children(structured, 'RfrdDocInf')) parts.push(textAt(document, 'Nb') ?? '')
  }
  return cleanText([...parts, textAt(operation, 'AddtlTxInf') ?? ''].join(' '))
}

function detailOf(operation: XmlElement, entryCents: Cents, faults: FileFaults): MovementDetail | null {
  const amount = at(operation, 'Amt') ?? at(operation, 'AmtDtls', 'TxAmt', 'Amt')
  if (!amount || amount.attributes.Ccy !== 'EUR') return null
  const cents = centsOf(amount, faults)
  if (cents === null || cents <= 0) return null
  const indicator = textAt(operation, 'CdtDbtInd') ?? (entryCents < 0 ? 'DBIT' : 'CRDT')
  const amountCents = signed(cents, indicator)
  return { amountCents, ...partyOf(operation, amountCents > 0), text: remittanceText(operation) }
}

/** Returns the balances by code, each with its day. */
function balancesOf(
  statement: XmlElement,
  faults: FileFaults,
): Map<string, { cents: Cents; date: string | null }> {
  const balances = new Map<string, { cents: Cents; date: string | null }>()
  for (const balance of children(statement, 'Bal')) {
    const code = textAt(balance, 'Tp', 'CdOrPrtry', 'Cd')
    const cents = centsOf(at(balance, 'Amt'), faults)
    // The first opening balance and the last closing balance count.
    if (code === null || cents === null || (balances.has(code) && code !== 'CLBD')) continue
    balances.set(code, {
      cents: signed(cents, textAt(balance, 'CdtDbtInd')),
      date: dayOf(at(balance, 'Dt')),
    })
  }
  return balances
}

function takeStatement(
  element: XmlElement,
  gathered: Gathered,
  faults: FileFaults,
  warnings: Fault[],
): Statement | null {
  const iban = textAt(element, 'Acct', 'Id', 'IBAN')?.replace(/\s/g, '').toUpperCase() ?? null
  const currency = textAt(element, 'Acct', 'Ccy')
  if (currency !== null && currency !== 'EUR')
    faults.add('bank_currency', `The account of line ${element.line} is not in euros (${currency}).`, {
      line: element.line,
      currency: cleanText(currency).slice(0, 3),
    })
  const balances = balancesOf(element, faults)
  const opening = balances.get('OPBD') ?? balances.get('PRCD')
  const closing = balances.get('CLBD')
  if (gathered.notBooked > 0)
    warnings.push(
      fileWarning(
        'camt_not_booked',
        `${gathered.notBooked} entries are not booked yet and were left out; they will come in a later file.`,
        { count: gathered.notBooked },
      ),
    )
  checkSummary(element, gathered, faults)
  const sum = gathered.credits.cents - gathered.debits.cents
  if (opening && closing && opening.cents + sum !== closing.cents)
    faults.add(
      'camt_balance',
      `The statement of line ${element.line} ends at ${centsToText(closing.cents)}, but its entries give ${centsToText(opening.cents + sum)}.`,
      {
        line: element.line,
        said: centsToText(closing.cents),
        counted: centsToText(opening.cents + sum),
      },
      'Download the file again; it is not complete or was changed.',
    )
  if (!opening || !closing)
    warnings.push(
      fileWarning(
        'camt_no_balance',
        'The statement has no opening or closing balance: it cannot be verified.',
        {
          line: element.line,
        },
      ),
    )
  const movements = inOrder(gathered.movements)
  let balance = opening?.cents ?? (closing ? closing.cents - sum : null)
  for (const movement of movements) {
    if (balance !== null) balance += movement.amountCents
    movement.balanceCents = balance
  }
  const period = at(element, 'FrToDt')
  const from = textAt(period, 'FrDtTm')?.slice(0, 10) ?? movements[0]?.date ?? opening?.date ?? null
  const to = textAt(period, 'ToDtTm')?.slice(0, 10) ?? closing?.date ?? movements.at(-1)?.date ?? null
  return {
    iban,
    from,
    to,
    openingCents: opening?.cents ?? (closing ? closing.cents - sum : null),
    closingCents: closing?.cents ?? (opening ? opening.cents + sum : null),
    movements,
  }
}

/** Sorts movements oldest first, because some banks write the newest entry first. */
function inOrder(movements: Movement[]): Movement[] {
  const first = movements[0]
  const last = movements.at(-1)
  return first && last && first.date > last.date ? movements.toReversed() : movements
}

/**
 * Verifies the summary. It may count all entries or only the booked ones, because banks differ; any other total means
 * a damaged file.
 */
function checkSummary(element: XmlElement, gathered: Gathered, faults: FileFaults): void {
  const summary = at(element, 'TxsSummry')
  if (!summary) return
  const booked = gathered.credits.count + gathered.debits.count
  const total = textAt(summary, 'TtlNtries', 'NbOfNtries')
  if (total !== null && ![booked, gathered.entries].includes(Number(total)))
    faults.add('camt_count', `The statement says ${total} entries and holds ${gathered.entries}.`, {
      line: summary.line,
      said: total.slice(0, 15),
      counted: gathered.entries,
    })
  const sides = [
    ['TtlCdtNtries', gathered.credits, gathered.notBookedCents.credit],
    ['TtlDbtNtries', gathered.debits, gathered.notBookedCents.debit],
  ] as const
  for (const [name, side, pending] of sides) {
    const sum = at(summary, name, 'Sum')
    if (!sum) continue
    const cents = centsOf(sum, faults)
    if (cents !== null && cents !== side.cents && cents !== side.cents + pending)
      faults.add(
        'camt_total',
        `Line ${sum.line} says ${centsToText(cents)}, but the entries give ${centsToText(side.cents)}.`,
        {
          line: sum.line,
          said: centsToText(cents),
          counted: centsToText(side.cents),
        },
      )
  }
}
