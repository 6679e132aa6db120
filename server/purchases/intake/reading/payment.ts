/** How a document says that it is paid, and to which account. Pure. */
import type { PAYMENT_METHODS } from '../../../domain/payment-methods.ts'
import { IBAN_LENGTHS, isIban } from '../iban.ts'
import { missing } from './field-value.ts'
import type { FieldValue } from './field-value.ts'
import { plain } from './labels.ts'
import { placeOf } from './places.ts'
import { agreed } from './readings.ts'
import type { Readings } from './readings.ts'
import type { Row } from './rows.ts'

type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** In the order of their weight: who debits an account names it too. */
const METHODS: readonly (readonly [PaymentMethod, RegExp])[] = [
  [
    'direct_debit',
    /\b(?:domicili\w*|giro domiciliado|recibo bancario|direct debit|sepa core|adeudo|helbidera\w*|rebut bancari|prelevement\w*|lastschrift\w*|bankeinzug|debito dire[ct]?to|cargo en (?:su )?cuenta|se cargara en|carrec en compte|recibo domiciliado)\b/,
  ],
  [
    'transfer',
    /\b(?:transfer\w*|virement\w*|(?:bank)?uberweisung\w*|bank transfer|wire|ingreso en cuenta|abonar en|pago a la cuenta)\b/,
  ],
  ['bizum', /\bbizum\b/],
  [
    'card',
    /\b(?:tarjeta|tarj|targeta|tarxeta|txartel\w*|t (?:credito|debito|credit|debit)|visa|mastercard|amex|american express|credit card|debit card|card|carte (?:bancaire|bleue|de credit)|(?:ec |kredit|bank)?karte|kartenzahlung|cartao|contactless)\b/,
  ],
  [
    'cash',
    /\b(?:efectivo|efectiu|metalico|cash|eskudiru\w*|especes|barzahlung|numerario|contado|entregado|(?<!tipo de |tipus de )(?:cambio|canvi)(?! 1 \d))\b/,
  ],
  ['cheque', /\b(?:cheque|talon|xec|scheck|txeke\w*|pagare)\b/],
]

/** OCR parts the country from its control digits, or sees a mark between them. */
const IBAN = /(?<![A-Z0-9])([A-Z]{2}[ ?.]?\d{2}(?:[ -]?[A-Z0-9]{2,4}){3,8})(?![A-Z0-9])/g
/** A Spanish account, which has digits only, with letters that OCR took for digits. */
const MISREAD_IBAN = /(?<![A-Z0-9])(E[S5][ ?.]?(?:[\dOQILZSB][ .-]?){22})(?![A-Z0-9])/g
const DIGIT_FOR: Record<string, string> = { O: '0', Q: '0', I: '1', L: '1', Z: '2', S: '5', B: '8' }

/** Returns the account numbers of a text with their place; those that OCR misread only with right control digits. */
function accountsIn(
  text: string,
  isOcr: boolean,
): { iban: string; from: number; to: number; isRepaired: boolean }[] {
  const found = [...text.matchAll(IBAN)].flatMap((match) => {
    const bare = (match[1] ?? '').replace(/[ ?.-]/g, '')
    const iban = bare.slice(0, IBAN_LENGTHS[bare.slice(0, 2)] ?? 0)
    const to = match.index + match[0].length
    return isIban(iban) ? [{ iban, from: match.index, to, isRepaired: false }] : []
  })
  if (!isOcr || found.length > 0) return found
  return [...text.matchAll(MISREAD_IBAN)].flatMap((match) => {
    const digits = (match[1] ?? '').slice(2).replace(/[ ?.-]/g, '')
    const iban = `ES${[...digits].map((char) => DIGIT_FOR[char] ?? char).join('')}`
    const to = match.index + match[0].length
    return isIban(iban) ? [{ iban, from: match.index, to, isRepaired: true }] : []
  })
}

interface FoundIban {
  iban: string
  row: Row
  field: FieldValue<string>
}

function ibansIn(rows: readonly Row[]): FoundIban[] {
  const found: FoundIban[] = []
  for (const row of rows)
    for (const cell of row.cells)
      for (const { iban, from, to, isRepaired } of accountsIn(
        cell.text.toUpperCase(),
        row.source === 'ocr',
      )) {
        if (found.some((each) => each.iban === iban)) continue
        const place = placeOf(rows, row, cell, from, to)
        found.push({
          iban,
          row,
          field: {
            value: iban,
            level: isRepaired ? 'guess' : place.isUncertain ? 'read' : 'proven',
            evidence: [{ page: row.page, box: place.box, reason: 'control_digit', args: {} }],
            rivals: [],
          },
        })
      }
  return found
}

const GERMAN = /\b(?:rechnung|mwst|gesamtbetrag|zahlungsart)\b/
/** A mention in a clause weighs less than one in a line of its own. */
const PROSE_WORDS = 25

interface Payment {
  paymentMethod: FieldValue<PaymentMethod>
  iban: FieldValue<string>
}

/** Reads the payment method and the account to pay to. */
export function readPayment({ each, merged }: Readings): Payment {
  const both = paymentIn(merged)
  if (each.length === 1) return both
  const reads = each.map(paymentIn)
  const paymentMethod =
    both.paymentMethod.value === null ? (reads[0] ?? both).paymentMethod : both.paymentMethod
  // The account of a direct debit is the payer's.
  if (paymentMethod.value === 'direct_debit') return { paymentMethod, iban: missing() }
  const accounts = reads.map(({ iban }) => ({ field: iban, certainty: 0 }))
  return { paymentMethod, iban: agreed(accounts, { field: both.iban, certainty: 0 }) }
}

function paymentIn(rows: readonly Row[]): Payment {
  const all = plain(rows.map(({ text }) => text).join(' '))
  const mentions = rows.flatMap((row) => {
    const bare = plain(row.text)
    if (bare.split(' ').length > PROSE_WORDS) return []
    // "Bar" is cash in German only where it stands alone.
    const isBar =
      row.cells.some(({ text }) => /^(?:in )?bar(?: bezahlt)?$/.test(plain(text))) && GERMAN.test(all)
    return METHODS.flatMap(([method, pattern], rank) =>
      pattern.test(bare) || (isBar && method === 'cash') ? [{ method, row, rank }] : [],
    )
  })
  const [first] = mentions.toSorted((a, b) => a.rank - b.rank)
  const ibans = ibansIn(rows)
  const [iban] = ibans
  const method: FieldValue<PaymentMethod> =
    first === undefined
      ? iban === undefined
        ? missing()
        : { value: 'transfer', level: 'guess', evidence: iban.field.evidence, rivals: [] }
      : {
          value: first.method,
          level: 'read',
          evidence: [
            {
              page: first.row.page,
              box: first.row.box,
              reason: 'words',
              args: { text: first.row.text.slice(0, 80) },
            },
          ],
          rivals: [...new Set(mentions.map((each) => each.method))].filter((each) => each !== first.method),
        }
  // The account of a direct debit is the payer's.
  if (iban === undefined || method.value === 'direct_debit') return { paymentMethod: method, iban: missing() }
  const rivals = ibans.slice(1).map((each) => each.iban)
  const isOnly = rivals.length === 0
  return {
    paymentMethod: method,
    iban: { ...iban.field, level: isOnly ? iban.field.level : 'guess', rivals },
  }
}
