/** What an answer proves about the records of a message, in the words of the queue. */
import type { FaultTreatment, Outcome, Reading, SentRecord } from '../../../system.ts'
import { resolveByAnswer } from '../wire/held.ts'
import type { NotTakenReason, RecordOutcome, SealedFile, ServiceCode } from '../wire/outcome.ts'

/** A refusal without a code of its own. */
const REFUSED = 'refused'
/** "Registered already", as an answer to the correction of a refused file says it. */
const REGISTERED = '005'

const TREATMENTS: Readonly<Record<NotTakenReason, FaultTreatment>> = {
  down: 'retry',
  not_trusted: 'retry',
  throttled: 'retry',
  not_allowed: 'hold',
  taxpayer_unknown: 'hold',
  refused: 'hold',
  not_configured: 'hold',
}

/** Names for refusals of HTTP, which have no code of the service. */
const CODES: Readonly<Partial<Record<NotTakenReason, string>>> = {
  not_allowed: 'access_refused',
  refused: 'message_refused',
}

interface WithOutcome {
  record: SentRecord
  file: Pick<SealedFile, 'kind' | 'identifier'>
  outcome: RecordOutcome
}

const textOf = (codes: readonly ServiceCode[]): string | null =>
  codes
    .map(({ code, text }) => [code, text].filter(Boolean).join(': '))
    .join('; ')
    .slice(0, 500) || null

function outcomeOf({ record, file, outcome }: WithOutcome, canAsk: boolean): Outcome | null {
  const { recordId: recordRef, kind: operation, number } = record
  const about = { recordRef, operation, number }
  switch (outcome.kind) {
    case 'accepted': {
      const [first] = outcome.warnings
      return {
        ...about,
        state: first ? 'accepted_with_errors' : 'accepted',
        code: first?.code ?? null,
        message: textOf(outcome.warnings),
        rejection: 'final',
      }
    }
    case 'rejected': {
      const isOwn =
        file.kind === 'correction' &&
        record.mayHaveArrived &&
        outcome.codes.some(({ code }) => code === REGISTERED)
      return {
        ...about,
        state: 'rejected',
        code: outcome.codes[0]?.code || REFUSED,
        message: textOf(outcome.codes),
        rejection: isOwn ? 'ours' : 'final',
      }
    }
    case 'held': {
      const rejection =
        operation === 'cancellation'
          ? 'done'
          : canAsk
            ? 'taken'
            : resolveByAnswer(file, outcome.heldIdentifier, record) === 'ours'
              ? 'ours'
              : 'foreign'
      const { codes } = outcome
      return {
        ...about,
        state: 'rejected',
        code: codes[0]?.code || REFUSED,
        message: textOf(codes),
        rejection,
      }
    }
    case 'not_taken':
      return {
        ...about,
        state: 'rejected',
        code: outcome.code ?? CODES[outcome.reason] ?? null,
        message: outcome.detail,
        rejection: 'again',
      }
    case 'unknown':
      return null
  }
}

/**
 * Returns the reading of an answer. A message of which nothing was taken is refused as a whole; one that proves nothing
 * of any record is unknown; a record that it does not name stays so.
 */
export function readingOf(all: readonly WithOutcome[], canAsk: boolean): Reading {
  const outcomes = all.map(({ outcome }) => outcome)
  const [first] = outcomes
  if (!first || outcomes.every(({ kind }) => kind === 'unknown'))
    return {
      kind: 'unknown',
      outcome: 'unreadable',
      detail: first?.kind === 'unknown' ? first.detail : 'No record.',
    }
  if (first.kind === 'not_taken' && outcomes.every(({ kind }) => kind === 'not_taken'))
    return {
      kind: 'refused',
      code: first.code ?? CODES[first.reason] ?? null,
      message: first.detail,
      treatment: TREATMENTS[first.reason],
      ...(first.retryAfter === undefined ? {} : { retryAfterSeconds: first.retryAfter }),
    }
  const accepted = outcomes.find((one) => one.kind === 'accepted')
  return {
    kind: 'answer',
    issuerNif: null,
    // Neither service's time is compared with this computer's: it has no zone, and its precision is not published.
    presentedAt: null,
    waitSeconds: 0,
    receipt: accepted?.kind === 'accepted' ? accepted.receipt : null,
    outcomes: all.flatMap((one) => outcomeOf(one, canAsk) ?? []),
  }
}
