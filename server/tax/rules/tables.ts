/** Use cases of the tax rules: the dated tables, and the catalogue in a language. */
import type { BusinessDate } from '../../domain/dates.ts'
import { programLanguage } from '../../domain/languages.ts'
import { eurosFromCents, percentFromBasisPoints } from '../../domain/money.ts'
import { searchText } from '../../domain/text.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { TAX_SYSTEMS, taxSystemOf } from '../systems/index.ts'
import type { TaxSystem } from '../systems/index.ts'
import type { TaxFamily } from '../systems/contract.ts'
import type { proposeTreatmentContract, taxCausesContract, taxRatesContract } from './contract.ts'
import { inForce, rowAt } from '../../domain/tax/dated.ts'
import type { Dated } from '../../domain/tax/dated.ts'
import { lateInterestRates, recoveryCosts } from './late-interest.ts'
import { memberStateRates } from './member-states.ts'
import { legalMentions } from './mentions.ts'
import type { SellerFacts } from './treatment/propose.ts'
import { proposeTreatment } from './treatment/propose.ts'
import { compensations, thresholds } from './thresholds.ts'
import { withholdingTable } from './withholding.ts'

function validity({ from, to, source, certain }: Dated) {
  return { from, to, source, certain: certain !== false }
}

function ratesOf(tax: TaxFamily | undefined) {
  return TAX_SYSTEMS.filter(({ family }) => tax === undefined || family === tax).flatMap(
    ({ family, rates }) =>
      rates
        .filter(({ offered }) => offered !== false)
        .map((row) => ({
          tax: family,
          rate: percentFromBasisPoints(row.rateBp),
          surcharges: row.surchargesBp.map(percentFromBasisPoints),
          general: row.general === true,
          ...validity(row),
        })),
  )
}

/** Returns the tables in force on a day, or of all days. */
export const taxRates: UseCase<typeof taxRatesContract> = async (ctx, input) => {
  const date: BusinessDate = input.date ?? ctx.today()
  function rows<Row extends Pick<Dated, 'from' | 'to'>>(table: readonly Row[]): Row[] {
    return input.history ? [...table] : inForce(table, date)
  }
  const order = (tax: TaxFamily): number => TAX_SYSTEMS.findIndex(({ family }) => family === tax)
  return {
    date,
    rates: rows(ratesOf(input.tax)).sort(
      (a, b) => order(a.tax) - order(b.tax) || b.rate - a.rate || (a.from < b.from ? 1 : -1),
    ),
    withholding: rows(withholdingTable).map((row) => ({
      code: row.code,
      rate: percentFromBasisPoints(row.rateBp),
      note: row.note,
      ...validity(row),
    })),
    lateInterest: rows(lateInterestRates).map((row) => ({
      rate: percentFromBasisPoints(row.rateBp),
      ...validity(row),
    })),
    recoveryCost: eurosFromCents(rowAt(recoveryCosts, date).cents),
    compensation: rows(compensations).map((row) => ({
      code: row.code,
      rate: percentFromBasisPoints(row.rateBp),
      ...validity(row),
    })),
    memberStates: rows(memberStateRates).map((row) => ({
      country: row.country,
      standard: percentFromBasisPoints(row.standardBp),
      reduced: row.reducedBp.map(percentFromBasisPoints),
      ...validity(row),
    })),
    thresholds: rows(thresholds).map((row) => ({
      code: row.code,
      amount: eurosFromCents(row.cents),
      ...validity(row),
    })),
  }
}

/**
 * Creates the catalogue of causes of the company's tax, in a language, filtered by text of the case or its article;
 * `findSeller` returns the company's facts.
 */
export function causesForCompany(
  findSeller: (ctx: Ctx) => Promise<SellerFacts>,
): UseCase<typeof taxCausesContract> {
  return async (ctx, { language = 'es', taxTreatment, text }) => {
    const system: TaxSystem = taxSystemOf((await findSeller(ctx)).territory)
    const wanted = searchText(text ?? '')
    const items = system.causes
      .filter((cause) => taxTreatment === undefined || cause.taxTreatment === taxTreatment)
      .filter((cause) =>
        searchText(`${cause.code} ${cause.article} ${cause.question.es} ${cause.question.en}`).includes(
          wanted,
        ),
      )
      .map((cause) => ({
        code: cause.code,
        taxTreatment: cause.taxTreatment,
        regimeKey: cause.regimeKey,
        article: cause.article,
        question: cause.question[programLanguage(language)],
        mention: legalMentions([{ ...cause, cause: cause.code }], {
          language,
          customerCountry: 'ES',
          system,
        }).join('. '),
      }))
    return { items }
  }
}

/**
 * Creates the treatment helper for the company of the book; `findSeller` returns its facts, because this slice does
 * not know companies.
 */
export function proposeForCompany(
  findSeller: (ctx: Ctx) => Promise<SellerFacts>,
): UseCase<typeof proposeTreatmentContract> {
  return async (ctx, question) => proposeTreatment(question, await findSeller(ctx), ctx.today())
}
