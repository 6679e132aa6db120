/**
 * Turns a supplier's file into a proposal for review: reads it in its own process, then matches it with the contacts
 * and entries of the book.
 */
import { fileOf } from '../../platform/attachments/index.ts'
import { findCompany } from '../../company/index.ts'
import { findContactByNif } from '../../catalog/contacts/index.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { businessDateOf } from '../../domain/dates.ts'
import { percentOf } from '../../domain/money.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import type { UseCase } from '../../context.ts'
import { CONCEPT_OF_CATEGORY } from './concepts.ts'
import type { Proposal, readReceivedContract } from './contract.ts'
import { warning } from '../fault.ts'
import type { ReadProposal } from '../intake/read-result.ts'
import { readFile } from '../intake/run.ts'
import { findDuplicate, usualOf } from './rows.ts'

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

/** Reads a file into a proposal. It writes nothing. */
export const readReceived: UseCase<typeof readReceivedContract> = async (ctx, input) => {
  const file = fileOf(input)
  const company = await findCompany(ctx)
  const { proposal: found, warnings } = await readFile(file, {
    ownNif: company.nif,
    ownName: company.legal_name,
    today: businessDateOf(ctx.now()),
  })
  const proposal: Proposal = { ...found }
  const nif = found.supplierNif === undefined ? null : normalizeNif(found.supplierNif)
  if (nif !== null) {
    proposal.supplierNif = nif
    const contact = await findContactByNif(ctx, nif)
    if (contact) {
      proposal.supplierId = contact.id
      // The known name replaces a guessed one.
      if (proposal.confidence.supplierName !== 'high') {
        proposal.supplierName = contact.name
        proposal.confidence.supplierName = 'high'
        // The name is as certain as the number by which it was found.
        proposal.levels['supplierName'] = proposal.levels['supplierNif'] ?? 'guess'
      }
    }
    const usual = await usualOf(ctx, nif)
    if (usual) {
      proposal.concept = usual.concept
      if (usual.account !== null) proposal.account = usual.account
    }
  }
  if (proposal.concept === undefined && found.category !== undefined) {
    const concept = CONCEPT_OF_CATEGORY[found.category]
    if (concept !== null) proposal.concept = concept
  }
  const duplicate =
    found.supplierNumber !== undefined && found.issueDate !== undefined
      ? await findDuplicate(ctx, {
          supplier: {
            name: proposal.supplierName ?? '',
            nif,
            nifWritten: null,
            idType: null,
            country: 'ES',
            street: null,
            postalCode: null,
            city: null,
            province: null,
          },
          supplierNumber: found.supplierNumber,
          issueDate: found.issueDate,
        })
      : null
  return {
    proposal,
    duplicate,
    warnings: [...warnings, ...checkProposal(found, company.nif)],
    mediaType: file.mediaType,
  }
}
