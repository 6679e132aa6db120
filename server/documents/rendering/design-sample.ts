/** Draws a sample invoice that shows the company's document design while it is being edited. */
import { changedDesign, designOf, findCompany, issuerFacts, logoOf } from '../../company/index.ts'
import type { sampleDesignContract } from './contract.ts'
import { addDays } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { systemOf } from '../../registry/index.ts'
import { PLAIN_CONTENT, PLAIN_LINE, totalsOf } from '../../sales/invoices/index.ts'
import type { DraftContent, DraftLine } from '../../sales/invoices/index.ts'
import { makePreview } from './make.ts'
import type { InvoicePaper } from '../pdf/index.ts'
import { companyOnPaper, contentOnPaper, partyOf } from './paper-of.ts'
import { paymentOf } from './payment.ts'

const MICRO = 1_000_000

const line = (description: string, quantity: number, euros: number, vatRateBp: number): DraftLine => ({
  ...PLAIN_LINE,
  description,
  quantityMicro: quantity * MICRO,
  unitPriceMicro: euros * MICRO,
  vatRateBp,
})

/** Typical descriptions and amounts: a long line, two rates, figures of four digits. */
const LINES = [
  line('Diseño y montaje del escaparate de temporada', 1, 1_450, 2100),
  line('Sesión fotográfica de producto en estudio, con retoque básico de veinte imágenes', 2, 310, 2100),
  line('Catálogo impreso', 150, 4.2, 400),
]

const CLIENT = {
  name: 'Comercial Ejemplo, S.L.',
  tradeName: null,
  nif: 'B12345674',
  idType: null,
  street: 'Calle Mayor, 1',
  postalCode: '28013',
  city: 'Madrid',
  province: 'Madrid',
  country: 'ES',
  email: 'facturas@ejemplo.example',
  phone: null,
  iban: null,
  registryInscription: null,
  dir3: null,
}

const SAMPLE_NUMBER = 'MUESTRA-0001'

/** Stands for what a registry derives its marks from: no record has it. */
const NO_LINK = '0'.repeat(100)

/**
 * Returns the marks of the book's registry with an address as long as a real one, on the test host: it finds nothing
 * and cannot be mistaken for a real invoice.
 */
function sampleRegistry(ctx: Ctx, issuerNif: string, totalCents: Cents): InvoicePaper['registry'] {
  const { qr, identifier, lines } = systemOf(ctx.book).marks({
    environment: 'test',
    issuerNif,
    number: SAMPLE_NUMBER,
    issueDate: ctx.today(),
    totalCents,
    link: NO_LINK,
  })
  return { qrUrl: qr, identifier, lines }
}

/** Draws the sample with unsaved changes; nothing is stored. */
export const sampleDesign: UseCase<typeof sampleDesignContract> = async (ctx, { language, ...changes }) => {
  const row = await findCompany(ctx)
  const issuer = issuerFacts(row)
  const design = changedDesign(await designOf(ctx), changes, await logoOf(changes))
  const { design: _kept, ...company } = await companyOnPaper(ctx)
  const isTicket = changes.simplifiedFormat === 'ticket'
  const content: DraftContent = {
    ...PLAIN_CONTENT,
    kind: isTicket ? 'F2' : 'F1',
    issueDate: null,
    // A ticket is paid immediately.
    dueDate: isTicket ? null : addDays(ctx.today(), 30),
    client: CLIENT,
    lines: LINES,
    priceMode: isTicket ? 'gross' : 'net',
    paymentMethod: isTicket ? 'card' : 'transfer',
    language: language ?? row.default_language,
  }
  const onPaper = contentOnPaper(content, totalsOf(content))
  return makePreview(ctx, {
    ...onPaper,
    ...company,
    accent: design.accent,
    footer: design.footer,
    logo: design.logo && {
      bytes: design.logo.bytes,
      width: design.logo.width,
      height: design.logo.height,
    },
    document: 'invoice',
    format: isTicket ? 'ticket' : 'a4',
    hidesPrices: false,
    // As the customer receives it, without the marks of a draft or a test book. Its number, its customer and its QR
    // show that it is a sample.
    state: 'issued',
    environment: 'production',
    number: SAMPLE_NUMBER,
    issueDate: ctx.today(),
    validUntil: null,
    client: isTicket ? null : onPaper.client,
    issuer: { ...partyOf(issuer), registryInscription: issuer.registryInscription },
    payment: paymentOf({
      content,
      issuer,
      number: SAMPLE_NUMBER,
      amountDueCents: onPaper.amountDueCents,
      isPayable: true,
      withQr: design.paymentQr,
    }),
    registry: sampleRegistry(ctx, issuer.nif ?? '', onPaper.totalCents),
    createdAt: ctx.now().toISOString(),
  })
}
