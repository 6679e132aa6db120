/** Presentation of each start-up fault: its icon, whether the data are safe, and the two ways out. Pure. */
import { icons } from '../../icons.ts'
import type { IconName } from '../../icons.ts'
import type { StartFault } from '../../../server/app/recovery-mode/contract.ts'

export type WayOut =
  | 'retry'
  | 'read'
  | 'open'
  | 'create'
  | 'code'
  | 'folder'
  | 'restore'
  | 'other'
  | 'report'
  | 'quit'

interface Shown {
  icon: IconName
  tone: 'warning' | 'error' | 'info'
  /** False only if it is unknown: for a damaged file, and for unforeseen faults. */
  safe: boolean
  primary: WayOut
  /** The one alternative. */
  other: WayOut | null
}

const KEY = { icon: icons.lock, tone: 'warning', safe: true } as const
const DISK = { icon: icons.disk, tone: 'warning', safe: true } as const
const FOLDER = { icon: icons.folder, tone: 'warning', safe: true } as const

/** Returns the presentation of a fault. */
export function shownOf({ kind, keep, other, canQuit }: StartFault): Shown {
  const canRecover = keep.length > 0
  const codeFirst = canRecover
    ? ({ primary: 'code', other: 'retry' } as const)
    : ({ primary: 'retry', other: 'folder' } as const)
  switch (kind) {
    case 'keychain_locked':
      return { ...KEY, primary: 'retry', other: canRecover ? 'code' : null }
    case 'key_elsewhere':
      return { ...KEY, icon: icons.computer, ...codeFirst }
    case 'key_missing':
    case 'key_wrong':
      return { ...KEY, icon: icons.keys, ...codeFirst }
    case 'store_in_use':
      return {
        icon: icons.channelScreen,
        tone: 'info',
        safe: true,
        ...(other?.uiUrl ? { primary: 'other', other: 'retry' } : { primary: 'retry', other: 'folder' }),
      }
    case 'port_taken':
      return {
        icon: icons.connections,
        tone: 'warning',
        safe: true,
        ...(canQuit ? { primary: 'quit', other: 'retry' } : { primary: 'retry', other: null }),
      }
    case 'disk_full':
      return { ...DISK, primary: 'retry', other: 'folder' }
    case 'folder_readonly':
      return { ...DISK, icon: icons.lock, primary: 'retry', other: 'read' }
    case 'folder_missing':
      return { ...FOLDER, icon: icons.disk, safe: false, primary: 'retry', other: 'create' }
    case 'folder_unusable':
      return { ...FOLDER, primary: 'folder', other: 'retry' }
    case 'folder_shared':
      return { ...FOLDER, icon: icons.computer, primary: 'folder', other: 'retry' }
    case 'store_missing':
      return { ...FOLDER, safe: false, primary: 'restore', other: 'folder' }
    case 'store_newer':
      return {
        icon: icons.newer,
        tone: 'info',
        safe: true,
        ...(canQuit ? { primary: 'quit', other: 'folder' } : { primary: 'retry', other: 'folder' }),
      }
    case 'store_damaged':
      return { icon: icons.shieldBroken, tone: 'error', safe: false, primary: 'restore', other: 'folder' }
    case 'shut_to_restore':
      return { icon: icons.restored, tone: 'info', safe: true, primary: 'restore', other: 'open' }
    default:
      return { icon: icons.error, tone: 'error', safe: false, primary: 'retry', other: 'report' }
  }
}
