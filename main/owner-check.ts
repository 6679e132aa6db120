/**
 * The computer's own question to whoever sits at it. macOS asks for a finger on its sensor; Electron has no such question on
 * Windows and Linux, where the code of the app lock is asked for instead.
 */
import type * as Electron from 'electron'
import type { DesktopLanguage } from '../preload/contract.ts'
import type { PersonCheck, ProtectedAction } from '../server/api/application.ts'

/** Goes on from «Sello quiere …» and “Sello is trying to …”. */
const REASONS: Record<DesktopLanguage, Record<ProtectedAction, string>> = {
  es: {
    approve: 'aprobar lo que te ha pedido un programa',
    setting: 'cambiar cómo se aprueba lo que piden los programas',
  },
  en: {
    approve: 'approve what a program has asked for',
    setting: 'change how what programs ask for is approved',
  },
}

/** Null where the system has no question to ask. */
export function personCheck(
  systemPreferences: Pick<typeof Electron.systemPreferences, 'canPromptTouchID' | 'promptTouchID'>,
  language: () => DesktopLanguage,
  platform: NodeJS.Platform = process.platform,
): PersonCheck | null {
  if (platform !== 'darwin') return null
  return {
    available: () => systemPreferences.canPromptTouchID(),
    // Refused, failed or taken away: whichever it was, nobody has shown who they are.
    ask: (deed) =>
      systemPreferences.promptTouchID(REASONS[language()][deed]).then(
        () => true,
        () => false,
      ),
  }
}
