/** What a person says about the returns of a move: what was filed, why it differs, and that the move is done. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { basisPointsFromPercent, centsFromEuros } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { computedReturn } from '../../../accounting/returns/index.ts'
import { stateError } from '../apply.ts'
import type { explainReturnContract, finishMoveContract, setFiledContract } from '../contract.ts'
import { changeRun, findRun } from '../rows.ts'
import type { RunRow } from '../rows.ts'
import { moveView } from '../view.ts'
import { writeFilings } from './filings.ts'
import { isSettled, moveProof, proofReturns } from './returns.ts'
import { isReturn, movedPeriod, proofOf, withReturn } from './stored.ts'
import type { ReturnName, StoredReturn } from './stored.ts'

/** Returns a run that is not proven yet. Throws `moving_state`. */
async function openRun(tx: Ctx, id: string): Promise<RunRow> {
  const run = await findRun(tx, id)
  if (run.state !== 'draft' && run.state !== 'applied') throw stateError(run)
  return run
}

/** Changes what is known of a return, and the filings that follow from it. */
export async function changeReturn(
  tx: Ctx,
  run: RunRow,
  name: ReturnName,
  change: (before: StoredReturn) => StoredReturn,
): Promise<RunRow> {
  const proof = withReturn(proofOf(run), name, change)
  const after = await changeRun(tx, run, { proof: JSON.stringify(proof) })
  // Before the documents are here, the boxes that nobody told cannot be computed.
  if (after.state === 'applied') await writeFilings(tx, after)
  return after
}

function refuseBox(box: string): never {
  throw validationFailed([
    {
      code: 'moving_box_wrong',
      field: `boxes.${box}`,
      severity: 'error',
      message: 'That box does not take such a number.',
      fix: 'Give euros with two decimals, a percentage, or a whole number of what is counted.',
      params: { box },
    },
  ])
}

export const setFiled: UseCase<typeof setFiledContract> = async (ctx, input) => {
  const { id, model, year, period: code } = input
  await ctx.transaction(async (tx) => {
    const run = await openRun(tx, id)
    const name: ReturnName = { model, year, period: code }
    const period = await movedPeriod(tx, run, name)
    const kinds = new Map(
      (await computedReturn(tx, model, period)).values.map(({ box }) => [box.box, box.kind]),
    )
    const said: Record<string, number> = {}
    const taken = new Set<string>()
    for (const [box, value] of Object.entries(input.boxes)) {
      taken.add(box)
      if (value === null) continue
      const kind = kinds.get(box)
      const isWhole = kind === 'count' || kind === 'code'
      const stored = isWhole
        ? Number.isInteger(value)
          ? value
          : null
        : kind === 'percent'
          ? basisPointsFromPercent(value)
          : centsFromEuros(value)
      said[box] = stored ?? refuseBox(box)
    }
    await changeReturn(tx, run, name, (before) => {
      const keep = (boxes: Record<string, number>) =>
        Object.fromEntries(Object.entries(boxes).filter(([box]) => !taken.has(box)))
      const boxes = { ...keep(before.boxes), ...said }
      return {
        ...before,
        boxes,
        // What a person has said is no guess any more.
        guesses: keep(before.guesses),
        source: Object.keys(said).length > 0 ? 'typed' : before.source,
        outcome: input.outcome ?? before.outcome,
        filedOn: input.filedOn ?? before.filedOn,
        reference: input.reference?.trim() ?? before.reference,
        reasons: Object.fromEntries(
          Object.entries(before.reasons).filter(([box]) => boxes[box] === before.boxes[box]),
        ),
        withoutProof: false,
      }
    })
  })
  return moveProof(ctx, { id })
}

export const explainReturn: UseCase<typeof explainReturnContract> = async (
  ctx,
  { id, model, year, period, box, reason },
) => {
  await ctx.transaction(async (tx) => {
    const run = await openRun(tx, id)
    const name: ReturnName = { model, year, period }
    await movedPeriod(tx, run, name)
    // What was filed is said here, or is a filing of an earlier move.
    const known = (await proofReturns(tx, run)).find((each) => isReturn(each, name))
    if (known?.boxes.find((each) => each.box === box)?.sure !== 'certain') throw new AppError('not_found')
    await changeReturn(tx, run, name, (before) => {
      const { [box]: _old, ...reasons } = before.reasons
      return { ...before, reasons: reason === null ? reasons : { ...reasons, [box]: reason.trim() } }
    })
  })
  return moveProof(ctx, { id })
}

export const finishMove: UseCase<typeof finishMoveContract> = (ctx, { id, withoutProof = [] }) =>
  ctx.transaction(async (tx) => {
    let run = await findRun(tx, id)
    if (run.state === 'done') return { move: await moveView(tx, run) }
    if (run.state !== 'applied') throw stateError(run)
    let proof = proofOf(run)
    for (const name of withoutProof) {
      await movedPeriod(tx, run, name)
      proof = withReturn(proof, name, (before) => ({ ...before, withoutProof: true }))
    }
    run = await changeRun(tx, run, { proof: JSON.stringify(proof) })
    const open = (await proofReturns(tx, run)).filter((each) => !isSettled(each))
    if (open.length > 0)
      throw new AppError('moving_unproven', {
        details: {
          returns: open.map(({ model, year, period, status }) => ({ model, year, period, status })),
        },
      })
    run = await changeRun(tx, run, { state: 'done', finished_at: tx.now().getTime() })
    const left = proof.filter((each) => each.withoutProof)
    await recordAudit(tx, {
      action: left.length > 0 ? 'moving.done_without_proof' : 'moving.done',
      target: {
        type: 'moving',
        id,
        label:
          left.length > 0
            ? left.map(({ model, period, year }) => `${model} ${period} ${year}`).join(', ')
            : run.first_day,
      },
    })
    return { move: await moveView(tx, run) }
  })
