/** Shared types and small pure helpers of the page that hands the journal on. */
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'

export type HandOnSettings = InputOf<'handOn.saveSettings'>
export type HandOnFormat = OutputOf<'handOn.settings'>['formats'][number]
export type HandOnPreview = OutputOf<'handOn.preview'>
export type HandOnRun = OutputOf<'handOn.runs'>['items'][number]

/** Returns the settings of another format: what both have stays. */
export function settingsOf(format: HandOnFormat, before: HandOnSettings | null): HandOnSettings {
  const { digits, encodings, recordLengths, journal } = format
  const kept = before?.digits ?? digits.usual
  return {
    format: format.id,
    digits: kept >= digits.min && kept <= digits.max ? kept : digits.usual,
    firstCustomer: before?.firstCustomer ?? 1,
    firstSupplier: before?.firstSupplier ?? 1,
    companyCode: format.companyCode ? (before?.companyCode ?? '') : '',
    encoding: encodings[0] ?? 'utf-8',
    recordLength: recordLengths[0] ?? null,
    journal: journal ?? '',
    closingEntries: before?.closingEntries ?? true,
    // Another program: nobody has confirmed it.
    confirmed: before?.format === format.id && before.confirmed,
  }
}
