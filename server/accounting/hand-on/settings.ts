/** Reads and saves how the journal is handed on. */
import type { UseCase } from '../../context.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import type { handOnSettingsContract, saveHandOnSettingsContract } from './contract.ts'
import { FORMATS } from './formats/index.ts'
import type { HandOnSettings } from './model.ts'
import { findSettings, writeSettings } from './settings-rows.ts'

export const getSettings: UseCase<typeof handOnSettingsContract> = async (ctx) => ({
  settings: await findSettings(ctx),
  formats: Object.values(FORMATS).map((format) => ({
    id: format.id,
    name: format.name,
    sureness: format.sureness,
    source: format.source,
    digits: { ...format.digits },
    encodings: [...format.encodings],
    recordLengths: [...format.recordLengths],
    companyCode: format.companyCode !== null,
    journal: format.journal?.usual ?? null,
  })),
})

/** Returns what a format does not take of settings. */
function faultsOfSettings(settings: HandOnSettings): Fault[] {
  const { digits, encodings, recordLengths, companyCode, journal } = FORMATS[settings.format]
  const faults: Fault[] = []
  const refuse = (
    code: string,
    field: keyof HandOnSettings,
    message: string,
    fix: string,
    params?: Fault['params'],
  ) => faults.push({ code, field, severity: 'error', message, fix, ...(params && { params }) })
  if (settings.digits < digits.min || settings.digits > digits.max)
    refuse(
      'hand_on_digits_of_format',
      'digits',
      `Accounts of this format have ${digits.min} to ${digits.max} digits.`,
      'Ask the office how many it uses.',
      { min: digits.min, max: digits.max },
    )
  for (const field of ['firstCustomer', 'firstSupplier'] as const)
    if (String(settings[field]).length > settings.digits - 3)
      refuse(
        'hand_on_first_too_long',
        field,
        'The first number has more digits than are left after 430.',
        'Type a smaller number, or more digits.',
      )
  if (!encodings.includes(settings.encoding))
    refuse('hand_on_encoding', 'encoding', 'The format has another encoding.', 'Choose the one it has.')
  if (
    recordLengths.length === 0
      ? settings.recordLength !== null
      : !recordLengths.includes(settings.recordLength ?? 0)
  )
    refuse(
      'hand_on_record_length',
      'recordLength',
      'The format has no records of that length.',
      'Choose one it has.',
    )
  if (companyCode === null ? settings.companyCode !== '' : !companyCode.test(settings.companyCode))
    refuse(
      'hand_on_company_code',
      'companyCode',
      companyCode === null
        ? 'The format has no code of the company.'
        : 'That is no code of a company of this format.',
      'Ask the office for the code that the company has in its program.',
    )
  if (journal === null ? settings.journal !== '' : !journal.pattern.test(settings.journal))
    refuse(
      'hand_on_journal',
      'journal',
      journal === null ? 'The format has no journals.' : 'That is no journal of this format.',
      'Ask the office for the journal that it imports into.',
    )
  return faults
}

/** Saves the settings. Throws `validation_failed` for what the format does not take. */
export const saveSettings: UseCase<typeof saveHandOnSettingsContract> = (ctx, settings) =>
  ctx.transaction(async (tx) => {
    const faults = faultsOfSettings(settings)
    if (faults.length > 0) throw validationFailed(faults)
    await writeSettings(tx, settings)
    await recordAudit(tx, {
      action: 'hand_on.settings_saved',
      target: {
        type: 'company',
        id: tx.book.publicId,
        label: `${FORMATS[settings.format].name}, ${settings.digits}`,
      },
    })
    return settings
  })
