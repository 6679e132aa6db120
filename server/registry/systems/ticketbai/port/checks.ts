/** The rules before a record is made, with what the port knows of the moment. */
import { madridTime } from '../../../../domain/dates.ts'
import type { Fault } from '../../../../domain/errors/app-error.ts'
import { openSigningKey, UnusableKey } from '../../../../platform/signing/index.ts'
import type { NewCancellation, NewRegistration } from '../../../facts.ts'
import type { CheckContext } from '../../../system.ts'
import { outsideField } from '../../field-names.ts'
import { splitNumber } from '../content.ts'
import { cancellationContent, ticketBaiInvoice } from '../facts.ts'
import type { ProvinceProfile } from '../profiles.ts'
import { checkTicketBai, checkTicketBaiAmendment, checkTicketBaiCancellation } from '../rules/index.ts'
import type { SealingContext } from '../rules/index.ts'
import { sealingCertificate } from '../seal.ts'
import { originalOf, softwareFactsOf } from './records.ts'

/** The chain reports these of every registry that signs. */
const TOLD_BY_CHAIN: readonly string[] = ['certificate_missing', 'certificate_expired']

/**
 * Certificates of devices are not told apart: none of the kinds that can be imported is one, and no official sample of
 * one was found.
 */
const IS_DEVICE = false

function certificateOf({ key }: CheckContext): SealingContext['certificate'] {
  if (!key) return null
  try {
    return sealingCertificate(openSigningKey(key), IS_DEVICE)
  } catch (error) {
    if (error instanceof UnusableKey) return null
    throw error
  }
}

function sealingOf(profile: ProvinceProfile, context: CheckContext): SealingContext {
  const { software, attendance, now } = context
  return {
    profile,
    software: softwareFactsOf(software),
    certificate: certificateOf(context),
    attendance,
    now,
  }
}

const outside = (faults: readonly Fault[]): Fault[] =>
  faults
    .filter(({ code }) => !TOLD_BY_CHAIN.includes(code))
    .map((fault) => ({ ...fault, field: outsideField(fault.field) }))

/** Checks a registration: the first one of an invoice, or a correction of its first file. */
export function registrationFaults(
  profile: ProvinceProfile,
  namesActivity: boolean,
  invoice: NewRegistration,
  context: CheckContext,
): Fault[] {
  const { detail, first, now, registered } = context
  if (!detail) throw new Error('The file of an invoice lists its lines.')
  const issued = ticketBaiInvoice(invoice, detail, madridTime(now).time)
  const sealing = sealingOf(profile, context)
  const faults = namesActivity ? activityFaults(context) : []
  faults.push(
    ...outside(
      first === null
        ? checkTicketBai(issued, null, sealing)
        : checkTicketBaiAmendment(issued, originalOf(first).invoice, sealing),
    ),
  )
  // What the services do about the correction of a cancelled file is not published.
  if (first !== null && registered === 'cancelled')
    faults.push({
      code: 'amend_cancelled',
      field: '',
      severity: 'error',
      message: 'The file of the invoice is cancelled at the treasury, and no message brings it back.',
      fix: 'Issue another invoice, under a new number.',
    })
  return faults
}

function activityFaults({ taxpayer }: CheckContext): Fault[] {
  if (taxpayer.isPerson !== true || (taxpayer.activityCode ?? '') !== '') return []
  return [
    {
      code: 'activity_code_missing',
      field: '',
      severity: 'error',
      message: 'The book of a person names the activity of each invoice, and the company has no code of one.',
      fix: "Enter the code of the activity (IAE) in the company's data.",
    },
  ]
}

/** Checks a cancellation. */
export function cancellationFaults(
  profile: ProvinceProfile,
  { key }: NewCancellation,
  context: CheckContext,
): Fault[] {
  const issuer = { nif: key.issuerNif, name: context.taxpayer.name }
  const sealing = sealingOf(profile, context)
  const content = cancellationContent(
    { issuer, key: { ...splitNumber(key.number), issueDate: key.issueDate } },
    { software: sealing.software, device: null },
  )
  return outside(checkTicketBaiCancellation(content, sealing))
}
