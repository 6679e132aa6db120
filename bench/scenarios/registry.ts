/** What the record itself costs: its hash and its text, against the bare digest of the same bytes. For context. */
import { hash } from 'node:crypto'
import manifest from '../../package.json' with { type: 'json' }
import { createDice } from '../../server/demo/index.ts'
import { registrationHash, registrationText } from '../../server/registry/record/chain.ts'
import type { ChainLink, RegistryInvoice, SystemInfo } from '../../server/registry/record/fields.ts'
import { buildRegistration } from '../../server/registry/record/xml.ts'
import type { Group } from '../bench.ts'
import { judge, processCpuUs, race } from '../method.ts'
import type { Side } from '../method.ts'

const RECORDS = 5000
const ISSUER = { nif: 'B12345674', name: 'Talleres Norte SL' }
const GENERATED_AT = '2026-07-01T10:00:00+02:00'
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

function invoices(): RegistryInvoice[] {
  const dice = createDice(3)
  return Array.from({ length: RECORDS }, (_, index) => {
    const baseCents = 1000 + dice(500_000)
    const taxCents = Math.round(baseCents * 0.21)
    return {
      recordId: `rec-${index + 1}`,
      turn: 'first',
      issuer: ISSUER,
      number: `F2026-${String(index + 1).padStart(4, '0')}`,
      issueDate: '2026-07-01',
      operationDate: null,
      kind: 'F1',
      rectification: null,
      rectified: [],
      substituted: [],
      simplifiedArt7273: false,
      withoutRecipientArt61d: false,
      madeBy: null,
      description: 'Diseño de la página de reservas; Mantenimiento mensual; Desplazamiento',
      recipients: [{ name: 'Ana Ruiz Gil', nif: '12345678Z' }],
      coupon: false,
      agreementNumber: null,
      breakdown: [
        {
          tax: '01',
          taxTreatment: 'S1',
          regimeKey: '01',
          vatRateBp: 2100,
          baseCents,
          costBaseCents: null,
          taxCents,
          surchargeRateBp: null,
          surchargeCents: 0,
        },
      ],
      taxTotalCents: taxCents,
      totalCents: baseCents + taxCents,
    } satisfies RegistryInvoice
  })
}

/** A whole turn timed at once: one record is too short to time alone. */
function whole(work: () => void): Side {
  return {
    async run() {
      const cpu = processCpuUs()
      const start = performance.now()
      work()
      return { operations: RECORDS, elapsedMs: performance.now() - start, cpuUs: processCpuUs() - cpu }
    },
  }
}

const textOf = (invoice: RegistryInvoice, previousHash: string) => ({
  issuerNif: invoice.issuer.nif,
  number: invoice.number,
  issueDate: '01-07-2026',
  invoiceKind: invoice.kind,
  taxTotal: (invoice.taxTotalCents / 100).toFixed(2),
  total: (invoice.totalCents / 100).toFixed(2),
  previousHash,
  generatedAt: GENERATED_AT,
})

export const registryGroup: Group = {
  names: ['registry.hash', 'registry.xml'],
  async run(bench, wanted) {
    const all = invoices()
    // The same bytes, made beforehand: what is left is the digest.
    const texts = all.map((invoice) => registrationText(textOf(invoice, 'A'.repeat(64))))
    const xmls = all.map((invoice) => buildRegistration(invoice, null, SYSTEM, GENERATED_AT).xml)
    const plan = {
      'registry.hash': {
        subject: () => {
          let previous = ''
          for (const invoice of all) previous = registrationHash(textOf(invoice, previous))
        },
        limit: () => {
          for (const text of texts) hash('sha256', text, 'hex').toUpperCase()
        },
        note: 'limit: SHA-256 of texts made beforehand',
      },
      'registry.xml': {
        subject: () => {
          let previous: ChainLink | null = null
          for (const invoice of all) {
            const built = buildRegistration(invoice, previous, SYSTEM, GENERATED_AT)
            previous = {
              issuerNif: ISSUER.nif,
              number: invoice.number,
              issueDate: invoice.issueDate,
              hash: built.hash,
            }
          }
        },
        limit: () => {
          for (const xml of xmls) hash('sha256', xml, 'hex')
        },
        note: 'limit: SHA-256 of XML made beforehand',
      },
    }
    for (const [name, { subject, limit, note }] of Object.entries(plan)) {
      if (!wanted.has(name)) continue
      const result = await race(whole(subject), whole(limit), bench.rounds)
      bench.report(judge(result, { target: '', name, size: String(RECORDS), unit: 'us', bar: null, note }))
    }
  },
}
