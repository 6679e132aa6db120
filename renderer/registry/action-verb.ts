/** Button label of a next step. Pure. */
import type { Action, ActionItem } from './action-items.ts'

const VERBS: Partial<Record<Action, string>> = {
  resend: 'registryPage.act.resend',
  correct: 'registryPage.act.correct',
  annul: 'registryPage.act.annul',
  rectify: 'registryPage.act.rectify',
  call: 'registryPage.act.call',
  certificate: 'registryPage.act.certificate',
  clock: 'registryPage.act.clock',
  installation: 'registryPage.act.installation',
  decide: 'registryPage.act.decide',
  resume: 'registryPage.act.resume',
}

/** Returns the message key of the button, or null if the user has nothing to do. */
export function actionVerb({ action, own }: Pick<ActionItem, 'action' | 'own'>): string | null {
  if (own === 'certificate_missing') return 'registryPage.certificate.import'
  return VERBS[action] ?? null
}
