/** Suggestions for a movement: a table that a bookkeeper can read, with the reasons in the page's words. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bank } from '../../../../renderer/locales/es/bank.ts'
import { indexOpenItems, suggest } from '../../../../server/accounting/bank/match/engine.ts'
import { confidenceOf, REASON_CODES } from '../../../../server/accounting/bank/match/score.ts'
import type {
  MovementFacts,
  OpenDocument,
  OpenItems,
  RuleFacts,
} from '../../../../server/accounting/bank/match/types.ts'

const IBAN_CAFE = 'ES7921000813610123456789'
const IBAN_SAVINGS = 'ES6901822370470201504569'

let row = 0
function document(
  kind: 'invoice' | 'received',
  number: string,
  party: string,
  euros: number,
  issueDate: string,
  dueDate: string | null,
  more: Partial<OpenDocument> = {},
): OpenDocument {
  row++
  const cents = Math.round(euros * 100)
  return {
    kind,
    rowId: row,
    id: `${kind}-${number}`,
    number,
    party,
    nif: null,
    contactRowId: null,
    contactId: null,
    iban: null,
    effectCents: kind === 'invoice' ? cents : -cents,
    issueDate,
    dueDate,
    instalments: [],
    isHistory: false,
    ...more,
  }
}

const rule = (id: string, more: Partial<RuleFacts>): RuleFacts => ({
  rowId: ++row,
  id,
  origin: 'learned',
  automatic: false,
  direction: 'out',
  counterpartyIban: null,
  textKey: null,
  ledgerAccount: null,
  contactRowId: null,
  contactId: null,
  contactName: null,
  uses: 1,
  ...more,
})

const cafe = { contactRowId: 1, contactId: 'con-cafe', nif: 'B12345674' }
const bikes = { contactRowId: 2, contactId: 'con-bikes' }
const items: OpenItems = {
  companyKind: 'legal',
  documents: [
    document('invoice', 'F2026-0012', 'Café del Puerto, S.L.', 1210, '2026-10-01', '2026-10-31', cafe),
    document('invoice', 'F2026-0015', 'Café del Puerto, S.L.', 302.5, '2026-10-15', '2026-11-14', cafe),
    document('invoice', 'F2026-0013', 'Bicis Norte, S.A.', 242, '2026-10-05', '2026-11-04', bikes),
    document('invoice', 'F2026-0014', 'Ana Pérez Gómez', 242, '2026-10-06', '2026-11-05'),
    document('invoice', 'F2026-0016', 'Ayuntamiento de Villanueva', 4840, '2026-09-01', '2026-10-31'),
    document('invoice', 'F2026-0017', 'Estudio Lluna SCP', 605, '2026-10-20', '2026-11-19'),
    document('invoice', 'F2026-0018', 'Estudio Lluna SCP', 121, '2026-10-21', '2026-11-20'),
    document('invoice', 'F2026-0019', 'Estudio Lluna SCP', 60.5, '2026-10-22', '2026-11-21'),
    document('invoice', 'R2026-0001', 'Bicis Norte, S.A.', -42, '2026-10-25', null, bikes),
    document('received', 'FE26-55102', 'Comercializadora Eñe, S.L.', 84.7, '2026-10-28', '2026-11-05'),
    document('received', 'A/2211', 'Recambios Sur', 363, '2026-10-10', '2026-11-09'),
    document('received', 'A/2240', 'Recambios Sur', 121, '2026-10-20', '2026-11-19'),
    document('received', '77', 'Gestoría Mar', 145.2, '2026-11-01', '2026-11-15'),
    document('received', 'AB-9', 'Recambios Sur', -20, '2026-10-30', null),
  ],
  payments: [
    { rowId: 1, id: 'pay-1', effectCents: 60500, date: '2026-11-02', party: 'Óptica Sol', reference: null },
    { rowId: 2, id: 'pay-2', effectCents: -9900, date: '2026-10-20', party: null, reference: 'Dominio' },
  ],
  remittances: [
    { rowId: 1, id: 'rem-1', effectCents: 145200, date: '2026-11-05', name: 'REM-20261105', kind: 'debit' },
  ],
  transfers: [
    {
      rowId: 900,
      id: 'btx-900',
      accountId: 2,
      accountPublicId: 'bac-2',
      accountName: 'Ahorro',
      amountCents: -50000,
      date: '2026-11-06',
      waitsFor: null,
    },
    {
      rowId: 901,
      id: 'btx-901',
      accountId: 2,
      accountPublicId: 'bac-2',
      accountName: 'Ahorro',
      amountCents: -77700,
      date: '2026-11-08',
      waitsFor: 1,
    },
  ],
  accounts: [
    { rowId: 1, id: 'bac-1', name: 'Corriente', iban: 'ES9121000418450200051332', ledgerAccount: '572' },
    { rowId: 2, id: 'bac-2', name: 'Ahorro', iban: IBAN_SAVINGS, ledgerAccount: '5720001' },
  ],
  rules: [
    rule('learned-iban', {
      counterpartyIban: IBAN_CAFE,
      direction: 'in',
      contactRowId: 1,
      contactId: 'con-cafe',
    }),
    rule('learned-text', { textKey: 'parking centro', ledgerAccount: '629', uses: 2 }),
    rule('own', { origin: 'person', textKey: 'cuota asociacion', ledgerAccount: '629' }),
  ],
}
const index = indexOpenItems(items)

function movement(euros: number, text: string, more: Partial<MovementFacts> = {}): MovementFacts {
  return {
    id: 1,
    accountId: 1,
    date: '2026-11-06',
    amountCents: Math.round(euros * 100),
    text,
    counterparty: null,
    counterpartyIban: null,
    reference: null,
    concept: null,
    details: [],
    ...more,
  }
}

interface Case {
  name: string
  of: MovementFacts
  /** The best suggestion: the settled document or the account, each with its euros; null when none is good enough. */
  best: string | null
  confidence?: 'sure' | 'likely' | 'possible'
  /** A reason that it must contain. */
  because?: string
}

const cases: Case[] = [
  {
    name: 'amount and number',
    of: movement(1210, 'TRANSF FRA F2026-0012'),
    best: 'F2026-0012 1210',
    confidence: 'sure',
    because: 'number_in_text',
  },
  {
    name: 'number without separators',
    of: movement(1210, 'PAGO F20260012'),
    best: 'F2026-0012 1210',
    confidence: 'sure',
  },
  {
    name: 'number without zeros',
    of: movement(1210, 'pago f/2026/12'),
    best: 'F2026-0012 1210',
    confidence: 'sure',
  },
  {
    name: 'only the sequence after "factura"',
    of: movement(1210, 'PAGO FACTURA 12'),
    best: 'F2026-0012 1210',
    because: 'sequence_in_text',
  },
  {
    name: 'amount and name',
    of: movement(1210, 'TRANSFERENCIA DE CAFE DEL PUERTO SL'),
    best: 'F2026-0012 1210',
    confidence: 'sure',
    because: 'name_whole',
  },
  {
    name: 'amount and a name cut by the bank',
    of: movement(4840, 'AYUNTAMIENTO DE VILLANU'),
    best: 'F2026-0016 4840',
    because: 'name_whole',
  },
  {
    name: 'amount and tax number',
    of: movement(302.5, 'B12345674 CONCEPTO VARIOS'),
    best: 'F2026-0015 302.5',
    confidence: 'sure',
    because: 'nif_in_text',
  },
  {
    name: 'amount and an account known from before',
    of: movement(302.5, 'TRANSFERENCIA', { counterpartyIban: IBAN_CAFE }),
    best: 'F2026-0015 302.5',
    confidence: 'sure',
    because: 'iban_known',
  },
  {
    name: 'the amount alone, and nothing else has it',
    of: movement(4840, 'TRANSFERENCIA RECIBIDA'),
    best: 'F2026-0016 4840',
    confidence: 'likely',
    because: 'amount_only',
  },
  {
    name: 'two of the same amount and nothing to tell them',
    of: movement(242, 'TRANSFERENCIA'),
    best: 'F2026-0013 242',
    confidence: 'possible',
    because: 'amount_shared',
  },
  {
    name: 'two of the same amount, told by the name',
    of: movement(242, 'BIZUM DE ANA PEREZ GOMEZ'),
    best: 'F2026-0014 242',
    because: 'name_whole',
  },
  {
    name: 'two of the same amount, told by the number',
    of: movement(242, 'F2026-0014'),
    best: 'F2026-0014 242',
    confidence: 'sure',
  },
  {
    name: 'three days after the due date',
    of: movement(1210, 'F2026-0012', { date: '2026-11-03' }),
    best: 'F2026-0012 1210',
    because: 'due_after',
  },
  {
    name: 'the due date itself',
    of: movement(1210, 'F2026-0012', { date: '2026-10-31' }),
    best: 'F2026-0012 1210',
    because: 'due_same_day',
  },
  {
    name: 'before it is due',
    of: movement(605, 'ESTUDIO LLUNA', { date: '2026-11-01' }),
    best: 'F2026-0017 605',
    because: 'due_before',
  },
  {
    name: 'before it was issued',
    of: movement(4840, 'TRANSFERENCIA', { date: '2026-08-01' }),
    best: 'F2026-0016 4840',
    confidence: 'possible',
    because: 'before_issue',
  },
  {
    name: 'all that a customer owes',
    of: movement(1512.5, 'TRANSF DE CAFE DEL PUERTO'),
    best: 'F2026-0012 1210 + F2026-0015 302.5',
    because: 'amount_all_owed',
  },
  {
    name: 'some of what a customer owes',
    of: movement(726, 'ESTUDIO LLUNA SCP'),
    best: 'F2026-0017 605 + F2026-0018 121',
    because: 'amount_combination',
  },
  {
    name: 'all three, with their numbers',
    of: movement(786.5, 'FRAS F2026-0017, F2026-0018 y F2026-0019'),
    best: 'F2026-0017 605 + F2026-0018 121 + F2026-0019 60.5',
    confidence: 'sure',
    because: 'amount_quoted',
  },
  {
    name: 'an invoice less a credit note',
    of: movement(200, 'BICIS NORTE SA'),
    best: 'F2026-0013 242 + R2026-0001 -42',
    because: 'amount_all_owed',
  },
  {
    name: 'a credit note paid back',
    of: movement(-42, 'TRANSFERENCIA A BICIS NORTE R2026-0001'),
    best: 'R2026-0001 -42',
    confidence: 'sure',
  },
  {
    name: 'a part of one invoice',
    of: movement(1000, 'A CUENTA F2026-0012'),
    best: 'F2026-0012 1000',
    because: 'amount_partial',
  },
  {
    name: 'more than one invoice',
    of: movement(1250, 'PAGO F2026-0012 CAFE DEL PUERTO'),
    best: 'F2026-0012 1210 + 438 40',
    because: 'amount_over',
  },
  {
    name: 'less what a bank kept',
    of: movement(4825, 'TRANSF EXTRANJERO F2026-0016'),
    best: 'F2026-0016 4840 + 626 -15',
    because: 'amount_fee',
  },
  {
    name: 'paid out with a fee on top',
    of: movement(-366, 'TRANSFERENCIA A RECAMBIOS SUR A/2211'),
    best: 'A/2211 -363 + 626 -3',
    because: 'amount_fee_out',
  },
  {
    name: 'a supplier by its number',
    of: movement(-84.7, 'RECIBO LUZ FACTURA FE26-55102'),
    best: 'FE26-55102 -84.7',
    confidence: 'sure',
  },
  {
    name: 'a supplier by its name',
    of: movement(-363, 'ADEUDO RECAMBIOS SUR'),
    best: 'A/2211 -363',
    because: 'name_whole',
  },
  {
    name: 'all that is owed to a supplier, less its credit',
    of: movement(-464, 'TRANSFERENCIA RECAMBIOS SUR'),
    best: 'A/2211 -363 + A/2240 -121 + AB-9 20',
    because: 'amount_all_payable',
  },
  {
    name: 'a short number counts when it is quoted',
    of: movement(-145.2, 'PAGO FRA 77'),
    best: '77 -145.2',
    because: 'number_in_text',
  },
  {
    name: 'a short number in a date does not',
    of: movement(-145.2, 'COMPRA 11/77 TARJETA'),
    best: '77 -145.2',
    confidence: 'likely',
    because: 'amount_only',
  },
  {
    name: 'a batch of operations',
    of: movement(484, 'ABONO REMESA', {
      details: [
        { amountCents: 24200, name: 'Ana Pérez Gómez', iban: null, text: '' },
        { amountCents: 24200, name: 'Bicis Norte', iban: null, text: 'F2026-0013' },
      ],
    }),
    best: 'F2026-0014 242 + F2026-0013 242',
    because: 'batch_details',
  },
  {
    name: 'a payment written down before',
    of: movement(605, 'TRANSF OPTICA SOL', { date: '2026-11-03' }),
    best: 'pay-1 605',
    confidence: 'sure',
    because: 'payment_recorded',
  },
  {
    name: 'a payment written down weeks before',
    of: movement(-99, 'DOMINIO WEB', { date: '2026-11-06' }),
    best: 'pay-2 -99',
    confidence: 'possible',
    because: 'payment_days',
  },
  {
    name: 'a file of direct debits',
    of: movement(1452, 'ABONO REMESA RECIBOS SEPA', { date: '2026-11-06' }),
    best: 'rem-1 1452',
    confidence: 'sure',
    because: 'remittance_amount',
  },
  {
    name: 'a transfer whose other half is there',
    of: movement(500, 'TRASPASO'),
    best: 'bac-2 500',
    because: 'transfer_half',
  },
  {
    name: 'a transfer by the IBAN',
    of: movement(-123, 'TRANSFERENCIA', { counterpartyIban: IBAN_SAVINGS }),
    best: 'bac-2 -123',
    because: 'transfer_iban',
  },
  {
    name: 'a transfer that waits',
    of: movement(777, 'ABONO', { date: '2026-11-08' }),
    best: 'bac-2 777',
    because: 'transfer_waits',
  },
  {
    name: 'a rule of the person',
    of: movement(-30, 'RECIBO CUOTA ASOCIACION EMPRESARIOS'),
    best: '629 -30',
    confidence: 'sure',
    because: 'rule',
  },
  {
    name: 'what was learned',
    of: movement(-12, 'COMPRA PARKING CENTRO 4411'),
    best: '629 -12',
    because: 'learned_text',
  },
  {
    name: 'a fee of the bank',
    of: movement(-12.5, 'COMISIÓN MANTENIMIENTO CUENTA', { concept: '17' }),
    best: '626 -12.5',
    because: 'pattern_bank_fee',
  },
  {
    name: 'interest',
    of: movement(-8, 'LIQUIDACION DE INTERESES'),
    best: '662 -8',
    because: 'pattern_interest_paid',
  },
  {
    name: 'VAT by its form',
    of: movement(-3025, 'IMPUESTOS A.E.A.T. MODELO 303 3T'),
    best: '4750 -3025',
    because: 'pattern_tax_form',
  },
  {
    name: 'withholdings by their NRC',
    of: movement(-450, 'AEAT NRC 1112345678901A2B3C4D5E'),
    best: '4751 -450',
    because: 'pattern_tax_nrc',
  },
  {
    name: 'a refund of VAT',
    of: movement(900, 'DEVOLUCION AEAT MODELO 303'),
    best: '4700 900',
    because: 'pattern_tax_refund_form',
  },
  {
    name: 'social security of a company',
    of: movement(-320, 'TGSS COTIZACION'),
    best: '476 -320',
    because: 'pattern_social_security',
  },
  {
    name: 'wages',
    of: movement(-1400, 'NOMINA OCTUBRE', { concept: '15' }),
    best: '465 -1400',
    because: 'pattern_payroll',
  },
  {
    name: 'cash',
    of: movement(-200, 'REINTEGRO CAJERO', { concept: '11' }),
    best: '570 -200',
    because: 'pattern_cash_out',
  },
  { name: 'nothing known', of: movement(-17.33, 'COMPRA FERRETERIA LOPEZ'), best: null },
  { name: 'money in is never a supplier', of: movement(363, 'DEVOLUCION RECAMBIOS'), best: null },
]

const euros = (cents: number): number => cents / 100

function told(each: ReturnType<typeof suggest>[number]): string {
  return each.parts
    .map((part) => {
      const what =
        part.document?.number ?? part.payment?.id ?? part.remittance?.id ?? part.transfer?.account.id
      return `${what ?? part.ledgerAccount ?? ''} ${euros(part.amountCents)}`
    })
    .join(' + ')
}

const words: Record<string, string> = bank.bank.reason

/** Returns a reason as the page displays it. */
function inWords({ code, params }: { code: string; params: Record<string, string | number> }): string {
  const forms = (words[code] ?? code).split(' | ')
  const count = Number(params.count ?? params.days ?? params.uses ?? 0)
  const form = forms.length === 3 ? forms[Math.min(count, 2)] : forms[0]
  return (form ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    String(params[name] ?? (name === 'count' ? count : '')),
  )
}

test.each(cases.map((each) => [each.name, each] as const))('%s', (_, { of, best, confidence, because }) => {
  const [first] = suggest(of, index)
  expect(first ? told(first) : null).toBe(best)
  if (!first) return
  expect(first.parts.reduce((sum, part) => sum + part.amountCents, 0)).toBe(of.amountCents)
  if (confidence) expect(confidenceOf(first.score)).toBe(confidence)
  if (because) expect(first.reasons.map(({ code }) => code)).toContain(because)
})

test('the same books in another order give the same suggestions', () => {
  const turned = indexOpenItems({
    ...items,
    documents: items.documents.toReversed(),
    payments: items.payments.toReversed(),
    transfers: items.transfers.toReversed(),
  })
  for (const { of } of cases) {
    const plain = (found: ReturnType<typeof suggest>) => found.map((each) => [told(each), each.score])
    expect(plain(suggest(of, turned))).toEqual(plain(suggest(of, index)))
  }
})

test('the parts of every suggestion add up, and every reason has a text', () => {
  for (const { of } of cases)
    for (const each of suggest(of, index)) {
      expect(each.parts.reduce((sum, part) => sum + part.amountCents, 0)).toBe(of.amountCents)
      for (const { code } of each.reasons) expect(REASON_CODES).toContain(code)
    }
  expect(Object.keys(words).toSorted()).toEqual([...REASON_CODES].toSorted())
})

test('the table of suggestions is readable by a bookkeeper', async () => {
  const lines = ['# What movements are taken for', '']
  for (const { name, of } of cases) {
    lines.push(`## ${name}`, '', `${of.date} · ${euros(of.amountCents).toFixed(2)} € · ${of.text}`, '')
    for (const each of suggest(of, index).slice(0, 2))
      lines.push(
        `- ${each.score} ${bank.bank.confidence[confidenceOf(each.score)]}: ${told(each)}`,
        ...each.reasons.map(
          (reason) => `  - ${inWords(reason)} (${reason.points > 0 ? '+' : ''}${reason.points})`,
        ),
      )
    lines.push('')
  }
  await expect(lines.join('\n')).toMatchFileSnapshot(
    join(import.meta.dirname, '../../../golden/bank/suggestions.md'),
  )
})
