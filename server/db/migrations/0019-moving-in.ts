/** Moving in from an earlier program, and what a move brings; one file for each topic. */
import { assets } from './0019/assets.ts'
import { accountMonths } from './0019/account-months.ts'
import { handOn } from './0019/hand-on.ts'
import { history, historyConditions } from './0019/history.ts'
import { instalmentConditions, instalments } from './0019/instalments.ts'
import { issuedBy } from './0019/issued-by.ts'
import { proof } from './0019/proof.ts'
import type { WidenedCondition } from './list.ts'

const parts: readonly string[] = [history, proof, handOn, accountMonths, assets, instalments, issuedBy]

export const movingIn = parts.join('\n')
export const movingInConditions: readonly WidenedCondition[] = [...historyConditions, ...instalmentConditions]
