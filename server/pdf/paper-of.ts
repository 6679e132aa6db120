/** From an invoice of the books to its paper: everything that is printed, taken from what was fixed at issue. */
import { environmentOf, findCompany, issuerFacts } from '../company/index.ts'
import type { Ctx } from '../ctx.ts'
import { contentOf, legalMentions, partyFacts, totalsOf } from '../invoices/index.ts'
import type { InvoiceRow, PartyFacts } from '../invoices/index.ts'
import { firstRegistration } from '../registry/index.ts'
import type { InvoicePaper, PaperParty } from './paper.ts'

function partyOf(facts: PartyFacts): PaperParty {
  const { name, tradeName, nif, street, postalCode, city, province, country, email, phone } = facts
  return { name, tradeName, nif, street, postalCode, city, province, country, email, phone }
}

/** Methods by which money comes to the company's account, so that the account is worth printing. */
const TO_ACCOUNT = [null, 'transfer', 'direct_debit']

/** The paper of an invoice. A draft shows the company as it is now, an issued invoice as it was. */
export async function paperOf(ctx: Ctx, row: InvoiceRow): Promise<InvoicePaper> {
  const content = await contentOf(ctx.db, row)
  const totals = totalsOf(content)
  const issuer =
    row.issuer_id === null ? issuerFacts(await findCompany(ctx)) : await partyFacts(ctx.db, row.issuer_id)
  const hasClient = content.kind === 'F1' || content.client.nif !== null
  return {
    language: content.language,
    kind: content.kind,
    state: row.state,
    environment: environmentOf(ctx),
    priceMode: content.priceMode,
    number: row.number,
    issueDate: row.issue_date ?? ctx.today(),
    operationDate: content.operationDate,
    dueDate: content.dueDate,
    issuer: {
      ...partyOf(issuer),
      iban: TO_ACCOUNT.includes(content.paymentMethod) ? issuer.iban : null,
      registryInscription: issuer.registryInscription,
    },
    client: hasClient ? partyOf(content.client) : null,
    lines: content.lines.map((line, index) => ({
      description: line.description,
      quantityMicro: line.quantityMicro,
      unit: line.unit,
      unitPriceMicro: line.unitPriceMicro,
      discountBp: line.discountBp,
      taxTreatment: line.taxTreatment,
      vatRateBp: line.vatRateBp,
      surchargeRateBp: line.surchargeRateBp,
      isDisbursement: line.isDisbursement,
      netCents: totals.lineNetsCents[index] ?? 0,
    })),
    taxes: totals.taxes.map(({ regimeKey: _regimeKey, ...tax }) => tax),
    baseCents: totals.baseCents,
    taxCents: totals.taxCents,
    surchargeCents: totals.surchargeCents,
    disbursementsCents: totals.disbursementsCents,
    totalCents: totals.totalCents,
    withholding: totals.withholding,
    amountDueCents: totals.amountDueCents,
    legalMentions: legalMentions(totals.taxes),
    notes: content.notes,
    paymentMethod: content.paymentMethod,
    registry: row.state === 'draft' ? null : await firstRegistration(ctx, row.id),
    createdAt: new Date(row.issued_at ?? row.created_at).toISOString(),
    accent: null,
  }
}
