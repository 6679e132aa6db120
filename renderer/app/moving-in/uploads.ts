/**
 * Sends files to moves, one after another, whichever page is open. A file that was sent is one of the move; only those that
 * wait or failed are listed here.
 */
import { shallowReactive } from 'vue'
import { asCallError, call } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { base64Of } from '../../purchases/incoming.ts'
import type { InputOf } from '../../../server/api/contracts.ts'
import { holdFile, MOST_BYTES, nameOfFile } from './memory.ts'
import { showMove } from './moves.ts'

type More = Pick<InputOf<'moving.addFile'>, 'answers' | 'tables'>

export interface Upload {
  key: number
  name: string
  file: File
  more: More
  state: 'waiting' | 'sending' | 'failed'
  /** Why it failed; a call's error, or what this computer says. */
  why: CallError | 'tooLarge' | 'notRead' | null
}

const queues = shallowReactive(new Map<string, readonly Upload[]>())
const draining = new Map<string, Promise<void>>()
let lastKey = 0

/** Returns the files that were not sent yet, or failed. */
export const uploadsOf = (moveId: string): readonly Upload[] => queues.get(moveId) ?? []

export const isSending = (moveId: string): boolean =>
  uploadsOf(moveId).some(({ state }) => state !== 'failed')

const change = (moveId: string, key: number, changes: Partial<Upload>): void =>
  void queues.set(
    moveId,
    uploadsOf(moveId).map((each) => (each.key === key ? { ...each, ...changes } : each)),
  )

/** Takes a file out of the list. */
export function dropUpload(moveId: string, key: number): void {
  queues.set(
    moveId,
    uploadsOf(moveId).filter((each) => each.key !== key),
  )
}

async function send(moveId: string, bookId: string, upload: Upload): Promise<void> {
  const { key, name, file, more } = upload
  change(moveId, key, { state: 'sending' })
  let content: string
  try {
    content = await base64Of(file)
  } catch {
    // The browser reads the file only now: it was changed or removed meanwhile.
    return change(moveId, key, { state: 'failed', why: 'notRead' })
  }
  try {
    const { move } = await call('moving.addFile', { id: moveId, name, content, ...more }, { bookId })
    showMove(move)
    dropUpload(moveId, key)
  } catch (thrown) {
    change(moveId, key, { state: 'failed', why: asCallError(thrown) })
  }
}

async function drain(moveId: string, bookId: string): Promise<void> {
  for (;;) {
    const next = uploadsOf(moveId).find(({ state }) => state === 'waiting')
    if (!next) return
    await send(moveId, bookId, next)
  }
}

/** Sends files, in place of earlier failures of the same names. Resolves once nothing waits any more. */
export async function uploadFiles(
  moveId: string,
  bookId: string,
  files: readonly { file: File; more?: More }[],
): Promise<void> {
  const added = files.map(({ file, more = {} }): Upload => {
    const tooLarge = file.size > MOST_BYTES
    holdFile(moveId, file)
    return {
      key: ++lastKey,
      name: nameOfFile(file),
      file,
      more,
      state: tooLarge ? 'failed' : 'waiting',
      why: tooLarge ? 'tooLarge' : null,
    }
  })
  const names = new Set(added.map(({ name }) => name))
  const earlier = uploadsOf(moveId).filter(({ state, name }) => state !== 'failed' || !names.has(name))
  queues.set(moveId, [...earlier, ...added])
  while (uploadsOf(moveId).some(({ state }) => state === 'waiting')) {
    const running = draining.get(moveId) ?? drain(moveId, bookId).finally(() => draining.delete(moveId))
    draining.set(moveId, running)
    await running
  }
}
