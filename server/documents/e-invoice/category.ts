/**
 * Maps our treatments to the VAT categories of EN 16931 (BT-118, UNTDID 5305), with the reason why no VAT is charged.
 * Sources: EN 16931-1 table of categories; VATEX code list of the European Commission; Directive 2006/112/EC.
 */
import { isInUnion } from '../../domain/tax/territories.ts'
import { ONE_STOP_SHOP } from '../../domain/tax/totals.ts'
import type { TaxTotal } from '../../domain/tax/totals.ts'
import type { DraftContent, DraftLine } from '../../sales/invoices/index.ts'
import { legalMentions } from '../../tax/rules/index.ts'
import { taxSystemOfCode, VAT_SYSTEM } from '../../tax/systems/index.ts'
import { buysInUnion, isUnionBusiness } from './party.ts'
import type { EParty } from './party.ts'

/**
 * S taxed, Z at 0 %, E exempt, AE reverse charge, K intra-Community, G export, O not subject, L IGIC, M IPSI. The edition of 2026
 * adds D and F, margins of travel agencies and of second-hand goods, and N, which nothing here is given.
 */
export type VatCategory = 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O' | 'L' | 'M' | 'D' | 'F' | 'N'

interface CategoryRequest {
  content: DraftContent
  tax: TaxTotal
  isMargin: boolean
  /** Lines of the group. */
  lines: readonly DraftLine[]
  buyer: EParty
}

interface Category {
  category: VatCategory
  reason: string | null
  reasonCode: string | null
}

/** VATEX codes of the causes in our catalogue: article 20.Uno LIVA transposes articles 132 and 135 of the Directive. */
const VATEX_OF_CAUSE: Readonly<Record<string, string>> = {
  postal: 'VATEX-EU-132-1A',
  hospital: 'VATEX-EU-132-1B',
  medical: 'VATEX-EU-132-1C',
  blood: 'VATEX-EU-132-1D',
  dental: 'VATEX-EU-132-1E',
  cost_sharing: 'VATEX-EU-132-1F',
  social_security: 'VATEX-EU-132-1G',
  social_assistance: 'VATEX-EU-132-1G',
  education: 'VATEX-EU-132-1I',
  private_lessons: 'VATEX-EU-132-1J',
  religious_staff: 'VATEX-EU-132-1K',
  membership: 'VATEX-EU-132-1L',
  sport: 'VATEX-EU-132-1M',
  culture: 'VATEX-EU-132-1N',
  political_parties: 'VATEX-EU-132-1O',
  ambulance: 'VATEX-EU-132-1P',
  diplomats: 'VATEX-EU-151',
  ships_aircraft: 'VATEX-EU-148',
  travel_outside: 'VATEX-EU-309',
}

const VATEX_OF_MARGIN: Readonly<Record<string, string>> = {
  margin_used: 'VATEX-EU-F',
  margin_art: 'VATEX-EU-I',
  margin_antiques: 'VATEX-EU-J',
  travel: 'VATEX-EU-D',
}

/** Returns the value that all lines of the group share, or null. */
function only<T>(values: readonly T[]): T | null {
  const [first] = values
  return first !== undefined && values.every((value) => value === first) ? first : null
}

function mentionOf({ content, lines }: CategoryRequest): string {
  const { language, client } = content
  return legalMentions(lines, {
    language,
    customerCountry: client.country,
    system: taxSystemOfCode(content.tax),
  }).join('; ')
}

/**
 * Returns true for a service to a business of another member state, where the customer accounts for the VAT
 * (Directive 2006/112/EC art. 196).
 */
function isReversedElsewhere({ content, buyer, lines }: CategoryRequest): boolean {
  if (!isUnionBusiness(buyer) || !isInUnion(content.client.country)) return false
  return lines.every(({ cause }) => cause === null || cause === 'services_eu' || cause === 'triangular')
}

/**
 * Returns the exempt category, with a reason even where the catalogue prints none: a breakdown requires one
 * (BR-E-10).
 */
function exempt(asked: CategoryRequest, reasonCode: string | null): Category {
  const cause = only(asked.lines.map((line) => line.cause))
  const system = taxSystemOfCode(asked.content.tax)
  const article = system.findCause(cause ?? '')?.article
  const law = article === undefined ? '' : ` (${article})`
  return { category: 'E', reason: mentionOf(asked) || `Sin ${system.name}${law}`, reasonCode }
}

/**
 * Returns the category of a group. Where the correct category requires data that the invoice lacks (AE and K require
 * a customer with a VAT number), it returns E with its reason: less precise, but never invalid.
 */
export function categoryOf(asked: CategoryRequest): Category {
  const { content, tax, isMargin, lines, buyer } = asked
  const system = taxSystemOfCode(content.tax)
  const isVat = system === VAT_SYSTEM
  const taxed = { reason: null, reasonCode: null }
  if (isMargin) {
    // The scheme of the printed mention; a regime without a cause is that of used goods.
    const cause = only(lines.map((line) => line.cause)) ?? (tax.regimeKey === '05' ? 'travel' : 'margin_used')
    return exempt(asked, VATEX_OF_MARGIN[cause] ?? null)
  }
  const reason = mentionOf(asked)
  const because = (category: VatCategory, code: string): Category =>
    reason === '' ? exempt(asked, null) : { category, reason, reasonCode: isVat ? code : null }
  switch (tax.taxTreatment) {
    case 'S1':
      return { category: (tax.vatRateBp ?? 0) === 0 ? system.category.zero : system.category.taxed, ...taxed }
    case 'S2':
      return buyer.vatNumber === null ? exempt(asked, null) : because('AE', 'VATEX-EU-AE')
    case 'N2':
      // Another member state's VAT, charged at its rate, counts as a standard rate.
      if (tax.regimeKey === ONE_STOP_SHOP && (tax.vatRateBp ?? 0) > 0) return { category: 'S', ...taxed }
      if (isReversedElsewhere(asked)) return because('AE', 'VATEX-EU-AE')
      return { ...exempt(asked, null), category: 'O' }
    case 'N1':
      return { ...exempt(asked, null), category: 'O' }
    case 'E2':
      // G is for goods that leave the VAT area; exports from the islands are exempt from their own tax.
      return isVat ? because('G', 'VATEX-EU-G') : exempt(asked, null)
    case 'E5':
      return isVat && buysInUnion(buyer) ? because('K', 'VATEX-EU-IC') : exempt(asked, null)
    default:
      // The codes of the Union give reasons of its VAT alone.
      return exempt(
        asked,
        isVat ? (VATEX_OF_CAUSE[only(lines.map((line) => line.cause)) ?? ''] ?? null) : null,
      )
  }
}
