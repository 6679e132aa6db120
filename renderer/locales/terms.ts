/**
 * Words of the texts that depend on the company: its tax and its registry. A text has them in square brackets:
 * `Base, sin [tax]`. They are filled in when texts are loaded, and again when another company is shown.
 */
import type { Language } from '../format.ts'

export interface LocalTerms {
  /** Short name of the tax: IVA, IGIC. */
  tax: string
  /** Its periodic return, in a sentence: "el modelo 303". */
  return: string
  /** Name of the registry. */
  registry: string
  /** Who keeps the registry, after an article: "la [authority]". */
  authority: string
  /** Name of the registry's page. */
  registryPage: string
  /** What its answer gives as a proof, before the code itself. */
  receipt: string
}

type RegistryTerms = Pick<LocalTerms, 'registry' | 'authority' | 'registryPage' | 'receipt'>

/** By the name of the registry, as a book has it. */
const REGISTRY_TERMS: Readonly<Record<string, Record<Language, RegistryTerms>>> = {
  verifactu: {
    es: { registry: 'VERI*FACTU', authority: 'AEAT', registryPage: 'Registro AEAT', receipt: 'CSV' },
    en: { registry: 'VERI*FACTU', authority: 'AEAT', registryPage: 'AEAT registry', receipt: 'CSV' },
  },
  'signed-01': signed('Hacienda Foral de Álava', 'Araba Treasury'),
  'signed-20': signed('Hacienda Foral de Gipuzkoa', 'Gipuzkoa Treasury'),
  'signed-48': signed('Hacienda Foral de Bizkaia', 'Bizkaia Treasury'),
}

function signed(spanish: string, english: string): Record<Language, RegistryTerms> {
  return {
    es: {
      registry: 'TicketBAI',
      authority: spanish,
      registryPage: 'Registro TicketBAI',
      receipt: 'Justificante',
    },
    en: { registry: 'TicketBAI', authority: english, registryPage: 'TicketBAI registry', receipt: 'Receipt' },
  }
}

/** For a registry without words of its own. */
const ANY_REGISTRY: Record<Language, RegistryTerms> = {
  es: {
    registry: 'el registro',
    authority: 'Administración',
    registryPage: 'Registro',
    receipt: 'Justificante',
  },
  en: { registry: 'the registry', authority: 'tax agency', registryPage: 'Registry', receipt: 'Receipt' },
}

/** The tax and registry of most companies: what texts say while none is shown. */
export const USUAL_TERMS: Readonly<Record<Language, LocalTerms>> = {
  es: { tax: 'IVA', return: 'el modelo 303', ...registryTerms('verifactu', 'es') },
  en: { tax: 'VAT', return: 'form 303', ...registryTerms('verifactu', 'en') },
}

/** Returns how a sentence names the periodic return of a tax; `model` is null where no form is known. */
export function returnTerm(tax: string, model: string | null, language: Language): string {
  if (language === 'es') return model === null ? `la declaración del ${tax}` : `el modelo ${model}`
  return model === null ? `the return of ${tax}` : `form ${model}`
}

/** Returns the words for a registry. */
export function registryTerms(registry: string, language: Language): RegistryTerms {
  return (REGISTRY_TERMS[registry] ?? ANY_REGISTRY)[language]
}

/** Returns texts, nested to any depth, with their words filled in. */
export function fillTerms<Texts extends object>(texts: Texts, words: LocalTerms): Texts {
  const filled: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(texts))
    filled[key] =
      typeof value === 'string' ? fillText(value, words) : fillTerms(value as Record<string, unknown>, words)
  return filled as Texts
}

/** Returns one text with its words filled in. */
export function fillText(text: string, words: LocalTerms): string {
  if (!text.includes('[')) return text
  return text.replace(
    /\[(tax|return|registry|authority|registryPage|receipt)\]/g,
    (_whole, word: keyof LocalTerms) => words[word],
  )
}
