/** How far the archive is that is being written or taken in. */

export const STEPS = [
  'drawing',
  'files',
  'rows',
  'lists',
  'proving',
  'reading',
  'checking',
  'copying',
] as const

export interface Progress {
  step: (typeof STEPS)[number]
  done: number
  /** Of this step; 0 where it cannot be counted. */
  total: number
}

export type Report = (progress: Progress) => void
