/**
 * T9: the cost of a record, from the facts of an invoice to bytes: hash, text, message; also verification and
 * compression.
 */
import manifest from '../../package.json' with { type: 'json' }
import { registryDate } from '../../server/domain/dates.ts'
import { centsToText } from '../../server/domain/money.ts'
import { createDice } from '../../server/app/demo/index.ts'
import { registrationHash, verifyLink } from '../../server/registry/systems/verifactu/record/chain.ts'
import { packXml, unpackXml } from '../../server/registry/systems/packing.ts'
import type {
  ChainLink,
  RegistryInvoice,
  SystemInfo,
} from '../../server/registry/systems/verifactu/record/fields.ts'
import { readSealedRecord } from '../../server/registry/systems/verifactu/record/sealed.ts'
import { buildRegistration } from '../../server/registry/systems/verifactu/record/xml.ts'
import {
  buildSubmission,
  MAX_RECORDS_PER_SUBMISSION,
} from '../../server/registry/systems/verifactu/wire/messages.ts'
import type { Group } from '../bench.ts'
import { LimitRecords } from '../limits/registry.ts'
import type { PlainInvoice } from '../limits/registry.ts'
import { context, judge, processCpuUs, race } from '../method.ts'
import type { Bar, Side, Turn } from '../method.ts'

const RECORDS = 5000
const ISSUER = { nif: 'B12345674', name: 'Talleres Norte SL' }
const DAY = '2026-07-01'
const GENERATED_AT = `${DAY}T10:00:00+02:00`
const SYSTEM: SystemInfo = {
  producer: { name: 'PRODUCTOR DE PRUEBA', nif: '89890001K' },
  name: 'Sello',
  id: 'S1',
  version: manifest.version,
  installationNumber: '20260101000000-0001',
  onlyVerifactu: true,
  multiIssuer: true,
  severalIssuers: false,
}
const CLIENTS = [
  { name: 'Ana Ruiz Gil', nif: '12345678Z' },
  { name: 'Panadería Salinas 1898 S.L.', nif: 'B50132869' },
  { name: 'Muñoz, García y Asociados SCP', nif: 'J1234567D' },
]
const DESCRIPTIONS = [
  'Diseño de la página de reservas; Mantenimiento mensual; Desplazamiento',
  'Alojamiento, por noche; Formación al equipo (sesión de dos horas)',
  'Mano de obra',
]

/**
 * A known implementation (verifactu-js) took 90 times as long as such a limit for a hash and 6 times as long for a
 * text: twice the limit is 45 and 3 times as fast, and even the floor of the text is twice as fast. The difference
 * between one and these floors is the cost of the general form: each value trimmed, escaped and optional.
 */
const BARS: Record<'hash' | 'xml' | 'batch', Bar> = {
  hash: { better: 'less', floor: 2, goal: 1.5 },
  xml: { better: 'less', floor: 3, goal: 2 },
  batch: { better: 'less', floor: 1.5, goal: 1.1 },
}

function plainInvoices(): PlainInvoice[] {
  const dice = createDice(3)
  return Array.from({ length: RECORDS }, (_, index) => {
    const baseCents = 1000 + dice(500_000)
    const taxCents = Math.round(baseCents * 0.21)
    const client = CLIENTS[dice(CLIENTS.length)] as (typeof CLIENTS)[number]
    return {
      number: `F2026-${String(index + 1).padStart(4, '0')}`,
      recordId: `rec-${index + 1}`,
      clientName: client.name,
      clientNif: client.nif,
      description: DESCRIPTIONS[dice(DESCRIPTIONS.length)] as string,
      baseCents,
      taxCents,
      totalCents: baseCents + taxCents,
    }
  })
}

/** Returns the same invoice in the product's form. */
function invoiceOf(plain: PlainInvoice): RegistryInvoice {
  return {
    recordId: plain.recordId,
    turn: 'first',
    issuer: ISSUER,
    number: plain.number,
    issueDate: DAY,
    operationDate: null,
    kind: 'F1',
    rectification: null,
    rectified: [],
    substituted: [],
    simplifiedArt7273: false,
    withoutRecipientArt61d: false,
    madeBy: null,
    description: plain.description,
    recipients: [{ name: plain.clientName, nif: plain.clientNif }],
    coupon: false,
    breakdown: [
      {
        tax: '01',
        taxTreatment: 'S1',
        regimeKey: '01',
        vatRateBp: 2100,
        baseCents: plain.baseCents,
        costBaseCents: null,
        taxCents: plain.taxCents,
        surchargeRateBp: null,
        surchargeCents: 0,
      },
    ],
    taxTotalCents: plain.taxCents,
    totalCents: plain.totalCents,
    agreementNumber: null,
  }
}

function hashOf(invoice: RegistryInvoice, previousHash: string): string {
  return registrationHash({
    issuerNif: invoice.issuer.nif,
    number: invoice.number,
    issueDate: registryDate(invoice.issueDate),
    invoiceKind: invoice.kind,
    taxTotal: centsToText(invoice.taxTotalCents),
    total: centsToText(invoice.totalCents),
    previousHash,
    generatedAt: GENERATED_AT,
  })
}

/** Calls `use` with every record of a chain, as the product creates it. */
function eachRecord(invoices: readonly RegistryInvoice[], use: (xml: string) => void): void {
  let previous: ChainLink | null = null
  for (const invoice of invoices) {
    const { xml, hash } = buildRegistration(invoice, previous, SYSTEM, GENERATED_AT)
    previous = { issuerNif: invoice.issuer.nif, number: invoice.number, issueDate: invoice.issueDate, hash }
    use(xml)
  }
}

const PASSES = 4

/** Measures a whole turn of several passes over all records: one record is too short to measure. */
function whole(work: () => void): Side {
  return {
    run() {
      const cpu = processCpuUs()
      const start = performance.now()
      for (let pass = 0; pass < PASSES; pass += 1) work()
      const elapsedMs = performance.now() - start
      return Promise.resolve({ operations: RECORDS * PASSES, elapsedMs, cpuUs: processCpuUs() - cpu })
    },
  }
}

function assertSame(what: string, subject: unknown, limit: unknown): void {
  if (subject !== limit)
    throw new Error(`The limit made another ${what}: ${String(limit)} and not ${String(subject)}`)
}

interface Contest {
  subject: () => void
  limit: () => void
  target: string
  bar: Bar | null
  note: string
}

/** Returns both sides of each scenario, after checking that their output is identical. */
function contests(): Record<string, Contest> {
  const plain = plainInvoices()
  const invoices = plain.map(invoiceOf)
  const limit = new LimitRecords({
    issuer: ISSUER,
    day: registryDate(DAY),
    generatedAt: GENERATED_AT,
    system: SYSTEM,
  })
  const xmls: string[] = []
  eachRecord(invoices, (xml) => xmls.push(xml))
  let previous = ''
  for (const [index, invoice] of invoices.entries()) {
    const hash = hashOf(invoice, previous)
    const one = plain[index] as PlainInvoice
    assertSame('record', xmls[index], limit.nextRecord(one))
    assertSame('hash', hash, limit.proof(xmls[index] ?? '', previous))
    previous = hash
  }
  limit.restart()
  let last = ''
  for (const one of plain) last = limit.nextHash(one)
  assertSame('hash', previous, last)
  const batches = Array.from({ length: RECORDS / MAX_RECORDS_PER_SUBMISSION }, (_, index) =>
    xmls.slice(index * MAX_RECORDS_PER_SUBMISSION, (index + 1) * MAX_RECORDS_PER_SUBMISSION),
  )
  for (const batch of batches)
    assertSame('message', buildSubmission({ issuer: ISSUER }, batch), limit.message(batch))

  // A string that is never written may exist only as a rope of its parts.
  const sink = Buffer.alloc(16 * 1024 * 1024)
  return {
    'registry.hash': {
      target: 'T9',
      bar: BARS.hash,
      note: 'facts to hash, each chained to the one before',
      subject: () => {
        let before = ''
        for (const invoice of invoices) before = hashOf(invoice, before)
      },
      limit: () => {
        limit.restart()
        for (const one of plain) limit.nextHash(one)
      },
    },
    'registry.xml': {
      target: 'T9',
      bar: BARS.xml,
      note: 'facts to the bytes of the record with its hash',
      subject: () => eachRecord(invoices, (xml) => void sink.write(xml)),
      limit: () => {
        limit.restart()
        for (const one of plain) sink.write(limit.nextRecord(one))
      },
    },
    'registry.batch': {
      target: 'T9',
      bar: BARS.batch,
      note: '1,000 records to the bytes of a message, told for one record',
      subject: () => {
        for (const batch of batches) sink.write(buildSubmission({ issuer: ISSUER }, batch))
      },
      limit: () => {
        for (const batch of batches) sink.write(limit.message(batch))
      },
    },
    'registry.verify': {
      target: '',
      bar: null,
      note: 'text to a proven link; limit: values cut out where they are known to stand',
      subject: () => {
        let before: ChainLink | null = null
        for (const xml of xmls) {
          const record = readSealedRecord(xml)
          if (verifyLink(record, before) !== null) throw new Error('A record does not verify.')
          before = record.link
        }
      },
      limit: () => {
        let before: string | null = ''
        for (const xml of xmls)
          if ((before = limit.proof(xml, before)) === null) throw new Error('A record does not verify.')
      },
    },
  }
}

async function turnsOf(side: Side, rounds: number): Promise<Turn[]> {
  const turns: Turn[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const turn = await side.run(round)
    if (round > 0) turns.push(turn)
  }
  return turns
}

export const registryGroup: Group = {
  names: ['registry.hash', 'registry.xml', 'registry.batch', 'registry.verify', 'registry.pack'],
  async run(bench, wanted) {
    const size = String(RECORDS)
    for (const [name, { subject, limit, ...rest }] of Object.entries(contests())) {
      if (!wanted.has(name)) continue
      const result = await race(whole(subject), whole(limit), bench.rounds)
      bench.report(judge(result, { ...rest, name, size, unit: 'us' }))
    }
    if (!wanted.has('registry.pack')) return
    const xmls: string[] = []
    eachRecord(plainInvoices().map(invoiceOf), (xml) => xmls.push(xml))
    const packed = xmls.map((xml) => packXml(xml))
    const bytes = Math.round(packed.reduce((sum, { length }) => sum + length, 0) / RECORDS)
    const sides = {
      [`for the store, ${bytes} bytes of ${Buffer.byteLength(xmls[1] ?? '')}`]: () =>
        void xmls.map((xml) => packXml(xml)),
      'and back': () => void packed.map((bytes) => unpackXml(bytes)),
    }
    for (const [note, work] of Object.entries(sides))
      bench.report(
        context(await turnsOf(whole(work), bench.rounds), { name: 'registry.pack', size, unit: 'us', note }),
      )
  },
}
