/** Public interface of the webhooks slice. */
export { createWebhookJobs, pruneWebhooks, WEBHOOK_LIMITS, webhookWork } from './jobs.ts'
export { countDisabled } from './rows.ts'
export { verifyDeliveries, verifyWebhookSecrets } from './verify.ts'
export { SEALED_WEBHOOK_SECRETS } from './sealed.ts'
