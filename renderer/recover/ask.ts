/** What the page asks the small server that answers while the books are shut, and how it finds the real one again. */
import { ask, call } from '../call.ts'
import type { Keep, Trouble, TroubleAnswer } from '../../server/trouble/contract.ts'

export type { Keep, Trouble }

const LOOK_MS = 250

export const getTrouble = (): Promise<TroubleAnswer> => ask<TroubleAnswer>('trouble.get', {})
export const retryOpening = (): Promise<TroubleAnswer> => ask<TroubleAnswer>('trouble.retry', {})
export const createBooks = (): Promise<TroubleAnswer> => ask<TroubleAnswer>('trouble.create', {})
export const recoverWith = (code: string, keep: Keep): Promise<TroubleAnswer> =>
  ask<TroubleAnswer>('trouble.recover', { code, keep })
export const useFolder = (folder: string): Promise<TroubleAnswer> =>
  ask<TroubleAnswer>('trouble.useFolder', { folder })
export const quitSello = (): Promise<unknown> => ask('trouble.quit', {})

/** The facts for support, as a file in the person's hands. */
export async function saveReport(): Promise<void> {
  const { text } = await ask<{ text: string }>('trouble.report', {})
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'sello-soporte.txt'
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** True when the real server answers. */
async function isOpen(): Promise<boolean> {
  try {
    await call('session.get', {})
    return true
  } catch {
    return false
  }
}

/** Waits for the real server, which takes over in a moment. */
export async function untilOpen(): Promise<void> {
  while (!(await isOpen())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}
