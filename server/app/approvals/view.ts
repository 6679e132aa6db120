/** Converts proposals to the output for assistants and for the window. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { InboxItem, Proposal, ProposedChange } from './contract.ts'
import type { Assessment } from './ports.ts'
import { bodyOf } from './rows.ts'
import type { ProposalRow } from './rows.ts'

/** Returns a hash of what the person approves: it changes with the state of the target or the proposed changes. */
export function assessmentHash({ asked, facts, changes, reversible }: Assessment): string {
  return createHash('sha256')
    .update(canonicalJson({ asked, facts, changes, reversible }))
    .digest('hex')
    .slice(0, 32)
}

/** Returns the properties of the target that changed since the proposal. */
function driftOf(then: Assessment, now: Assessment): ProposedChange[] {
  const fields = [...new Set([...Object.keys(then.facts), ...Object.keys(now.facts)])]
  return fields
    .map((field) => ({ field, from: then.facts[field] ?? null, to: now.facts[field] ?? null }))
    .filter(({ from, to }) => from !== to)
}

function statusOf(row: ProposalRow, nowMs: number): Proposal['status'] {
  return row.status === 'pending_user' && row.expires_at <= nowMs ? 'expired' : row.status
}

export function proposalView(row: ProposalRow, nowMs: number): Proposal {
  const { then } = bodyOf(row)
  // The sentences already contain the values; the window builds its own sentences from the codes.
  const reported = (points: Assessment['effects']) => points.map(({ code, message }) => ({ code, message }))
  return {
    ...viewOf(row, then, nowMs),
    effects: reported(then.effects),
    blockers: reported(then.blockers),
    warnings: reported(then.warnings),
  }
}

function viewOf(row: ProposalRow, assessment: Assessment, nowMs: number) {
  const { asked, title, effects, blockers, warnings, reversible, impact, alternatives } = assessment
  return {
    proposalId: row.public_id,
    status: statusOf(row, nowMs),
    action: asked.action,
    ...(row.target_id === null ? {} : { targetId: row.target_id }),
    title,
    effects,
    blockers,
    warnings,
    reversible,
    ...(impact ? { estimatedImpact: impact } : {}),
    alternatives,
    expiresAt: new Date(row.expires_at).toISOString(),
    openInApp: `sello://inbox/${row.public_id}`,
  }
}

/** Returns a proposal for the window, with the assessment of its decision or `now`. */
export function itemView(row: ProposalRow, nowMs: number, now?: Assessment): InboxItem {
  const { then, last, outcome } = bodyOf(row)
  const shown = now ?? last ?? then
  const { key_public_id: keyId, key_name: keyName, key_prefix: keyPrefix } = row
  const { invoice, contact, taxReturn, changes } = shown
  return {
    ...viewOf(row, shown, nowMs),
    reason: row.reason,
    createdAt: new Date(row.created_at).toISOString(),
    decidedAt: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
    decisionNote: row.decision_note,
    key: keyId && keyName && keyPrefix ? { id: keyId, name: keyName, prefix: keyPrefix } : null,
    // A deleted target keeps its former name.
    invoice: invoice ?? then.invoice,
    contact: contact ?? then.contact,
    taxReturn,
    changes,
    drift: driftOf(then, shown),
    seen: assessmentHash(shown),
    outcome: outcome ?? null,
  }
}
