/**
 * Draft of model 420 in the XML of the module of the Canary tax office. Whether its web accepts a file that its own module
 * did not write is not known, so this is a draft to compare and to type from, never a file to present. Pure. Source: the
 * office's description of the XML of form 420, path by path.
 */
import type { BasisPoints, Cents } from '../../../domain/money.ts'

/** Pay, refund, offset, or no activity. */
type ResultKind420 = 'I' | 'D' | 'C' | 'S'

interface Amounts420 {
  baseCents: Cents
  taxCents: Cents
  /** Null where the amounts are of no single rate. */
  rateBp: BasisPoints | null
}

interface Draft420 {
  year: number
  quarter: number
  /** Of a complementary return: the receipt of the one that it completes, if it is known. */
  completes: { receipt: string | null } | null
  filer: { nif: string; name: string; postalCode: string | null; country: string; email: string | null }
  /** The business applies cash accounting. */
  isCash: boolean
  /** One for each rate, as many as there are. */
  lines: readonly (Amounts420 & { rateBp: BasisPoints })[]
  /** Reverse charge as the buyer, and corrections. */
  asBuyer: Amounts420
  corrections: Amounts420
  /** Boxes of the form by number, in cents. */
  box: (number: string) => Cents
  kind: ResultKind420
}

/** Writes an amount: cents, without a comma, at least two digits. */
function centsText(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(2, '0')
  return cents < 0 ? `-${digits}` : digits
}

/** Writes a rate: hundredths of a point, at least two digits. */
const rateText = (rateBp: BasisPoints): string => String(rateBp).padStart(2, '0')

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Writes a text as an attribute: what ISO-8859-1 lacks becomes a character reference, control characters are dropped. */
function attributeText(text: string): string {
  return [...text.normalize('NFC')]
    .filter((letter) => letter >= ' ' && letter !== '\u007F')
    .map((letter) => {
      const code = letter.codePointAt(0) ?? 0
      return ENTITIES[letter] ?? (code > 0xff || (code >= 0x80 && code < 0xa0) ? `&#${code};` : letter)
    })
    .join('')
}

type Attributes = readonly (readonly [string, string | null])[]

function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const text = attributes
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ` ${key}="${attributeText(value ?? '')}"`)
    .join('')
  return children.length === 0 ? `<${name}${text}/>` : `<${name}${text}>${children.join('')}</${name}>`
}

const amounts = (name: string, { baseCents, taxCents, rateBp }: Amounts420): string[] =>
  baseCents === 0 && taxCents === 0
    ? []
    : [
        element(name, [
          ['BAS', centsText(baseCents)],
          ['TIP', rateBp === null ? null : rateText(rateBp)],
          ['CUO', centsText(taxCents)],
        ]),
      ]

/** Returns the result as the form names it: S only where nothing was charged nor borne. */
export function kindOf420(
  box: (number: string) => Cents,
  outcome: 'offset' | 'refund',
  quarter: number,
): ResultKind420 {
  const result = box('45')
  if (result > 0) return 'I'
  if (result < 0) return outcome === 'refund' && quarter === 4 ? 'D' : 'C'
  const isEmpty = Array.from({ length: 45 }, (_, index) => String(index + 1).padStart(2, '0'))
    .filter((number) => !RATE_BOXES.includes(number))
    .every((number) => box(number) === 0)
  return isEmpty ? 'S' : 'C'
}

const RATE_BOXES: readonly string[] = ['02', '05', '08', '11', '14', '17']

const LABEL =
  ' BORRADOR de Sello para comparar y copiar: no es un fichero que se pueda presentar. ' +
  'Faltan los datos que solo conoce el declarante (ACO, RDM, EOP, ACR, vía, cuenta y forma de pago). '

/** Writes the draft, in ISO-8859-1, labelled as one. */
export function draft420(draft: Draft420): Uint8Array {
  const { box, filer } = draft
  const pair = (name: string, base: string, tax: string) =>
    amounts(name, { baseCents: box(base), taxCents: box(tax), rateBp: null })
  const single = (name: string, number: string) =>
    box(number) === 0 ? [] : [element(name, [['CUO', centsText(box(number))]])]
  const orNone = (number: string) => (box(number) === 0 ? null : centsText(box(number)))
  const isSpanish = filer.country === 'ES'
  const postalCode = isSpanish && /^\d{5}$/.test(filer.postalCode ?? '') ? filer.postalCode : null
  const body = element(
    'DEC',
    [
      ['MOD', '420'],
      ['ANY', String(draft.year)],
      ['PER', `${draft.quarter}T`],
      ['COM', draft.completes === null ? null : 'X'],
      ['NJA', draft.completes?.receipt ?? null],
    ],
    [
      element(
        'IDE',
        [
          ['RECC', draft.isCash ? 'S' : 'N'],
          ['DRECC', box('50') === 0 && box('51') === 0 ? 'N' : 'S'],
        ],
        [
          element('OTP', [
            ['NIF', filer.nif],
            ['NRS', filer.name],
            ['POP', postalCode?.slice(0, 2) ?? null],
            ['CP', postalCode],
            ['PAI', filer.country],
            ['EMA', filer.email],
          ]),
        ],
      ),
      element(
        'IGI_DEV',
        [['TOT', centsText(box('25'))]],
        [
          ...draft.lines.flatMap((line) => amounts('DEV', line)),
          ...amounts('OIN', draft.asBuyer),
          ...amounts('MBC', draft.corrections),
          ...pair('CRV', '23', '24'),
        ],
      ),
      element(
        'IGI_DED',
        [['TOT', centsText(box('40'))]],
        [
          ...pair('OIC', '26', '27'),
          ...pair('OII', '28', '29'),
          ...pair('IMC', '30', '31'),
          ...pair('IMI', '32', '33'),
          ...pair('RED', '34', '35'),
          ...single('CRA', '36'),
          ...single('RBI', '37'),
          ...single('RIA', '38'),
          ...single('RPP', '39'),
        ],
      ),
      element('LIQ', [
        ['DIF', centsText(box('41'))],
        ['RCU', orNone('42')],
        ['CPA', orNone('43')],
        ['DAC', orNone('44')],
        ['RLI', centsText(box('45'))],
      ]),
      element('RES', [
        ['TIP', draft.kind],
        ['IMP', centsText(Math.abs(box('45')))],
      ]),
      element('ADI', [
        ['EOA', orNone('46')],
        ['ODD', orNone('47')],
      ]),
      element('RCC', [], [...pair('IEB', '48', '49'), ...pair('IAB', '50', '51')]),
    ].filter((text) => text !== '<ADI/>' && text !== '<RCC/>'),
  )
  return Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>\n<!--${LABEL}-->\n${body}\n`, 'latin1')
}
