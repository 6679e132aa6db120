/** The operations of mail and of planned reminders. */
import { defineOperations, operation } from '../../context.ts'
import { getMailAccount, saveMailAccount, testMail } from './account.ts'
import { prepareMail } from './compose.ts'
import { replyPage } from './enclosures.ts'
import { replyPageContract } from '../../sales/replies/contract.ts'
import {
  mailAccountContract,
  saveMailAccountContract,
  testMailAccountContract,
  listMailTemplatesContract,
  saveMailTemplateContract,
  prepareMailContract,
  sendMailContract,
  mailFileContract,
  sendManyMailsContract,
  listMailsContract,
  resolveMailContract,
  invoiceMailsContract,
  quoteMailsContract,
} from './contract.ts'
import {
  getPlanContract,
  savePlanContract,
  readyRemindersContract,
  skipReminderContract,
  holdRemindersContract,
  holdStateContract,
  sendPlannedContract,
} from './plan-contract.ts'
import {
  getReminderPlan,
  saveReminderPlan,
  readyReminders,
  skipReminder,
  holdReminders,
  remindersHeld,
  sendPlanned,
} from './plan.ts'
import { sendMail, mailFile, sendManyMails, resolveMail } from './queue.ts'
import { listMailTemplates, saveMailTemplate } from './templates.ts'
import { listMails, invoiceMails, quoteMails } from './view.ts'

export const mailOperations = defineOperations([
  operation(mailAccountContract, getMailAccount),
  operation(saveMailAccountContract, saveMailAccount),
  operation(testMailAccountContract, testMail),
  operation(listMailTemplatesContract, listMailTemplates),
  operation(saveMailTemplateContract, saveMailTemplate),
  operation(prepareMailContract, prepareMail),
  operation(sendMailContract, sendMail),
  operation(mailFileContract, mailFile),
  operation(sendManyMailsContract, sendManyMails),
  operation(listMailsContract, listMails),
  operation(resolveMailContract, resolveMail),
  operation(invoiceMailsContract, invoiceMails),
  operation(quoteMailsContract, quoteMails),
  operation(replyPageContract, replyPage),
  operation(getPlanContract, getReminderPlan),
  operation(savePlanContract, saveReminderPlan),
  operation(readyRemindersContract, readyReminders),
  operation(skipReminderContract, skipReminder),
  operation(holdRemindersContract, holdReminders),
  operation(holdStateContract, remindersHeld),
  operation(sendPlannedContract, sendPlanned),
])
