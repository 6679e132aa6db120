/** What was sent to the agency: the list of a year, the receipts, the files, and the data that only filing needs. */
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { certificateHolder } from '../../../company/certificates/index.ts'
import { findCompany } from '../../../company/index.ts'
import { readIban } from '../../../domain/iban.ts'
import type { ContractInput, ContractOutput } from '../../../domain/contract/define-contract.ts'
import { filesOf, readFile } from '../../../platform/attachments/index.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { filerOf, findFilingSettings, writeFilingSettings } from '../declaration/filer.ts'
import type { Representative } from '../declaration/representation.ts'
import { agencyPhone } from '../declaration/agency-text.ts'
import type {
  filedFileContract,
  filingDocumentContract,
  filingsContract,
  filingSettingsContract,
  setFilingSettingsContract,
} from './contract.ts'
import { candidateOf, representativeInForce, stated } from './representative.ts'
import { findSending } from './rows.ts'
import { sendingView, SENDING_TARGET } from './views.ts'

/** Lists the sendings of a year, newest first. */
export const listFilings: UseCase<typeof filingsContract> = async (ctx, { year }) => {
  const rows = await ctx.db
    .selectFrom('filing_sendings')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('year', '=', year)
    .orderBy('id', 'desc')
    .execute()
  return { items: await Promise.all(rows.map((row) => sendingView(ctx, row))) }
}

/** Returns the receipt of a sending. */
export const filingDocument: UseCase<typeof filingDocumentContract> = async (ctx, { id }) => {
  const row = orNotFound(await findSending(ctx, id))
  const [file] = await filesOf(ctx, { type: SENDING_TARGET, id: row.id })
  if (!file) throw new AppError('not_found', { field: 'id' })
  return {
    bytes: await readFile(ctx, file),
    sha256: Buffer.from(file.sha256).toString('hex'),
    fileName: file.name,
  }
}

/** Returns the file of a sending as it was sent. */
export const filedFile: UseCase<typeof filedFileContract> = async (ctx, { id }) => {
  const row = orNotFound(await findSending(ctx, id))
  const bytes = gunzipSync(row.file)
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    fileName: `${row.model}-${row.year}-${row.period}.txt`,
  }
}

async function settingsView(ctx: Ctx): Promise<ContractOutput<typeof filingSettingsContract>> {
  const { liveSince, representative: _stated, ...typed } = await findFilingSettings(ctx)
  const representative = await representativeInForce(ctx)
  const filer = await filerOf(ctx)
  const holder = candidateOf(await certificateHolder(ctx), filer.nif)
  return {
    ...typed,
    isPerson: filer.kind === 'natural',
    live: liveSince !== null,
    liveSince: liveSince === null ? null : new Date(liveSince).toISOString(),
    certificateHolder: holder && { nif: holder.nif, name: holder.name },
    representation: representative && {
      as: representative.as,
      since: new Date(representative.since).toISOString(),
      by: representative.by,
    },
    usual: {
      surnames: filer.surnames,
      firstName: filer.firstName,
      contactName: filer.contactName,
      contactPhone: filer.contactPhone,
      iban: filer.iban,
    },
  }
}

/** Returns the data that only filing needs. */
export const getFilingSettings: UseCase<typeof filingSettingsContract> = (ctx) => settingsView(ctx)

const trimmed = (text: string | null): string | null =>
  text === null || text.trim() === '' ? null : text.trim()

const ACTIONS = {
  on: 'filing.live_allowed',
  off: 'filing.live_closed',
  changed: 'filing.settings_changed',
} as const

/** Returns the statement as it is after a change; left out, it stays, unless it has ended with its certificate. */
async function representativeAfter(
  tx: Ctx,
  input: ContractInput<typeof setFilingSettingsContract>['representation'],
): Promise<Representative | null> {
  if (input === undefined) return representativeInForce(tx)
  return input === null ? null : stated(tx, input, (await findCompany(tx)).nif)
}

/** Writes into the history that a statement was made, withdrawn, or has ended. */
async function recordRepresentation(
  tx: Ctx,
  before: Representative | null,
  after: Representative | null,
): Promise<void> {
  if (before?.since === after?.since && before?.nif === after?.nif && before?.as === after?.as) return
  const shown = after ?? before
  await recordAudit(tx, {
    action: after ? 'filing.representation_stated' : 'filing.representation_ended',
    target: {
      type: 'company',
      id: tx.book.publicId,
      label: shown ? `${shown.name} (${shown.nif}), ${shown.as}` : '',
    },
  })
}

/** Replaces the data that only filing needs. */
export const setFilingSettings: UseCase<typeof setFilingSettingsContract> = (ctx, input) => {
  const iban = trimmed(input.iban)
  const contactPhone = trimmed(input.contactPhone)
  const faults = [
    ...(iban !== null && readIban(iban) === null
      ? [
          {
            code: 'iban_invalid',
            field: 'iban',
            severity: 'error' as const,
            message: 'That is no valid IBAN.',
            fix: 'Copy it again.',
          },
        ]
      : []),
    ...(contactPhone !== null && agencyPhone(contactPhone) === null
      ? [
          {
            code: 'contact_phone_missing',
            field: 'contactPhone',
            severity: 'error' as const,
            message: 'The forms take a Spanish telephone number of nine digits.',
            fix: 'Write nine digits.',
          },
        ]
      : []),
  ]
  if (faults.length > 0) throw validationFailed(faults)
  return ctx.transaction(async (tx) => {
    const before = await findFilingSettings(tx)
    const representative = await representativeAfter(tx, input.representation)
    const isTurnedOn = input.live && before.liveSince === null
    await writeFilingSettings(tx, {
      surnames: trimmed(input.surnames),
      firstName: trimmed(input.firstName),
      contactName: trimmed(input.contactName),
      contactPhone,
      iban: iban === null ? null : readIban(iban),
      liveSince: input.live ? (before.liveSince ?? tx.now().getTime()) : null,
      liveBy: input.live ? (before.liveBy ?? tx.actor.name) : null,
      representative,
    })
    const wasTurnedOff = !input.live && before.liveSince !== null
    await recordAudit(tx, {
      action: ACTIONS[isTurnedOn ? 'on' : wasTurnedOff ? 'off' : 'changed'],
      target: { type: 'company', id: tx.book.publicId },
    })
    await recordRepresentation(tx, before.representative, representative)
    await emitEvent(tx, 'filing.changed', { model: null })
    return settingsView(tx)
  })
}
