/** Two pairs of eyes as the window calls them: rules, requests and decisions. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { centsFromEuros, eurosFromCents } from '../../../domain/money.ts'
import type { ContractOutput } from '../../../domain/contract/define-contract.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type {
  decideRequestContract,
  requestsContract,
  secondPersonRulesContract,
  setSecondPersonRulesContract,
} from '../contract.ts'
import { membersOf } from '../directory/memberships.ts'
import { peopleOf } from '../people-of-office.ts'
import { decideRequest, listRequests, mayDecide } from './requests.ts'
import type { SecondPersonRequest } from './requests.ts'
import { readRules, writeRules } from './rules.ts'
import type { SecondPersonRules } from './rules.ts'

type RulesView = ContractOutput<typeof secondPersonRulesContract>
type RequestView = ContractOutput<typeof decideRequestContract>

const LISTED = 50

const rulesView = ({ issueAboveCents, ...rules }: SecondPersonRules): RulesView => ({
  ...rules,
  issueAbove: issueAboveCents === null ? null : eurosFromCents(issueAboveCents),
})

const instant = (at: number): string => new Date(at).toISOString()

function requestView(ctx: Ctx, request: SecondPersonRequest): RequestView {
  const { id, operation, summary, input, status, note } = request
  return {
    id,
    operation,
    kind: summary.kind,
    subject: summary.subject,
    amount: summary.amountCents === null ? null : eurosFromCents(summary.amountCents),
    targetId: summary.targetId,
    facts: summary.facts,
    rule: {
      name: summary.rule.name,
      ...(summary.rule.aboveCents === undefined ? {} : { above: eurosFromCents(summary.rule.aboveCents) }),
    },
    input,
    seen: request.hash,
    askedBy: request.askedBy.name,
    askedByMe: request.askedBy.id === ctx.actor.id,
    mayDecide: status === 'pending' && mayDecide(ctx, request),
    decidedBy: request.decidedBy?.name ?? null,
    status,
    note,
    createdAt: instant(request.createdAt),
    expiresAt: instant(request.expiresAt),
    decidedAt: request.decidedAt === null ? null : instant(request.decidedAt),
  }
}

export const getRules: UseCase<typeof secondPersonRulesContract> = async (ctx) =>
  rulesView(await readRules(ctx))

export const setRules: UseCase<typeof setSecondPersonRulesContract> = async (ctx, input) => {
  const issueAboveCents = input.issueAbove === null ? null : centsFromEuros(input.issueAbove)
  if (issueAboveCents === undefined) throw new AppError('validation_failed', { field: 'issueAbove' })
  const isOn = issueAboveCents !== null || input.closing || input.bankAccounts
  const members = await membersOf(peopleOf(ctx).directory.reader, ctx.book.companyId)
  if (isOn && members.length < 2) throw new AppError('second_person_missing')
  return ctx.transaction(async (tx) => {
    const before = await readRules(tx)
    if (input.expectedVersion !== undefined && input.expectedVersion !== before.version)
      throw new AppError('version_conflict', { details: { version: before.version } })
    const { closing, bankAccounts } = input
    await writeRules(tx, { issueAboveCents, closing, bankAccounts, version: before.version })
    await recordAudit(tx, { action: 'second_person.rules_changed' })
    await emitEvent(tx, 'people.changed', {})
    return rulesView(await readRules(tx))
  })
}

/** Shows the requests that the caller has asked for or may decide. */
export const requests: UseCase<typeof requestsContract> = async (ctx, { limit }) => {
  const all = await listRequests(ctx, limit ?? LISTED)
  const concerns = (one: SecondPersonRequest): boolean =>
    one.askedBy.id === ctx.actor.id || mayDecide(ctx, one) || ctx.may('history.read')
  const views = (list: SecondPersonRequest[]): RequestView[] =>
    list.filter(concerns).map((one) => requestView(ctx, one))
  return { waiting: views(all.waiting), decided: views(all.decided) }
}

export const decide: UseCase<typeof decideRequestContract> = async (ctx, input) =>
  requestView(ctx, await decideRequest(ctx, input, peopleOf(ctx).perform))
