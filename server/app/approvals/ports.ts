/** What the inbox asks of those whose business an action is. It knows none of them: operations.ts brings them together. */
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

export type ParamsOf<Action extends ProposedAction> = z.infer<(typeof PARAMS)[Action]>

/** What is asked for, by its action. */
export type ActionRequestOf<Action extends ProposedAction> = {
  action: Action
  targetId: string | null
  period: { from: string; to: string } | null
  params: ParamsOf<Action>
}
export type ActionRequest = { [Action in ProposedAction]: ActionRequestOf<Action> }[ProposedAction]

/** An action judged by the rules of those who would do it, as things are now. */
export interface Assessment {
  /** The same question with its target and its period pinned down. */
  asked: ActionRequest
  title: string
  invoice: InboxItem['invoice']
  contact: InboxItem['contact']
  taxReturn: InboxItem['taxReturn']
  /** What of the target it rests on; another value later is told to the person. */
  facts: Readonly<Record<string, string | number | null>>
  effects: ProposalPoint[]
  warnings: ProposalPoint[]
  /** Empty: it can be done. */
  blockers: ProposalPoint[]
  reversible: boolean
  impact: NonNullable<Proposal['estimatedImpact']> | null
  changes: ProposedChange[]
  alternatives: Proposal['alternatives']
}

export interface ProposalChecks {
  /** Writes nothing. Throws `not_found` for a target nobody knows, `validation_failed` for what cannot be asked. */
  assess(ctx: Ctx, asked: ActionRequest): Promise<Assessment>
  /** What a person's yes does of it, as far as it can be taken back; the rest is where the person goes on. */
  accept(tx: Ctx, assessment: Assessment): Promise<Outcome>
}
