/** The tax of the active company, for what the page offers: rates, treatments, regimes. It follows the session. */
import { computed, shallowRef } from 'vue'
import type { ShallowRef } from 'vue'
import { language } from '../format.ts'
import { hasText, translate, useLocalTerms } from '../i18n.ts'
import { registryTerms, returnTerm } from '../locales/terms.ts'
import type { OutputOf } from '../../server/api/contracts.ts'
import type { BusinessDate } from '../../server/domain/dates.ts'
import type { BasisPoints } from '../../server/domain/money.ts'
import type { TaxTreatment } from '../../server/domain/tax/totals.ts'
import { taxSystemOf, VAT_SYSTEM } from '../../server/tax/systems/index.ts'
import type { RegimeSale, TaxSystem } from '../../server/tax/systems/index.ts'

type Company = Pick<OutputOf<'company.current'>, 'territory' | 'vatRegime' | 'registry'>

const current = shallowRef<TaxSystem>(VAT_SYSTEM)
export const taxSystem: Readonly<ShallowRef<TaxSystem>> = current

/** Sale of a company that its own scheme exempts, such as a retailer's; null for every other. */
const ownSale = shallowRef<RegimeSale | null>(null)
const regime = shallowRef<Company['vatRegime'] | null>(null)

/** Registry of a book while none is shown. */
const USUAL_REGISTRY = 'verifactu'
const registry = shallowRef(USUAL_REGISTRY)
/** Name of the registry of the book that is shown. */
export const registryName: Readonly<ShallowRef<string>> = registry

/** Follows the company that is shown; without one the tax is that of most of Spain. */
export function followCompany(company: Company | null): void {
  current.value = company === null ? VAT_SYSTEM : taxSystemOf(company.territory)
  const sale = company === null ? null : (current.value.regimeOf(company.vatRegime)?.sale ?? null)
  ownSale.value = sale?.cause ? sale : null
  regime.value = company?.vatRegime ?? null
  registry.value = company?.registry.system ?? USUAL_REGISTRY
  const model = returnForm()
  const { name, englishName } = current.value
  void useLocalTerms({
    es: { tax: name, return: returnTerm(name, model, 'es'), ...registryTerms(registry.value, 'es') },
    en: {
      tax: englishName,
      return: returnTerm(englishName, model, 'en'),
      ...registryTerms(registry.value, 'en'),
    },
  })
}

/** Returns the number of the quarterly return of the tax; null where no form is known. */
function returnForm(): string | null {
  return current.value.returns.find(({ period }) => period === 'quarter')?.model ?? null
}

/** Returns treatment and cause of a line with an item, by the company's own scheme; null when the item decides. */
export function saleOfItem(item: Parameters<TaxSystem['saleOfItem']>[1]): RegimeSale | null {
  return regime.value === null ? null : current.value.saleOfItem(regime.value, item)
}

/** Returns treatment and cause of a new line. */
export function usualSale(): { taxTreatment: TaxTreatment; cause: string | null } {
  return { taxTreatment: ownSale.value?.taxTreatment ?? 'S1', cause: ownSale.value?.cause ?? null }
}

/** Returns the name of the tax in the language of the page. */
export function taxName(): string {
  return language.value === 'es' ? current.value.name : current.value.englishName
}

/** Returns the tax and its periodic return, as texts name them: `model` is a dash where no form is known. */
export function taxLabels(): { tax: string; model: string } {
  return { tax: taxName(), model: returnForm() ?? '—' }
}

/** True where a retailer's surcharge may stand on an invoice. */
export const hasSurcharge = computed(() =>
  current.value.rates.some(({ surchargesBp }) => surchargesBp.length > 0),
)

/** Rate of a line whose rate a person has to choose: no rate of a tax without a general one. */
const UNCHOSEN_BP: BasisPoints = 0

/** Returns the rate of a new line; `UNCHOSEN_BP` where a person chooses it. */
export function usualRateAt(date: BusinessDate): BasisPoints {
  return current.value.defaultRateAt(date) ?? UNCHOSEN_BP
}

/** True for a rate that is still to be chosen. */
export function isUnchosen(rateBp: BasisPoints): boolean {
  return !current.value.hasGeneralRate && rateBp === UNCHOSEN_BP
}

/** Returns the treatments without a rate that a line may have. */
export function treatmentsWithoutRate(): TaxTreatment[] {
  return current.value.treatments.filter((code) => code !== 'S1')
}

/** Returns the name of a treatment in the choices of a line; `group` in the sums of a document. */
export function treatmentName(code: string, group = false): string {
  const usual = group ? `invoice.vat.group.${code}` : `invoice.vat.${code}`
  const own = `invoice.taxTreatment.${current.value.family}.${code}`
  return translate(hasText(own) ? own : usual)
}
