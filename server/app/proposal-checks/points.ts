/** Effects, blockers and warnings: a code for the window's translation, a sentence for assistants. Pure. */
import { AppError } from '../../domain/errors/app-error.ts'
import { english } from '../../domain/errors/messages/en.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import type { ActionRequest, Assessment, ProposalPoint } from '../approvals/index.ts'

export function point(
  code: string,
  message: string,
  params?: NonNullable<ProposalPoint['params']>,
): ProposalPoint {
  return { code, message, ...(params ? { params } : {}) }
}

/** Returns a fault for an assistant: what is wrong and how to correct it. */
function pointOfFault(fault: Fault): ProposalPoint {
  const message = fault.fix ? `${fault.message} ${fault.fix}` : fault.message
  return point(fault.code, message, fault.params)
}

export function splitFaults(faults: readonly Fault[]): Pick<Assessment, 'blockers' | 'warnings'> {
  const of = (severity: Fault['severity']) =>
    faults.filter((fault) => fault.severity === severity).map(pointOfFault)
  return { blockers: of('error'), warnings: of('warning') }
}

/** Keeps only scalar values, which can be inserted into a sentence. */
function plainParams(details: Record<string, unknown> = {}): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(details).filter(
      (entry): entry is [string, string | number] =>
        typeof entry[1] === 'string' || typeof entry[1] === 'number',
    ),
  )
}

/** Returns a rejection of an operation as blockers: all its faults, or its single reason. */
function pointsOfError(error: AppError): ProposalPoint[] {
  const faults = error.details?.faults
  if (Array.isArray(faults) && faults.length > 0) return (faults as Fault[]).map(pointOfFault)
  const { message, next } = english[error.code]
  return [point(error.code, next ? `${message} ${next}` : message, plainParams(error.details))]
}

/** Runs an operation's own check; a rejection becomes blockers. Any other error is a bug and is thrown. */
export async function runCheck<T>(
  check: () => Promise<T>,
): Promise<{ answer: T } | { blockers: ProposalPoint[] }> {
  try {
    return { answer: await check() }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { blockers: pointsOfError(error) }
  }
}

/** Returns an empty assessment. */
export function emptyAssessment(question: ActionRequest, title: string): Assessment {
  return {
    asked: question,
    title,
    invoice: null,
    contact: null,
    taxReturn: null,
    facts: {},
    effects: [],
    warnings: [],
    blockers: [],
    reversible: true,
    impact: null,
    changes: [],
    alternatives: [],
  }
}
