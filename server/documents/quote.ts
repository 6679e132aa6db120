/** The document of a quote, proforma or delivery note: drawn whenever it is asked for, because nothing of it is registered. */
import { environmentOf, findCompany, issuerFacts } from '../company/index.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import type { UseCase } from '../ctx.ts'
import { totalsOf } from '../invoices/index.ts'
import { quotePaperFacts } from '../quotes/index.ts'
import { withinPatience } from './documents.ts'
import type { InvoicePaper } from './paper.ts'
import { contentOnPaper, partyOf, TO_ACCOUNT } from './paper-of.ts'

/** The PDF of a quote. It shows the company as it is now. */
export const quotePdf: UseCase<ParsedInputOf<'quotes.pdf'>, OutputOf<'quotes.pdf'>> = async (ctx, { id }) => {
  const facts = await quotePaperFacts(ctx, id)
  const { content } = facts
  const issuer = issuerFacts(await findCompany(ctx))
  const paper: InvoicePaper = {
    ...contentOnPaper(content, totalsOf(content)),
    document: facts.document,
    state: facts.isDraft ? 'draft' : 'issued',
    environment: environmentOf(ctx),
    number: facts.number,
    issueDate: facts.date,
    validUntil: facts.validUntil,
    issuer: {
      ...partyOf(issuer),
      iban: TO_ACCOUNT.includes(content.paymentMethod) ? issuer.iban : null,
      registryInscription: issuer.registryInscription,
    },
    registry: null,
    createdAt: facts.createdAt,
    accent: null,
  }
  const { bytes, sha256 } = await withinPatience(ctx.env.documents.draw(paper))
  return {
    bytes,
    sha256,
    fileName: `${(facts.number ?? facts.id).replace(/[^A-Za-z0-9._-]/g, '-')}.pdf`,
    signature: 'none',
  }
}
