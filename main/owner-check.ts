/**
 * The operating system's check of the person at the computer. macOS asks for a fingerprint; Electron has no such
 * check on Windows and Linux, where the code of the app lock is used instead.
 */
import type * as Electron from 'electron'
import type { DesktopLanguage } from '../preload/contract.ts'
import type { PersonCheck, ProtectedAction } from '../server/api/application.ts'

/** Continues «Sello quiere …» and “Sello is trying to …”. */
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

/** Returns the check, or null if the system has none. */
export function personCheck(
  systemPreferences: Pick<typeof Electron.systemPreferences, 'canPromptTouchID' | 'promptTouchID'>,
  language: () => DesktopLanguage,
  platform: NodeJS.Platform = process.platform,
): PersonCheck | null {
  if (platform !== 'darwin') return null
  return {
    available: () => systemPreferences.canPromptTouchID(),
    // Refused, failed or cancelled: in every case the person has not been verified.
    ask: (deed) =>
      systemPreferences.promptTouchID(REASONS[language()][deed]).then(
        () => true,
        () => false,
      ),
  }
}
