/** Saves preferences in the window, and notes which company was opened. */
import type { UseCase } from '../../context.ts'
import { noteOpened } from '../companies/start.ts'
import { changePersonal, savePreferences as save } from '../preferences/index.ts'
import type { savePreferencesContract } from './contract.ts'

/** Stores the given preferences; a book that becomes the active one makes its company the one opened last. */
export const savePreferences: UseCase<typeof savePreferencesContract> = (ctx, input) =>
  changePersonal(ctx, async (tx) => {
    const saved = await save(tx, input)
    if (input.activeBook) await noteOpened(tx, input.activeBook)
    return saved
  })
