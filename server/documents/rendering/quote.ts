/**
 * Draws the document of a quote, proforma or delivery note on every request: it is not registered, so it is not
 * stored.
 */
import { findCompany, issuerFacts } from '../../company/index.ts'
import type { previewQuoteContract, quotePdfContract } from '../../sales/quotes/contract.ts'
import type { BytesAnswer } from '../../domain/contract/fields.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { totalsOf } from '../../sales/invoices/index.ts'
import type { InvoicePaper } from '../pdf/index.ts'
import { quotePaperFacts, unsavedPaperFacts } from '../../sales/quotes/index.ts'
import type { QuotePaperFacts } from '../../sales/quotes/index.ts'
import { withWaitLimit } from './wait-limit.ts'
import { companyOnPaper, contentOnPaper, partyOf } from './paper-of.ts'
import { paymentOf } from './payment.ts'

/** Returns the printable form of a quote, with the company as it is now. */
async function paperOfQuote(ctx: Ctx, facts: QuotePaperFacts): Promise<InvoicePaper> {
  const { content } = facts
  const issuer = issuerFacts(await findCompany(ctx))
  const { design: _design, ...company } = await companyOnPaper(ctx)
  const onPaper = contentOnPaper(content, totalsOf(content))
  return {
    ...onPaper,
    ...company,
    document: facts.document,
    format: 'a4',
    hidesPrices: facts.hidePrices,
    state: facts.isDraft ? 'draft' : 'issued',
    number: facts.number,
    issueDate: facts.date,
    validUntil: facts.validUntil,
    issuer: { ...partyOf(issuer), registryInscription: issuer.registryInscription },
    // A proforma is paid before its invoice, but by hand: its amount may still change.
    payment: paymentOf({
      content,
      issuer,
      number: facts.number,
      amountDueCents: facts.document === 'delivery_note' ? 0 : onPaper.amountDueCents,
      isPayable: false,
      withQr: false,
    }),
    registry: null,
    createdAt: facts.createdAt,
  }
}

async function draw(ctx: Ctx, facts: QuotePaperFacts): Promise<BytesAnswer> {
  const paper = await paperOfQuote(ctx, facts)
  const { bytes, sha256 } = await withWaitLimit(
    ctx.env.documents.make({ kind: 'draw', paper, xml: null, signing: null }),
  )
  return {
    bytes,
    sha256,
    fileName: `${(facts.number ?? facts.id).replace(/[^A-Za-z0-9._-]/g, '-')}.pdf`,
    signature: 'none',
  }
}

/** Returns the PDF of a quote. */
export const quotePdf: UseCase<typeof quotePdfContract> = async (ctx, { id }) =>
  draw(ctx, await quotePaperFacts(ctx, id))

/** Returns the PDF of a quote being edited. */
export const previewQuote: UseCase<typeof previewQuoteContract> = async (ctx, input) =>
  draw(ctx, await unsavedPaperFacts(ctx, input))
