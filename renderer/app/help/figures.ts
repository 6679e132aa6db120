/** Figures and dates that the help states. A test compares each with the constant that the product uses. Pure. */
import { announcementMessage, dateInForce, lawDateMessage } from '../../../server/domain/tax/law-dates.ts'

export const FIGURES = {
  /** Euros, tax included. */
  simplified: 400,
  simplifiedSectors: 3000,
  /** Euros a year with one customer or supplier, tax included. */
  thirdParties: 3005.06,
  /** Euros a quarter. */
  euMonthly: 50_000,
  /** Euros a year. */
  oss: 10_000,
  /** Euros: from this amount on, cash is not allowed. */
  cash: 1000,
  /** Euros for each invoice paid late. */
  recovery: 40,
  confirmMinutes: 10,
  certificateDays: 30,
  rectifyYears: 4,
  mandateMonths: 36,
  termDays: 60,
  clockMinutes: 4,
  proposalDays: 7,
  vat: 21,
  vatReduced: 10,
  vatSuperReduced: 4,
  surcharge: 5.2,
  surchargeReduced: 1.4,
  surchargeSuperReduced: 0.5,
  professional: 15,
  newProfessional: 7,
  rent: 19,
} as const

/** Legal facts that may change, by the names that the texts use. */
const LAW: Readonly<Record<string, (language: 'es' | 'en') => string>> = {
  verifactuCompanies: (language) => lawDateMessage(dateInForce('verifactu_companies').date, language),
  verifactuOthers: (language) => lawDateMessage(dateInForce('verifactu_others').date, language),
  verifactuGazette: () => dateInForce('verifactu_others').gazette ?? '',
  verifactuAnnouncement: (language) => announcementMessage('verifactu_others', language),
}

type FigureName = keyof typeof FIGURES

const numberOf = { es: 'es-ES', en: 'en-GB' } as const

/** Replaces every `{name}` by its figure in the language. Throws for an unknown name: that is an error in the text. */
export function withFigures(text: string, language: 'es' | 'en'): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const law = LAW[name]
    if (law) return law(language)
    if (!Object.hasOwn(FIGURES, name)) throw new Error(`The help has no figure ${name}.`)
    return FIGURES[name as FigureName].toLocaleString(numberOf[language], { useGrouping: true })
  })
}
