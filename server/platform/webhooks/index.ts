/** Public interface of the webhooks slice. */
export { createWebhookJobs, pruneWebhooks } from './jobs.ts'
export { countSilenced } from './rows.ts'
export { verifyDeliveries, verifyWebhookSecrets } from './verify.ts'
export { SEALED_WEBHOOK_SECRETS } from './sealed.ts'
