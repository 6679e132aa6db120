/** The operations of webhooks. */
import { defineOperations, operation } from '../../context.ts'
import {
  listWebhooksContract,
  createWebhookContract,
  createWebhookByPersonContract,
  getWebhookContract,
  updateWebhookContract,
  updateWebhookByPersonContract,
  deleteWebhookContract,
  rotateWebhookSecretContract,
  testWebhookContract,
  listDeliveriesContract,
  getDeliveryContract,
  redeliverContract,
  replayContract,
} from './contract.ts'
import {
  listWebhooks,
  createWebhook,
  createWebhookByPerson,
  getWebhook,
  updateWebhook,
  updateWebhookByPerson,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listDeliveries,
  getDelivery,
  redeliver,
  replay,
} from './manage.ts'

export const webhookOperations = defineOperations([
  operation(listWebhooksContract, listWebhooks),
  operation(createWebhookContract, createWebhook),
  operation(createWebhookByPersonContract, createWebhookByPerson),
  operation(getWebhookContract, getWebhook),
  operation(updateWebhookContract, updateWebhook),
  operation(updateWebhookByPersonContract, updateWebhookByPerson),
  operation(deleteWebhookContract, deleteWebhook),
  operation(rotateWebhookSecretContract, rotateWebhookSecret),
  operation(testWebhookContract, testWebhook),
  operation(listDeliveriesContract, listDeliveries),
  operation(getDeliveryContract, getDelivery),
  operation(redeliverContract, redeliver),
  operation(replayContract, replay),
])
