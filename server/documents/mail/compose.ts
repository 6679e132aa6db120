/** Composes a mail before it is sent: recipients, text with the facts of the document, and attachments. */
import { findCompany } from '../../company/index.ts'
import type { CompanyRow } from '../../company/index.ts'
import { findContact } from '../../catalog/contacts/index.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { invoicePdf, isPaidByTransfer, quotePdf } from '../rendering/index.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { filesOf } from '../../platform/attachments/index.ts'
import { getInvoice, HISTORY_TARGET, resolveInvoice } from '../../sales/invoices/index.ts'
import type { InvoiceRow } from '../../sales/invoices/index.ts'
import { previewReminder, statement, statementFile } from '../../accounting/payments/index.ts'
import { labelsFor } from '../pdf/index.ts'
import { getQuote, setQuoteState } from '../../sales/quotes/index.ts'
import { canSend, ownAddresses } from './account.ts'
import type { MailDraft, MailKind, prepareMailContract, TemplateKind } from './contract.ts'
import { fileName, invoiceEnclosure, invoiceEnclosures } from './enclosures.ts'
import type { Enclosure, Lacking } from './enclosures.ts'
import { findAccount } from './rows.ts'
import type { AccountRow, NewDocument } from './rows.ts'
import { templateOf, templatesIn } from './templates.ts'
import { fillTemplate, longDay, money, defaultTemplates } from './default-templates.ts'
import type { Facts } from './default-templates.ts'

type About = ContractInput<typeof prepareMailContract>

interface Subject {
  kind: MailKind
  template: TemplateKind
  language: DocumentLanguage
  level: number | null
  name: string
  email: string | null
  contactId: number | null
  facts: Facts
  enclosures: Enclosure[]
  /** What the customer usually gets and this invoice cannot have. */
  lacking?: Lacking[]
  /** Rows of the documents that the mail is about; `quoteId` is set only once the mail is sent. */
  documents: NewDocument[]
  /** Runs before sending: a quote that nobody has seen gets its number now. */
  before(): Promise<Subject>
  /** Changes made to other records after sending. */
  consequence: {
    invoiceIds: string[]
    instalment?: number | undefined
    level: number
    claimInterest?: boolean | undefined
  } | null
}

export interface Composed extends Subject {
  company: CompanyRow
  account: AccountRow | null
}

const PDF = 'application/pdf'

/** Labels of the document that name a kind of quote. */
const TITLES = { quote: 'quote', proforma: 'proforma', delivery_note: 'deliveryNote' } as const

async function contactOf(ctx: Ctx, publicId: string | null) {
  return publicId === null ? null : findContact(ctx, publicId)
}

async function issuedRow(ctx: Ctx, id: string): Promise<InvoiceRow> {
  const row = await resolveInvoice(ctx, id)
  if (row.state === 'history') throw new AppError('before_these_books', { field: 'ids', details: { id } })
  if (row.state !== 'issued') throw new AppError('mail_not_issued', { field: 'ids', details: { id } })
  return row
}

/** Returns an invoice that a reminder may name: an issued one, or one of an earlier program. */
async function owedRow(ctx: Ctx, id: string): Promise<InvoiceRow> {
  const row = await resolveInvoice(ctx, id)
  return row.state === 'history' ? row : issuedRow(ctx, row.public_id)
}

/** Returns the document that an earlier program made, if a person attached it: Sello draws none. */
async function originalEnclosure(ctx: Ctx, row: InvoiceRow): Promise<Enclosure[]> {
  const files = await filesOf(ctx, { type: HISTORY_TARGET, id: row.id })
  if (!files.some(({ media_type: type }) => type === PDF)) return []
  const name = `${fileName(row.number ?? row.public_id)}.pdf`
  return [
    {
      name,
      mediaType: PDF,
      bring: async () => {
        const { bytes } = await invoicePdf(ctx, { id: row.public_id })
        return { name, mediaType: PDF, bytes, invoice: null }
      },
    },
  ]
}

async function ofInvoice(ctx: Ctx, about: About, id: string, company: CompanyRow): Promise<Subject> {
  const row = await issuedRow(ctx, id)
  const invoice = await getInvoice(ctx, { id: row.public_id })
  const contact = await contactOf(ctx, invoice.clientId)
  const language = about.language ?? contact?.language ?? invoice.language
  const written = await templatesIn(ctx, 'invoice', language)
  const sums = invoice.inCurrency ?? { currency: 'EUR', total: invoice.total, amountDue: invoice.amountDue }
  const owes = invoice.amountDue > 0
  const subject: Subject = {
    kind: 'invoice',
    template: 'invoice',
    language,
    level: null,
    name: invoice.clientName,
    email: contact?.email ?? invoice.client.email ?? null,
    contactId: contact?.id ?? null,
    facts: {
      client: invoice.clientName,
      company: company.trade_name ?? company.legal_name,
      number: invoice.number ?? '',
      ...(invoice.issueDate ? { date: longDay(invoice.issueDate, written) } : {}),
      ...(invoice.dueDate && owes ? { dueDate: longDay(invoice.dueDate, written) } : {}),
      total: money(sums.total, sums.currency, written),
      ...(owes ? { amountDue: money(sums.amountDue, sums.currency, written) } : {}),
      ...(owes && company.iban && isPaidByTransfer(invoice) ? { iban: company.iban } : {}),
    },
    ...(await invoiceEnclosures(ctx, row, { contact, language })),
    documents: [{ invoice_id: row.id, label: invoice.number ?? '' }],
    before: async () => subject,
    consequence: null,
  }
  return subject
}

async function ofQuote(ctx: Ctx, about: About, id: string, company: CompanyRow): Promise<Subject> {
  const quote = await getQuote(ctx, { id })
  const contact = await contactOf(ctx, quote.clientId)
  const language = about.language ?? contact?.language ?? quote.language
  const written = await templatesIn(ctx, 'quote', language)
  const label = quote.number ?? ''
  const name = `${fileName(quote.number ?? quote.id)}.pdf`
  const subject: Subject = {
    kind: 'quote',
    template: 'quote',
    language,
    level: null,
    name: quote.clientName,
    email: contact?.email ?? quote.client.email ?? null,
    contactId: contact?.id ?? null,
    facts: {
      client: quote.clientName,
      company: company.trade_name ?? company.legal_name,
      document: labelsFor(written)[TITLES[quote.kind]],
      number: label,
      date: longDay(quote.date, written),
      ...(quote.validUntil ? { validUntil: longDay(quote.validUntil, written) } : {}),
      ...(quote.hidePrices ? {} : { total: money(quote.total, quote.currency, written) }),
    },
    enclosures: [
      {
        name,
        mediaType: PDF,
        bring: async () => ({
          name,
          mediaType: PDF,
          bytes: (await quotePdf(ctx, { id: quote.id })).bytes,
          invoice: null,
        }),
      },
    ],
    documents: [{ quote_id: await quoteRowId(ctx, quote.id), label }],
    async before() {
      if (quote.state !== 'draft') return subject
      await setQuoteState(ctx, { id: quote.id, state: 'sent' })
      return ofQuote(ctx, about, id, company)
    },
    consequence: null,
  }
  return subject
}

/** Returns the row of a quote, used only as a reference: the quote itself is read through its own slice. */
async function quoteRowId(ctx: Ctx, publicId: string): Promise<number> {
  const row = await ctx.db
    .selectFrom('quotes')
    .select('id')
    .where('book_id', '=', ctx.book.id)
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  return orNotFound(row).id
}

async function ofReminder(ctx: Ctx, about: About, company: CompanyRow): Promise<Subject> {
  const { level, claimInterest, language, instalment } = about
  const letter = await previewReminder(ctx, {
    invoiceIds: about.ids,
    instalment,
    level,
    claimInterest,
    language,
  })
  const rows: InvoiceRow[] = []
  const enclosures: Enclosure[] = []
  for (const id of new Set(about.ids)) {
    const row = await owedRow(ctx, id)
    rows.push(row)
    if (row.state === 'history') enclosures.push(...(await originalEnclosure(ctx, row)))
    else enclosures.push(invoiceEnclosure(ctx, row))
  }
  const view = await getInvoice(ctx, { id: rows[0]?.public_id ?? '' })
  const contact = await contactOf(ctx, view.clientId)
  const subject: Subject = {
    kind: 'reminder',
    // Before the due date there is one letter, in the layout of the friendly one.
    template: `reminder_${(letter.level || 1) as 1 | 2 | 3}`,
    language: letter.language,
    level: letter.level,
    name: view.clientName,
    email: letter.email,
    contactId: contact?.id ?? null,
    facts: {
      client: view.clientName,
      company: company.trade_name ?? company.legal_name,
      subject: letter.subject,
      letter: letter.text,
    },
    enclosures,
    documents: rows.map((row) => ({ invoice_id: row.id, label: row.number ?? '' })),
    before: async () => subject,
    // An invoice that is not late yet gets no reminder of a debt: only the mail itself is stored.
    consequence:
      letter.level === 0
        ? null
        : {
            invoiceIds: rows.map((row) => row.public_id),
            instalment,
            level: letter.level,
            claimInterest: letter.interest + letter.recovery > 0,
          },
  }
  return subject
}

async function ofStatement(ctx: Ctx, about: About, id: string, company: CompanyRow): Promise<Subject> {
  const asked = {
    id,
    ...(about.from === undefined ? {} : { from: about.from }),
    ...(about.until === undefined ? {} : { to: about.until }),
  }
  const data = await statement(ctx, asked)
  const contact = orNotFound(await findContact(ctx, id))
  const language = about.language ?? contact.language ?? company.default_language
  const written = await templatesIn(ctx, 'statement', language)
  const name = `${fileName(`extracto-${data.contact.nif ?? data.contact.id}-${data.from}-${data.to}`)}.csv`
  const mediaType = 'text/csv'
  const subject: Subject = {
    kind: 'statement',
    template: 'statement',
    language,
    level: null,
    name: contact.name,
    email: contact.email,
    contactId: contact.id,
    facts: {
      client: contact.name,
      company: company.trade_name ?? company.legal_name,
      from: longDay(data.from, written),
      until: longDay(data.to, written),
      balance: money(data.closing, 'EUR', written),
      ...(data.closing > 0 && company.iban ? { iban: company.iban } : {}),
    },
    enclosures: [
      {
        name,
        mediaType,
        bring: async () => ({
          name,
          mediaType,
          bytes: (await statementFile(ctx, asked)).bytes,
          invoice: null,
        }),
      },
    ],
    documents: [],
    before: async () => subject,
    consequence: null,
  }
  return subject
}

/** Composes a mail with every fact about its subject. */
export async function compose(ctx: Ctx, about: About): Promise<Composed> {
  const company = await findCompany(ctx)
  const account = await findAccount(ctx)
  const [id = ''] = about.ids
  if (about.kind !== 'reminder' && about.ids.length > 1)
    throw validationFailed([
      {
        code: 'too_big',
        field: 'ids',
        severity: 'error',
        message: 'Only a reminder is about several.',
        fix: 'Send one mail for each.',
      },
    ])
  const subject =
    about.kind === 'invoice'
      ? await ofInvoice(ctx, about, id, company)
      : about.kind === 'quote'
        ? await ofQuote(ctx, about, id, company)
        : about.kind === 'reminder'
          ? await ofReminder(ctx, about, company)
          : await ofStatement(ctx, about, id, company)
  return { ...subject, company, account }
}

/** Returns subject and text from the templates. A header has one line. */
export async function filledTemplateOf(
  ctx: Ctx,
  subject: Subject,
): Promise<{ subject: string; body: string }> {
  // The company's own reminder texts are about late invoices.
  const words =
    subject.level === 0
      ? defaultTemplates(subject.template, subject.language)
      : await templateOf(ctx, subject.template, subject.language)
  return {
    subject: fillTemplate(subject.template, words.subject, subject.facts)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 200),
    body: fillTemplate(subject.template, words.body, subject.facts).slice(0, 20_000),
  }
}

/** Returns the default recipients: the customer's own address; in a test book the company's. */
export async function usualRecipients(ctx: Ctx, { company, account, email }: Composed): Promise<string[]> {
  if (ctx.book.mode === 'test') return ownAddresses(company, account).slice(0, 1)
  const { MailAddress } = await import('./contract.ts')
  const address = MailAddress.safeParse(email?.trim())
  return address.success ? [address.data] : []
}

/** Returns the mail as it would be sent. */
export const prepareMail: UseCase<typeof prepareMailContract> = async (ctx, about) => {
  const composed = await compose(ctx, about)
  const { company, account } = composed
  const draft: MailDraft = {
    kind: composed.kind,
    language: composed.language,
    level: composed.level,
    name: composed.name,
    from: account?.from_address ?? company.email,
    to: await usualRecipients(ctx, composed),
    ...(await filledTemplateOf(ctx, composed)),
    attachments: composed.enclosures.map(({ name, mediaType, isExtra = false }) => ({
      name,
      mediaType,
      isExtra,
    })),
    lacking: composed.lacking ?? [],
    canSend: canSend(account),
    ownAddresses: ctx.book.mode === 'test' ? ownAddresses(company, account) : null,
  }
  return draft
}
