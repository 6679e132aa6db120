/**
 * Turns a supplier's file into a proposal for review: reads it in its own process, then matches it with the contacts
 * and entries of the book.
 */
import { findCompany } from '../../company/index.ts'
import { findContactByNif } from '../../catalog/contacts/index.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { businessDateOf } from '../../domain/dates.ts'
import { percentOf } from '../../domain/money.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import type { Ctx } from '../../context.ts'
import type { Proposal, ReadCategory } from '../intake/contract.ts'
import { taxSystemOf } from '../../tax/systems/index.ts'
import { warning } from '../fault.ts'
import { recall } from '../memory/index.ts'
import type { PageRange, ReadProposal } from '../intake/read-result.ts'
import { readingLanguages } from './settings.ts'
import { readFiles } from '../intake/run.ts'
import type { DocumentFile, ReadOptions } from '../intake/run.ts'
import { findDuplicate, usualOf } from '../invoices/index.ts'

/** Concepts G01..G46 of the unified books; null where the words do not decide it. */
const CONCEPT_OF_CATEGORY: Record<ReadCategory, string | null> = {
  compras: null,
  profesionales: 'G19',
  restauracion: null,
  combustible: null,
  telefonia: 'G17',
  suministros: null,
  viajes: null,
  seguros: 'G20',
  alquiler: 'G12',
  software: null,
}

/** Adds up a proposal's lines in cents, to check them against its total. */
function sumOf(proposal: ReadProposal): number {
  const euros = proposal.taxLines.reduce(
    (sum, line) => sum + Math.round((line.base + (line.tax ?? 0) + (line.surcharge ?? 0)) * 100),
    0,
  )
  return euros
}

/** Returns the cents to pay by the file: the total less withholding and earlier requests; null without a total. */
function payableOf({ total, taxLines, withholding, prepaid }: ReadProposal): number | null {
  if (total === undefined) return null
  const cents = (euros: number): number => Math.round(euros * 100)
  const baseCents = cents(withholding?.base ?? taxLines.reduce((sum, line) => sum + line.base, 0))
  const withheldCents =
    withholding === undefined
      ? 0
      : withholding.amount === undefined
        ? percentOf(baseCents, cents(withholding.rate))
        : cents(withholding.amount)
  return cents(total) - withheldCents - cents(prepaid ?? 0)
}

function checkProposal(proposal: ReadProposal, ownNif: string): Fault[] {
  const faults: Fault[] = []
  if (proposal.total !== undefined && proposal.taxLines.length > 0) {
    const total = Math.round(proposal.total * 100)
    const sum = sumOf(proposal)
    if (total !== sum)
      faults.push(
        warning(
          'sums_differ',
          'taxLines',
          'Bases and taxes do not add up to the total of the document.',
          'Check the lines: amounts paid in your name or rounding may be missing.',
          { total: total / 100, sum: sum / 100 },
        ),
      )
  }
  const payable = payableOf(proposal)
  if (proposal.payable !== undefined && payable !== null && payable !== Math.round(proposal.payable * 100)) {
    const asked = Math.round(proposal.payable * 100)
    faults.push(
      warning(
        'payable_differs',
        'withholding',
        'What the document asks to be paid is not its total less what is withheld.',
        'Check whether the difference is income tax withheld, or something paid before.',
        { payable: asked / 100, expected: payable / 100, difference: (payable - asked) / 100 },
      ),
    )
  }
  const supplier = proposal.supplierNif === undefined ? null : normalizeNif(proposal.supplierNif)
  if (proposal.isSelfBilled === true && supplier === ownNif)
    return [
      ...faults,
      warning(
        'own_sale',
        'content',
        'Your customer issued it in your name: it is a sale of yours and no purchase.',
        'Enter it among your sales, with the customer as the one who issues it.',
        { nif: proposal.customerNif ?? '' },
      ),
    ]
  if (proposal.rectificationMethod === 'substitution')
    faults.push(
      warning(
        'replaces_invoice',
        'rectifies',
        'It replaces an earlier invoice with its whole amount, and does not state a difference.',
        'Void the entry of the replaced invoice, or its amount counts twice.',
        { number: proposal.rectifies?.[0]?.supplierNumber ?? '' },
      ),
    )
  const customer = proposal.customerNif === undefined ? null : normalizeNif(proposal.customerNif)
  if (customer !== null && customer !== ownNif)
    faults.push(
      warning(
        'other_customer',
        'content',
        'The invoice is made out to another tax number.',
        'Check that it is yours before you enter it.',
        { nif: customer },
      ),
    )
  return faults
}

/** A document as it was read, matched with the contacts and entries of the book. */
export interface ProposedEntry {
  proposal: Proposal
  warnings: Fault[]
  duplicate: { id: string; receptionNumber: string } | null
  /** Difference hash of its first page that is a picture, 16 hexadecimal digits. */
  pictureHash: string | null
  pageCount: number | null
  /** First and last page, from 0, of each invoice in it. */
  invoices: PageRange[]
  /** The file, and the page of it, of each page; null for a document of one file. */
  places: { file: number; page: number }[] | null
}

/** Reads the files of one document into a proposal. Throws `file_unreadable` or `too_busy`. */
export async function proposeEntry(
  ctx: Ctx,
  files: readonly DocumentFile[],
  options: ReadOptions = {},
): Promise<ProposedEntry> {
  const company = await findCompany(ctx)
  const { code, category, name } = taxSystemOf(company.territory)
  const context = {
    ownNif: company.nif,
    ownName: company.legal_name,
    ownTax: { code, category: category.taxed, name: name.toLowerCase() },
    today: businessDateOf(ctx.now()),
  }
  const read = await readFiles(files, context, { languages: await readingLanguages(ctx), ...options })
  const { proposal: found, warnings } = read
  const matched: Proposal = { ...found }
  const nif = found.supplierNif === undefined ? null : normalizeNif(found.supplierNif)
  if (nif !== null) {
    matched.supplierNif = nif
    const contact = await findContactByNif(ctx, nif)
    if (contact) {
      matched.supplierId = contact.id
      // The known name replaces a guessed one.
      if (matched.confidence.supplierName !== 'high') {
        matched.supplierName = contact.name
        matched.confidence.supplierName = 'high'
        // The name is as certain as the number by which it was found.
        matched.levels['supplierName'] = matched.levels['supplierNif'] ?? 'guess'
      }
    }
    const usual = await usualOf(ctx, nif)
    if (usual) {
      matched.concept = usual.concept
      if (usual.account !== null) matched.account = usual.account
    }
  }
  const { proposal, warnings: recalled } = await recall(ctx, matched)
  if (proposal.concept === undefined && proposal.category !== undefined) {
    const concept = CONCEPT_OF_CATEGORY[proposal.category]
    if (concept !== null) proposal.concept = concept
  }
  const duplicate =
    proposal.supplierNumber !== undefined && proposal.issueDate !== undefined
      ? await findDuplicate(ctx, {
          supplier: { name: proposal.supplierName ?? '', nif },
          supplierNumber: proposal.supplierNumber,
          issueDate: proposal.issueDate,
        })
      : null
  return {
    proposal,
    warnings: [...warnings, ...checkProposal(found, company.nif), ...recalled],
    duplicate,
    pictureHash: read.pictureHash ?? null,
    pageCount: read.places?.length ?? read.pageCount ?? null,
    invoices: (read.readings ?? []).map(({ pages: [first, last] }) => ({ first, last })),
    places: read.places ?? null,
  }
}
