/** The archives that this process makes or takes in, with their progress: one at a time for each company. */
import { AppError } from '../../domain/errors/app-error.ts'
import type { AppEnvironment } from '../../context.ts'
import type { Progress, Report } from './progress.ts'

const RETRY_SECONDS = 30
/** Takes the place of a company that is not here yet. */
export const ARRIVING = 0

const inFlight = new WeakMap<AppEnvironment, Map<number, Progress>>()

function worksOf(env: AppEnvironment): Map<number, Progress> {
  const known = inFlight.get(env) ?? new Map<number, Progress>()
  inFlight.set(env, known)
  return known
}

export const progressOf = (env: AppEnvironment, companyId: number): Progress | null =>
  worksOf(env).get(companyId) ?? null

/** Runs the work on an archive of a company. Throws `too_busy` while another one runs. */
export async function alone<T>(
  env: AppEnvironment,
  companyId: number,
  work: (report: Report) => Promise<T>,
): Promise<T> {
  const works = worksOf(env)
  if (works.has(companyId)) throw new AppError('too_busy', { retryAfterSeconds: RETRY_SECONDS })
  const report: Report = (progress) => void works.set(companyId, progress)
  report({ step: companyId === ARRIVING ? 'reading' : 'drawing', done: 0, total: 0 })
  try {
    return await work(report)
  } finally {
    works.delete(companyId)
  }
}
