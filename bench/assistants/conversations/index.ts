/** All conversations in their order: later ones use the results of earlier ones. */
import type { Conversation } from '../trace.ts'
import { APPROVALS } from './approvals.ts'
import { HOSTILE } from './hostile.ts'
import { MISTAKES } from './mistakes.ts'
import { TOKENS } from './tokens.ts'
import { WORK } from './work.ts'

export const CONVERSATIONS: readonly Conversation[] = [
  ...WORK,
  ...MISTAKES,
  ...TOKENS,
  ...APPROVALS,
  ...HOSTILE,
]
