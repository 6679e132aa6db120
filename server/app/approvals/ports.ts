/** Port of the inbox to the slices that carry out its actions. It imports none of them: operations.ts connects them. */
import type { z } from 'zod'
import type { Ctx } from '../../context.ts'
import type {
  InboxItem,
  Outcome,
  PARAMS,
  Proposal,
  ProposalPoint,
  ProposedAction,
  ProposedChange,
} from './contract.ts'

type ParamsOf<Action extends ProposedAction> = z.infer<(typeof PARAMS)[Action]>

/** Request by action. */
export type ActionRequestOf<Action extends ProposedAction> = {
  action: Action
  targetId: string | null
  period: { from: string; to: string } | null
  params: ParamsOf<Action>
}
export type ActionRequest = { [Action in ProposedAction]: ActionRequestOf<Action> }[ProposedAction]

/** Assessment of an action by the rules of the slice that would carry it out, in the current state. */
export interface Assessment {
  /** The same request with its target and period resolved. */
  asked: ActionRequest
  title: string
  invoice: InboxItem['invoice']
  contact: InboxItem['contact']
  taxReturn: InboxItem['taxReturn']
  /** Properties of the target on which the proposal depends; a later change is shown to the person. */
  facts: Readonly<Record<string, string | number | null>>
  effects: ProposalPoint[]
  warnings: ProposalPoint[]
  /** Empty when the action can be done. */
  blockers: ProposalPoint[]
  reversible: boolean
  impact: NonNullable<Proposal['estimatedImpact']> | null
  changes: ProposedChange[]
  alternatives: Proposal['alternatives']
}

export interface ProposalChecks {
  /** Writes nothing. Throws `not_found` for an unknown target, `validation_failed` for an invalid request. */
  assess(ctx: Ctx, asked: ActionRequest): Promise<Assessment>
  /** Carries out what can be undone; for the rest, the outcome says where the person continues. */
  accept(tx: Ctx, assessment: Assessment): Promise<Outcome>
}
