/** Settings of the exchange, what is not known about it, and what the law asks when. */
import { certificateHolder, certificateState } from '../../../company/certificates/index.ts'
import { findCompany } from '../../../company/index.ts'
import { daysBetween } from '../../../domain/dates.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import { ASSUMPTIONS, blockingLive } from '../../../documents/e-invoice/index.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type {
  exchangeAssumptionsContract,
  ExchangeSettings,
  exchangeReadinessContract,
  exchangeSettingsContract,
  setExchangeSettingsContract,
} from '../contract.ts'
import { concerns, DUTIES, personKindOf, TURNOVER_LIMIT_CENTS } from '../law/duties.ts'
import type { PersonKind, TurnoverClass } from '../law/duties.ts'
import { turnoverOf } from '../state/books.ts'
import { representationInForce } from '../state/representation.ts'
import { beginFollowing, findSettings, NO_SETTINGS, writeSettings } from '../state/settings.ts'
import type { SettingsRow } from '../state/settings.ts'
import { isClosed } from '../way.ts'

type Settings = Omit<SettingsRow, 'book_id'>

async function settingsOf(ctx: Ctx): Promise<Settings> {
  return (await findSettings(ctx)) ?? NO_SETTINGS
}

async function settingsView(ctx: Ctx): Promise<ExchangeSettings> {
  const settings = await settingsOf(ctx)
  const { nif } = await findCompany(ctx)
  const holder = await certificateHolder(ctx)
  const lastYear = Number(ctx.today().slice(0, 4)) - 1
  const ofBooks = await turnoverOf(ctx, lastYear)
  return {
    sending: settings.sending_since !== null,
    sendingSince: settings.sending_since === null ? null : new Date(settings.sending_since).toISOString(),
    sendingBy: settings.sending_by,
    followedFrom: settings.followed_from,
    turnover: settings.turnover,
    turnoverYear: settings.turnover_year,
    turnoverOfBooks: ofBooks === null ? null : eurosFromCents(ofBooks),
    personKind: settings.person_kind,
    personKindOfNumber: personKindOf(normalizeNif(nif)),
    reportCollections: settings.report_collections === 1,
    representation: await representationInForce(ctx, settings),
    certificateHolder:
      holder !== null && holder.nif !== null && holder.nif !== nif
        ? { nif: holder.nif, name: holder.name }
        : null,
    mayBeOn: !isClosed(ctx),
    version: settings.version,
  }
}

/** Returns how the book uses the platform. */
export const exchangeSettings: UseCase<typeof exchangeSettingsContract> = (ctx) => settingsView(ctx)

/** Returns what the statement about the holder of the certificate changes. */
async function stated(
  tx: Ctx,
  input: { as: NonNullable<SettingsRow['representation']>; nif: string } | null,
): Promise<Partial<Settings>> {
  if (input === null)
    return {
      representation: null,
      representative_nif: null,
      representative_name: null,
      representative_certificate: null,
      representation_since: null,
      representation_by: null,
    }
  const holder = await certificateHolder(tx)
  if (holder?.nif !== normalizeNif(input.nif))
    throw validationFailed([
      {
        code: 'representative_changed',
        field: 'representation',
        severity: 'error',
        message: 'The certificate is another one than the one that was shown.',
        fix: 'Look at its holder and state it again.',
      },
    ])
  return {
    representation: input.as,
    representative_nif: holder.nif,
    representative_name: holder.name,
    representative_certificate: holder.certificateId,
    representation_since: tx.now().getTime(),
    representation_by: tx.actor.name,
  }
}

/** What the history says of a change of the settings, by what became of sending. */
const ACTIONS = {
  on: 'exchange.turned_on',
  off: 'exchange.turned_off',
  unchanged: 'exchange.settings_changed',
}

/** Changes how the book uses the platform. A live book cannot be turned on while an assumption keeps the real platform closed. */
export const setExchangeSettings: UseCase<typeof setExchangeSettingsContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const before = await settingsOf(tx)
    if (input.expectedVersion !== undefined && input.expectedVersion !== before.version)
      throw new AppError('version_conflict', {
        field: 'expectedVersion',
        details: { expectedVersion: input.expectedVersion, version: before.version },
      })
    const isOn = input.sending ?? before.sending_since !== null
    const isTurnedOn = isOn && before.sending_since === null
    if (isTurnedOn && isClosed(tx))
      throw new AppError('exchange_live_closed', {
        field: 'sending',
        details: { assumptions: blockingLive().map(({ id }) => id) },
      })
    const change: Partial<Settings> = {
      sending_since: isOn ? (before.sending_since ?? tx.now().getTime()) : null,
      sending_by: isOn ? (before.sending_by ?? tx.actor.name) : null,
      ...(isTurnedOn ? { followed_from: before.followed_from ?? tx.today() } : {}),
      ...(input.turnover === undefined
        ? {}
        : {
            turnover: input.turnover,
            turnover_year: input.turnover === null ? null : Number(tx.today().slice(0, 4)) - 1,
          }),
      ...(input.personKind === undefined ? {} : { person_kind: input.personKind }),
      ...(input.reportCollections === undefined
        ? {}
        : { report_collections: input.reportCollections ? 1 : 0 }),
      ...(input.representation === undefined ? {} : await stated(tx, input.representation)),
    }
    await writeSettings(tx, { ...before, ...change, version: before.version + 1 })
    if (isTurnedOn) {
      await beginFollowing(tx)
      tx.wake('exchange')
    }
    const isTurnedOff = !isOn && before.sending_since !== null
    await recordAudit(tx, {
      action: ACTIONS[isTurnedOn ? 'on' : isTurnedOff ? 'off' : 'unchanged'],
      target: { type: 'company', id: tx.book.publicId },
    })
    await emitEvent(tx, 'exchange.changed', {})
    return settingsView(tx)
  })

/** Returns what is not published, what is assumed instead, and what that keeps closed. */
export const exchangeAssumptions: UseCase<typeof exchangeAssumptionsContract> = async () => ({
  items: ASSUMPTIONS.map((each) => ({ ...each })),
  liveIsClosed: blockingLive().length > 0,
})

/** Returns the class of the turnover of last year, as stated for that year, else from the books. */
async function turnoverClass(
  ctx: Ctx,
  settings: Settings,
  year: number,
): Promise<{ turnover: TurnoverClass | null; from: 'stated' | 'books' | null }> {
  if (settings.turnover !== null && settings.turnover_year === year)
    return { turnover: settings.turnover, from: 'stated' }
  const cents = await turnoverOf(ctx, year)
  if (cents === null) return { turnover: null, from: null }
  return { turnover: cents > TURNOVER_LIMIT_CENTS ? 'above' : 'up_to', from: 'books' }
}

/** Returns the codes of what the business lacks to send and report. */
async function lacksOf(ctx: Ctx, settings: Settings): Promise<string[]> {
  const { nif } = await findCompany(ctx)
  const { status } = await certificateState(ctx)
  const holder = await certificateHolder(ctx)
  const hasCertificate = status === 'ok' || status === 'expiring'
  const isOther = hasCertificate && holder !== null && holder.nif !== nif
  return [
    ...(hasCertificate ? [] : ['certificate']),
    ...(isOther && (await representationInForce(ctx, settings)) === null ? ['representation'] : []),
    ...(settings.sending_since === null ? ['sending'] : []),
    ...(isClosed(ctx) ? ['platform_unpublished'] : []),
  ]
}

/** Returns what the law asks of this business, row by row, with what it lacks. */
export const exchangeReadiness: UseCase<typeof exchangeReadinessContract> = async (ctx) => {
  const settings = await settingsOf(ctx)
  const { nif } = await findCompany(ctx)
  const today = ctx.today()
  const year = Number(today.slice(0, 4)) - 1
  const { turnover, from } = await turnoverClass(ctx, settings, year)
  const person: PersonKind = settings.person_kind ?? personKindOf(normalizeNif(nif))
  const lacks = await lacksOf(ctx, settings)
  const duties = DUTIES.map((duty) => {
    const binds = concerns(duty, { turnover, person })
    const isOfService = duty.what === 'issue' || duty.what === 'receive' || duty.what === 'statuses'
    return {
      id: duty.id,
      from: duty.from,
      to: duty.to,
      what: duty.what,
      source: duty.source,
      grade: duty.grade,
      binds,
      isNow: duty.from <= today && (duty.to === null || today <= duty.to),
      daysLeft: Math.max(0, daysBetween(today, duty.from)),
      lacks: [
        ...(binds === null && duty.who !== 'subcontractor' ? ['turnover'] : []),
        ...(binds !== false && isOfService ? lacks : []),
      ],
    }
  })
  return {
    today,
    turnover,
    turnoverYear: year,
    turnoverFrom: from,
    personKind: person,
    duties,
    lacks: [...new Set(duties.flatMap((duty) => duty.lacks))],
    mode: ctx.book.mode,
    sending: settings.sending_since !== null,
    liveIsClosed: blockingLive().length > 0,
  }
}
