/** Validates the parameters of an action by its own schema. */
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type { proposeActionContract } from './contract.ts'
import { faultsOf } from '../../domain/contract/define-contract.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import type { ActionRequest } from './ports.ts'

/** Returns the request of a proposal. Throws `validation_failed` for parameters that do not belong to the action. */
export async function requestOf({
  action,
  targetId,
  period,
  params = {},
}: Pick<
  ContractInput<typeof proposeActionContract>,
  'action' | 'targetId' | 'period' | 'params'
>): Promise<ActionRequest> {
  const { PARAMS } = await import('./contract.ts')
  const parsed = PARAMS[action].safeParse(params)
  if (!parsed.success)
    throw validationFailed(
      faultsOf(parsed.error).map((fault) => ({
        ...fault,
        field: fault.field ? `params.${fault.field}` : 'params',
      })),
    )
  // The schema was selected by the action, so the types match.
  return { action, targetId: targetId ?? null, period: period ?? null, params: parsed.data } as ActionRequest
}
