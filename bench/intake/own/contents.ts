/** Invoices of every kind that Sello issues, as content of its own sales, for customers in Spain. */
import type { DocumentLanguage } from '../../../server/domain/languages.ts'
import { DOCUMENT_LANGUAGES } from '../../../server/domain/languages.ts'
import { PLAIN_CONTENT, PLAIN_LINE } from '../../../server/sales/invoices/index.ts'
import type { DraftContent, DraftLine, PartyFacts } from '../../../server/sales/invoices/index.ts'
import type { Dice } from '../corpus/dice.ts'
import { OWN } from '../corpus/facts.ts'

const MICRO = 1_000_000

const PARTY = { tradeName: null, idType: null, province: null, country: 'ES', email: null, phone: null, iban: null, registryInscription: null, dir3: null } as const // prettier-ignore

/** The customer: whose purchase it becomes. */
const CUSTOMER: PartyFacts = {
  ...PARTY,
  name: OWN.name,
  nif: OWN.nif,
  street: OWN.street,
  postalCode: '50016',
  city: 'Zaragoza',
}

/** Companies and persons that issue with Sello. */
const ISSUERS: readonly PartyFacts[] = [
  {
    ...PARTY,
    name: 'Estudio Peña & Muñoz, S.L.',
    nif: 'B12345674',
    street: 'Calle de la Palma, 27, 2.º izda.',
    postalCode: '28004',
    city: 'Madrid',
    email: 'hola@penamunoz.example',
    phone: '+34 910 000 000',
    iban: 'ES9121000418450200051332',
    registryInscription: 'Registro Mercantil de Madrid, tomo 41.234, folio 56, hoja M-728.901',
  },
  {
    ...PARTY,
    name: 'Conservas del Cantábrico, S.A.',
    tradeName: 'La Gaviota',
    nif: 'A39000013',
    street: 'Polígono de Guarnizo, nave 14',
    postalCode: '39611',
    city: 'El Astillero',
    province: 'Cantabria',
    iban: 'ES7921000813610123456789',
  },
  {
    ...PARTY,
    name: 'María del Carmen López de la Fuente',
    nif: '12345678Z',
    street: 'Rúa do Vilar, 40',
    postalCode: '15705',
    city: 'Santiago de Compostela',
    phone: '981 000 000',
    iban: 'ES9121000418450200051332',
  },
] // prettier-ignore

const WORK = [
  'Mantenimiento mensual del sitio web', 'Silla "Ñandú", roble macizo', 'Sesión fotográfica de producto en estudio, media jornada, con retoque de veinte imágenes',
  'Horas de programación', 'Aceite de oliva virgen extra 5 l', 'Revisión anual de la instalación', 'Portes', 'Cuadernos de tapa dura A5', 'Desplazamiento',
] // prettier-ignore

function lineOf(dice: Dice, changes: Partial<DraftLine> = {}): DraftLine {
  return {
    ...PLAIN_LINE,
    description: dice.of(WORK),
    quantityMicro: dice.chance(0.8) ? dice.int(1, 12) * MICRO : dice.int(500, 9_500) * 1_000,
    unit: dice.of([null, null, 'h', 'ud', 'kg']),
    unitPriceMicro: dice.int(150, 45_000) * 10_000,
    vatRateBp: 2100,
    ...changes,
  }
}
const linesOf = (dice: Dice, count: number, changes: Partial<DraftLine> = {}): DraftLine[] =>
  Array.from({ length: count }, () => lineOf(dice, changes))

type Changes = Partial<DraftContent>
const none = (taxTreatment: DraftLine['taxTreatment'], cause: string | null = null): Partial<DraftLine> => ({
  taxTreatment,
  vatRateBp: taxTreatment === 'S2' ? 0 : null,
  cause,
})
const ORIGINAL = { role: 'rectifies', targetId: 1, number: 'F2026-0012', issueDate: '2026-01-15' } as const

/** Contents by kind. */
export const KINDS: Readonly<Record<string, (dice: Dice) => Changes>> = {
  plain: (dice) => ({ lines: linesOf(dice, dice.int(1, 6)) }),
  rates: (dice) => ({ lines: [...linesOf(dice, 2), ...linesOf(dice, 2, { vatRateBp: 1000 }), lineOf(dice, { vatRateBp: 400 })] }),
  withholding: (dice) => ({ withholdingBp: dice.of([1500, 700]), lines: linesOf(dice, dice.int(1, 3)) }),
  rent: (dice) => ({ withholdingBp: 1900, lines: [lineOf(dice, { description: 'Alquiler del local, mes en curso', quantityMicro: MICRO })] }),
  surcharge: (dice) => ({ lines: [...linesOf(dice, 2, { surchargeRateBp: 520 }), lineOf(dice, { vatRateBp: 1000, surchargeRateBp: 140 }), lineOf(dice, { vatRateBp: 400, surchargeRateBp: 50 })] }),
  disbursements: (dice) => ({
    withholdingBp: dice.of([1500, null]),
    lines: [lineOf(dice), lineOf(dice, { description: 'Arancel del registro mercantil', quantityMicro: MICRO, vatRateBp: null, isDisbursement: true, withholdable: false })],
  }),
  discounts: (dice) => ({ discountBp: dice.of([0, 500]), discountCents: 0, lines: [lineOf(dice, { discountBp: 1000 }), lineOf(dice, { discountCents: 150 }), lineOf(dice)] }),
  negative: (dice) => ({ lines: [lineOf(dice, { quantityMicro: 9 * MICRO }), lineOf(dice, { description: 'Devolución de envases', quantityMicro: -2 * MICRO, unitPriceMicro: 1_200_000 })] }),
  gross: (dice) => ({ priceMode: 'gross', lines: linesOf(dice, 3) }),
  exempt: (dice) => ({ lines: [lineOf(dice, { description: 'Curso de formación reglada', ...none('E1', 'education') })] }),
  exemptAndTaxed: (dice) => ({ lines: [lineOf(dice, { description: 'Curso reglado', ...none('E1', 'education') }), lineOf(dice)] }),
  reverseCharge: (dice) => ({ lines: linesOf(dice, 2, none('S2', 'reverse_works')) }),
  margin: (dice) => ({ lines: [lineOf(dice, { description: 'Coche de ocasión', quantityMicro: MICRO, unitPriceMicro: 9_000 * MICRO, regimeKey: '03', costCents: 700_000, cause: 'margin_used' })] }),
  canaries: (dice) => ({ tax: '03', lines: linesOf(dice, 2, { vatRateBp: 700 }) }),
  dollars: (dice) => ({ currency: { code: 'USD', fxMicro: 1_083_700, fxDate: '2026-06-02', fxSource: 'BCE' }, lines: linesOf(dice, 2) }),
  long: (dice) => ({ lines: linesOf(dice, dice.int(26, 60)) }),
  notes: (dice) => ({ notes: 'Gracias por su confianza.\nLas piezas se recogen de lunes a viernes, de 9 a 14 horas.', customerReferences: { order: 'PED-2026/77', contract: 'C-15', file: null }, operationDate: '2026-02-10', lines: linesOf(dice, 3) }),
  refund: (dice) => ({
    kind: 'R1',
    dueDate: null,
    references: [ORIGINAL],
    rectification: { method: 'I', cause: 'returned_goods', reason: 'Devolución de mercancía', rectified: null },
    lines: [lineOf(dice, { quantityMicro: -2 * MICRO }), lineOf(dice, { quantityMicro: -1 * MICRO })],
  }),
  refundWithheld: (dice) => ({
    kind: 'R4',
    dueDate: null,
    withholdingBp: 1500,
    references: [ORIGINAL],
    rectification: { method: 'I', cause: 'wrong_amount', reason: 'Cantidad equivocada', rectified: null },
    lines: [lineOf(dice, { quantityMicro: -1 * MICRO })],
  }),
  replacing: (dice) => ({
    kind: 'F3',
    priceMode: 'gross',
    replacedCents: 12_100,
    references: [{ role: 'substitutes', targetId: 5, number: 'S2026-0001', issueDate: '2026-01-20' }],
    lines: [lineOf(dice, { description: 'Compra 1', quantityMicro: MICRO, unitPriceMicro: 121 * MICRO }), lineOf(dice)],
  }),
  simplified: (dice) => ({ kind: 'F2', priceMode: 'gross', dueDate: null, paymentMethod: dice.of(['card', 'cash']), lines: linesOf(dice, dice.int(1, 5), { vatRateBp: dice.of([2100, 1000]) }) }),
  ticket: (dice) => ({ kind: 'F2', priceMode: 'gross', dueDate: null, paymentMethod: dice.of(['card', 'cash', 'bizum']), lines: [...linesOf(dice, dice.int(1, 5)), lineOf(dice, { vatRateBp: 1000 })] }),
} // prettier-ignore

export interface OwnInvoice {
  kind: string
  content: DraftContent
  issuer: PartyFacts
  number: string
  issueDate: string
  isTicket: boolean
  design: number
}

const NUMBERS = ['F2026-00##', 'A-2026-0###', '2026-####', 'FV26-000##', 'B/26-0##'] // prettier-ignore

/** Invents the n-th invoice: kinds take turns, then languages. */
export function ownInvoice(index: number, dice: Dice): OwnInvoice {
  const names = Object.keys(KINDS)
  const kind = names[index % names.length] ?? 'plain'
  const language: DocumentLanguage = DOCUMENT_LANGUAGES[index % DOCUMENT_LANGUAGES.length] ?? 'es'
  const changes = KINDS[kind]?.(dice) ?? {}
  const issueDate = `2026-${String(dice.int(2, 9)).padStart(2, '0')}-${String(dice.int(1, 28)).padStart(2, '0')}`
  const due = new Date(Date.parse(issueDate) + dice.of([0, 15, 30, 60]) * 86_400_000)
    .toISOString()
    .slice(0, 10)
  const isRefund = changes.kind === 'R1' || changes.kind === 'R4'
  const content: DraftContent = {
    ...PLAIN_CONTENT,
    kind: 'F1',
    issueDate,
    dueDate: dice.chance(0.8) ? due : null,
    client: CUSTOMER,
    lines: [],
    language,
    paymentMethod: isRefund
      ? null
      : dice.of([null, 'transfer', 'transfer', 'direct_debit', 'card', 'bizum', 'cash']),
    ...changes,
  }
  // A person without employees withholds; companies do not.
  const issuer = (content.withholdingBp ?? 1900) < 1900 ? ISSUERS[2] : dice.of(ISSUERS)
  return {
    kind,
    content: isSimplifiedKind(kind) ? { ...content, client: { ...CUSTOMER, nif: null, name: '' } } : content,
    issuer: issuer ?? CUSTOMER,
    number: dice.digits(isRefund ? 'R2026-00##' : dice.of(NUMBERS)),
    issueDate,
    isTicket: kind === 'ticket',
    design: dice.int(0, 3),
  }
}
const isSimplifiedKind = (kind: string): boolean => kind === 'simplified' || kind === 'ticket'
