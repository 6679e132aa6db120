/** Saves preferences in the window, and notes which company was opened. */
import type { UseCase } from '../../context.ts'
import { noteOpened } from '../companies/start.ts'
import { savePreferences as save } from '../preferences/index.ts'
import type { savePreferencesContract } from './contract.ts'

/** Stores the given preferences; a book that becomes the active one makes its company the one opened last. */
export const savePreferences: UseCase<typeof savePreferencesContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const saved = await save(tx, input)
    if (input.activeBook) await noteOpened(tx, input.activeBook)
    return saved
  })
