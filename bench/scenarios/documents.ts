/** The cost of a document, from the facts of an invoice to the signed file, and its effect on the server. */
import { createPrivateKey } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { ciiXml, eInvoiceOf } from '../../server/documents/e-invoice/index.ts'
import { createDocumentPool } from '../../server/documents/rendering/index.ts'
import type { DocumentJob } from '../../server/documents/rendering/index.ts'
import { contentOnPaper, partyOf } from '../../server/documents/rendering/paper-of.ts'
import makeDocument from '../../server/documents/rendering/worker.ts'
import { PLAIN_CONTENT, PLAIN_LINE, totalsOf } from '../../server/sales/invoices/index.ts'
import type { DraftContent, PartyFacts } from '../../server/sales/invoices/index.ts'
import { layOut } from '../../server/documents/pdf/layout/index.ts'
import type { InvoicePaper } from '../../server/documents/pdf/index.ts'
import { makeCertificate } from '../../test/support/files/certificates.ts'
import type { Group } from '../bench.ts'
import { plainDocument } from '../limits/document.ts'
import { context, judge, median, percentile, race, timeEach } from '../method.ts'
import type { Bar, Turn } from '../method.ts'

const MICRO = 1_000_000
const NUMBER = 'F2026-0042'
const DAY = '2026-07-01'

/** The cost beyond the plain page: tags, metadata, the embedded XML and the signature increment. */
const BARS: Record<'page' | 'lines', Bar> = {
  page: { better: 'less', floor: 2.5, goal: 2 },
  lines: { better: 'less', floor: 2.5, goal: 2 },
}

const party = (name: string, nif: string): PartyFacts => ({
  name,
  tradeName: null,
  nif,
  idType: null,
  street: 'Calle de la Palma, 27',
  postalCode: '28004',
  city: 'Madrid',
  province: 'Madrid',
  country: 'ES',
  email: 'hola@ejemplo.example',
  phone: null,
  iban: 'ES9121000418450200051332',
  registryInscription: 'Registro Mercantil de Madrid, tomo 41.234, folio 56, hoja M-728.901',
  dir3: null,
})
const ISSUER = party('Talleres Norte, S.L.', 'B12345674')
const CLIENT = party('Conservas del Cantábrico, S.A.', 'A39000013')

const DESCRIPTIONS = [
  'Diseño de la página de inicio',
  'Sesión fotográfica de producto en estudio, media jornada, con retoque básico de veinte imágenes y entrega en alta resolución',
  'Horas de programación',
  'Revisión de textos y traducción al inglés y al francés de las fichas de producto',
]

/** Returns a job with that many lines, signed by an RSA key. */
function jobOf(lines: number): Extract<DocumentJob, { kind: 'draw' }> {
  const content: DraftContent = {
    ...PLAIN_CONTENT,
    kind: 'F1',
    issueDate: DAY,
    dueDate: DAY,
    client: CLIENT,
    paymentMethod: 'transfer',
    lines: Array.from({ length: lines }, (_, index) => ({
      ...PLAIN_LINE,
      description: `${index + 1}. ${DESCRIPTIONS[index % DESCRIPTIONS.length]}`,
      quantityMicro: ((index % 7) + 1) * MICRO,
      unitPriceMicro: (12 + (index % 40)) * MICRO,
      vatRateBp: index % 4 === 3 ? 1000 : 2100,
    })),
  }
  const totals = totalsOf(content)
  const paper: InvoicePaper = {
    ...contentOnPaper(content, totals),
    document: 'invoice',
    format: 'a4',
    hidesPrices: false,
    state: 'issued',
    environment: 'production',
    number: NUMBER,
    issueDate: DAY,
    validUntil: null,
    issuer: { ...partyOf(ISSUER), registryInscription: ISSUER.registryInscription },
    payment: {
      method: 'Transferencia bancaria',
      chargedOn: null,
      account: ISSUER.iban,
      reference: NUMBER,
      qr: null,
    },
    registry: {
      qrUrl: `https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=${NUMBER}&fecha=01-07-2026&importe=4926.19`,
    },
    createdAt: '2026-07-01T08:20:30.000Z',
    accent: null,
    logo: null,
    footer: null,
  }
  const xml = ciiXml(
    eInvoiceOf(content, totals, {
      number: NUMBER,
      seriesCode: 'F2026',
      issueDate: DAY,
      issuer: ISSUER,
      debit: null,
    }),
  )
  const { keyPem, certPem } = makeCertificate({ keyType: 'rsa' })
  return {
    kind: 'draw',
    paper,
    xml,
    signing: {
      keyPem,
      chainPem: certPem,
      signedAt: '2026-07-01T08:20:31.000Z',
      name: 'Talleres Norte, S.L.',
      fieldLabel: 'Firma electrónica',
    },
  }
}

const PAGE_LINES = 8
const MANY_LINES = 500
const LOOP_PAGES = 150
const LOOP_LONG = 6

/** Measures the timer delay of the main thread, in milliseconds, while a worker thread renders. */
async function loopTurn(jobs: readonly DocumentJob[]): Promise<Turn & { worstMs: number }> {
  const pool = createDocumentPool()
  await pool.make(jobs[0] as DocumentJob)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const start = performance.now()
  await Promise.all(jobs.map((job) => pool.make(job)))
  const elapsedMs = performance.now() - start
  delay.disable()
  await pool.close()
  // Each sample includes the resolution.
  const latenciesMs = [delay.percentile(50), delay.percentile(99)].map((ns) => Math.max(0, ns / 1e6 - 1))
  return { operations: jobs.length, elapsedMs, cpuUs: null, latenciesMs, worstMs: delay.max / 1e6 - 1 }
}

export const documentGroup: Group = {
  names: ['documents.page', 'documents.lines500', 'documents.loop'],
  async run({ rounds, report }, wanted) {
    const contest = async (name: string, lines: number, operations: number, bar: Bar): Promise<void> => {
      const job = jobOf(lines)
      const layout = layOut(job.paper)
      const key = createPrivateKey(job.signing?.keyPem ?? '')
      const made = await makeDocument(job)
      const plain = await plainDocument(layout, key)
      const result = await race(
        { run: () => timeEach(operations, () => makeDocument(job)) },
        { run: () => timeEach(operations, () => plainDocument(layout, key)) },
        rounds,
      )
      const size = made.bytes.byteLength + (made.signature?.appended.byteLength ?? 0)
      const note = `${made.pages} pages, ${Math.round(size / 1000)} kB signed; limit: the same ink, ${Math.round(plain.bytes.byteLength / 1000)} kB`
      report(judge(result, { target: '', name, size: `${lines} lines`, unit: 'ms', bar, note }))
    }
    if (wanted.has('documents.page')) await contest('documents.page', PAGE_LINES, 60, BARS.page)
    if (wanted.has('documents.lines500')) await contest('documents.lines500', MANY_LINES, 4, BARS.lines)
    if (wanted.has('documents.loop')) {
      const jobs = [
        ...Array.from({ length: LOOP_PAGES }, () => jobOf(PAGE_LINES)),
        ...Array.from({ length: LOOP_LONG }, () => jobOf(MANY_LINES)),
      ]
      const turns: Awaited<ReturnType<typeof loopTurn>>[] = []
      for (let round = 0; round < rounds; round += 1) turns.push(await loopTurn(jobs))
      const latencies = turns.map((turn) => turn.latenciesMs?.[1] ?? 0)
      const perSecond = median(turns.map((turn) => (turn.operations * 1000) / turn.elapsedMs))
      const note = `delay of the main thread's timers: p99 ${median(latencies).toFixed(1)} ms, worst ${percentile(
        turns.map((turn) => turn.worstMs),
        50,
      ).toFixed(1)} ms; ${perSecond.toFixed(0)} documents a second on one thread`
      report(context(turns, { name: 'documents.loop', size: `${jobs.length}`, unit: 'ms', note }))
    }
  },
}
