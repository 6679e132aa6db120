/** Invoices for the registry's tests: a plain one to vary, and random ones that every rule admits. */
import fc from 'fast-check'
import { percentOf } from '../../../server/core/money.ts'
import { buildRegistration } from '../../../server/registry/record/xml.ts'
import { buildSubmission } from '../../../server/registry/wire/messages.ts'
import { createSimulator, memoryState } from '../../../server/registry/simulator/index.ts'
import { readReply } from '../../../server/registry/wire/reply.ts'
import type {
  BreakdownLine,
  ChainLink,
  Recipient,
  RegistryInvoice,
  SystemInfo,
} from '../../../server/registry/record/fields.ts'
import type { Reply } from '../../../server/registry/wire/reply.ts'
import type { SimulatorOptions } from '../../../server/registry/simulator/index.ts'

export const TODAY = '2026-11-16'
export const GENERATED_AT = '2026-11-16T10:00:00+01:00'
export const NOW = new Date('2026-11-16T09:00:02Z')

export const ISSUER = { nif: '89890001K', name: 'EMISOR DE EJEMPLO' }

export const SYSTEM: SystemInfo = {
  producer: { name: 'PRODUCTOR DE PRUEBA', nif: '89890001K' },
  name: 'Sello',
  id: 'S1',
  version: '0.1.0',
  installationNumber: '20261115100000-0001',
  onlyVerifactu: true,
  multiIssuer: true,
  severalIssuers: false,
}

export const PREVIOUS: ChainLink = {
  issuerNif: ISSUER.nif,
  number: 'T-F2026-0001',
  issueDate: '2026-11-15',
  hash: '0793F0C7DF0ACD0A74A3341E75C2A56FDE29E19DDC0A61F9C6B3909A0862B7F8',
}

/** A taxed line of the general regime. */
export function taxed(
  baseCents: number,
  vatRateBp = 2100,
  surchargeRateBp: number | null = null,
): BreakdownLine {
  return {
    tax: '01',
    taxTreatment: 'S1',
    regimeKey: '01',
    vatRateBp,
    baseCents,
    costBaseCents: null,
    taxCents: percentOf(baseCents, vatRateBp),
    surchargeRateBp,
    surchargeCents: surchargeRateBp === null ? 0 : percentOf(baseCents, surchargeRateBp),
  }
}

/** A line without VAT: exempt, not subject, or (with rate 0) reverse charge. */
export function untaxed(
  taxTreatment: BreakdownLine['taxTreatment'],
  baseCents: number,
  regimeKey = '01',
): BreakdownLine {
  const vatRateBp = taxTreatment === 'S2' ? 0 : null
  return {
    tax: '01',
    taxTreatment,
    regimeKey,
    vatRateBp,
    baseCents,
    costBaseCents: null,
    taxCents: 0,
    surchargeRateBp: null,
    surchargeCents: 0,
  }
}

/** A valid F1 with anything changed; the totals follow the breakdown unless they are given. */
export function invoice(changes: Partial<RegistryInvoice> = {}): RegistryInvoice {
  const breakdown = changes.breakdown ?? [taxed(10_000)]
  const taxTotalCents = breakdown.reduce((sum, line) => sum + line.taxCents + line.surchargeCents, 0)
  return {
    recordId: 'rec_0000000000000001',
    turn: 'first',
    issuer: ISSUER,
    number: 'T-F2026-0002',
    issueDate: TODAY,
    operationDate: null,
    kind: 'F1',
    rectification: null,
    rectified: [],
    substituted: [],
    simplifiedArt7273: false,
    withoutRecipientArt61d: false,
    madeBy: null,
    description: 'Servicios de noviembre',
    recipients: [{ name: 'CLIENTE DE EJEMPLO', nif: '89890002E' }],
    coupon: false,
    agreementNumber: null,
    taxTotalCents,
    totalCents: breakdown.reduce((sum, line) => sum + line.baseCents, taxTotalCents),
    ...changes,
    breakdown,
  }
}

/** Every breakdown class that needs no special customer or date. */
const line: fc.Arbitrary<BreakdownLine> = fc
  .record({
    baseCents: fc.oneof(
      fc.integer({ min: -5_000_000, max: 5_000_000 }),
      fc.integer({ min: 0, max: 99_999_999_999 }),
    ),
    shape: fc.constantFrom(
      '21',
      '21re',
      '21tobacco',
      '10',
      '10re',
      '4',
      '4re',
      '0',
      'S2',
      'N1',
      'N2',
      'E1',
      'E2',
      'E4',
      'E6',
      'E3',
    ),
  })
  .map(({ baseCents, shape }) => {
    switch (shape) {
      case '21':
        return taxed(baseCents, 2100)
      case '21re':
        return { ...taxed(baseCents, 2100, 520), regimeKey: '18' }
      case '21tobacco':
        return taxed(baseCents, 2100, 175)
      case '10':
        return taxed(baseCents, 1000)
      case '10re':
        return taxed(baseCents, 1000, 140)
      case '4':
        return taxed(baseCents, 400)
      case '4re':
        return taxed(baseCents, 400, 50)
      case '0':
        return taxed(baseCents, 0)
      case 'E2':
      case 'E3':
        return untaxed(shape, baseCents, '02')
      case 'N2':
        return untaxed('N2', baseCents, '08')
      case 'S2':
      case 'N1':
      case 'E1':
      case 'E4':
      case 'E6':
        return untaxed(shape, baseCents)
      default:
        throw new Error(shape)
    }
  })

// Words in several scripts, with everything XML has to escape; no control characters, no outer blanks.
const words = (maxLength: number) =>
  fc
    .array(
      fc.constantFrom(
        'Servicios',
        'Ñandú',
        '&',
        '<b>',
        ']]>',
        '"x"',
        'l·l',
        '漢字',
        '😀',
        'a > b',
        '&amp;',
        "d'any",
        ' ',
        '\n',
      ),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((parts) => [...parts.join(' ').trim()].slice(0, maxLength).join('').trim() || 'Ventas')

const recipient: fc.Arbitrary<Recipient> = fc.oneof(
  words(120).map((name) => ({ name, nif: '89890002E' })),
  words(120).map((name) => ({ name, nif: 'B12345674' })),
  words(120).map((name) => ({ name, country: 'FR', idType: '02' as const, id: 'FR12345678901' })),
  words(120).map((name) => ({ name, country: 'GR', idType: '02' as const, id: 'EL123456789' })),
  words(120).map((name) => ({ name, country: 'US', idType: '04' as const, id: '12-3456789' })),
  words(120).map((name) => ({ name, country: 'MA', idType: '03' as const, id: 'AB123456' })),
)

const number = fc
  .array(fc.constantFrom(...'ABCXYZ0123456789-/. &_#%+()'), { minLength: 1, maxLength: 60 })
  .map((characters) => characters.join('').trim() || 'F-1')

/** Random invoices that the authority accepts without errors. */
export const validInvoice: fc.Arbitrary<RegistryInvoice> = fc
  .record({
    kind: fc.constantFrom('F1' as const, 'F2' as const),
    number,
    description: words(500),
    recipients: fc.array(recipient, { minLength: 1, maxLength: 2 }),
    breakdown: fc.array(line, { minLength: 1, maxLength: 12 }),
    operationDate: fc.constantFrom(null, '2026-11-16', '2026-10-31', '2025-02-28'),
    flag: fc.boolean(),
    issuerName: words(120),
  })
  .map(({ kind, flag, issuerName, ...facts }) =>
    kind === 'F1'
      ? invoice({ ...facts, kind, simplifiedArt7273: flag, issuer: { ...ISSUER, name: issuerName } })
      : invoice({
          ...facts,
          kind,
          recipients: [],
          withoutRecipientArt61d: flag,
          breakdown: facts.breakdown
            .filter(({ taxTreatment }) => taxTreatment !== 'S2')
            .map((part) => (flag ? part : scaled(part)))
            .concat(taxed(1_000)),
        }),
  )
  .map((made) => ({ ...made, breakdown: made.breakdown.slice(0, 12) }))
  .map((made) => invoice({ ...made, ...sums(made.breakdown) }))

function sums(breakdown: BreakdownLine[]) {
  const { taxTotalCents, totalCents } = invoice({ breakdown })
  return { taxTotalCents, totalCents }
}

/** The line brought below what a simplified invoice may bear: twelve of these stay under 3,000 EUR. */
function scaled(part: BreakdownLine): BreakdownLine {
  const baseCents = part.baseCents % 15_000
  if (part.taxTreatment !== 'S1') return { ...part, baseCents }
  return { ...taxed(baseCents, part.vatRateBp ?? 0, part.surchargeRateBp), regimeKey: part.regimeKey }
}

/** A simulated authority with its clock at the records' time. */
export function openSimulator(changes: Partial<SimulatorOptions> = {}) {
  const state = memoryState()
  let csvs = 0
  const newCsv = () => `A-${String(++csvs).padStart(14, '0')}`
  const simulator = createSimulator({ state, now: () => NOW, newCsv, ...changes })
  return { simulator, state }
}

/** Builds a record and its message, lets `spoil` change the text, and returns what the simulated authority answers. */
export async function submitted(
  made: RegistryInvoice,
  spoil: (xml: string) => string = (xml) => xml,
  { previous = PREVIOUS, ...changes }: Partial<SimulatorOptions> & { previous?: ChainLink | null } = {},
): Promise<Reply> {
  const { xml } = buildRegistration(made, previous, SYSTEM, GENERATED_AT)
  const message = spoil(buildSubmission({ issuer: ISSUER }, [xml]))
  return readReply(await openSimulator(changes).simulator.submit(message))
}

/** State and code of the only record of an answer, or the fault's code. */
export function verdict(reply: Reply): string {
  if (reply.kind === 'fault') return `fault ${reply.code ?? reply.message}`
  if (reply.kind === 'unreadable') return `unreadable ${reply.why}`
  const [first, ...others] = reply.lines
  if (!first || others.length > 0) throw new Error('One record was expected.')
  return first.code === undefined ? first.state : `${first.state} ${first.code}`
}
