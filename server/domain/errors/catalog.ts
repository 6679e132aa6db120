/** The error catalogue: every error code with its status, the next step for programs and the message for people. */

/**
 * The next step of a program: `never` repeat the same request, `backoff` and try again, wait for the time in
 * `Retry-After` (`after`), or validate again for a `new_token`.
 */
export type Retry = 'never' | 'backoff' | 'after' | 'new_token'

export interface ErrorSpec {
  status: number
  retry: Retry
  message: string
  /** The next step in one sentence. */
  next: string
}

export const ERRORS = {
  malformed_request: {
    status: 400,
    retry: 'never',
    message: 'The request could not be read.',
    next: 'Send well-formed JSON in UTF-8 and a plain URL.',
  },
  unauthorized: {
    status: 401,
    retry: 'never',
    message: 'The API key is missing, unknown, expired or revoked.',
    next: 'Send "Authorization: Bearer <key>" with an active key of this installation.',
  },
  window_link_spent: {
    status: 401,
    retry: 'never',
    message: 'This link to the window was used already, or its time is over.',
    next: 'Type the code of the lock or the recovery code, or stop Sello and start it again.',
  },
  scope_missing: {
    status: 403,
    retry: 'never',
    message: 'The key lacks the scope this operation needs.',
    next: 'Use a key that has the scope named in details, or make one in the app.',
  },
  host_not_allowed: {
    status: 403,
    retry: 'never',
    message: 'The Host header does not name this server.',
    next: 'Call the address that Sello prints, such as http://127.0.0.1:4545.',
  },
  origin_not_allowed: {
    status: 403,
    retry: 'never',
    message: 'Web pages of other origins may not call this server.',
    next: 'Call from a program instead of a web page.',
  },
  not_found: {
    status: 404,
    retry: 'never',
    message: 'Nothing has that address or identifier.',
    next: 'Check the path and the identifier, and that the key belongs to the same book.',
  },
  method_not_allowed: {
    status: 405,
    retry: 'never',
    message: 'The address exists but does not take this method.',
    next: 'Use one of the methods in the Allow header.',
  },
  version_conflict: {
    status: 409,
    retry: 'never',
    message: 'It has changed since it was read.',
    next: 'Read it again, apply the change to the new version and send its version number.',
  },
  erasure_stale: {
    status: 409,
    retry: 'never',
    message: 'What there is of this person has changed since it was shown.',
    next: 'Look at it again and confirm what is shown then.',
  },
  idempotency_in_progress: {
    status: 409,
    retry: 'after',
    message: 'A request with this Idempotency-Key is still running.',
    next: 'Wait a second and send the same request again.',
  },
  gone: {
    status: 410,
    retry: 'never',
    message: 'This address has been retired.',
    next: 'Use /api/mcp/svc for tools and POST /api/v1/integrations/erp/api-key to connect an ERP.',
  },
  payload_too_large: {
    status: 413,
    retry: 'never',
    message: 'The body is larger than allowed.',
    next: 'Send at most 1 MiB.',
  },
  unsupported_media_type: {
    status: 415,
    retry: 'never',
    message: 'The body must be JSON.',
    next: 'Send "Content-Type: application/json".',
  },
  validation_failed: {
    status: 422,
    retry: 'never',
    message: 'Some of the input is not valid.',
    next: 'Correct the fields named in details.faults and send the request again.',
  },
  idempotency_mismatch: {
    status: 422,
    retry: 'never',
    message: 'This Idempotency-Key was used with another request.',
    next: 'Use a new Idempotency-Key for a new request.',
  },
  confirmation_required: {
    status: 428,
    retry: 'new_token',
    message: 'This step cannot be undone and needs a confirmation token.',
    next: 'Call validate, show its preview, and send the confirmationToken it returns.',
  },
  step_for_the_owner: {
    status: 403,
    retry: 'never',
    message: 'Annulling or amending a registration is for the owner, not for an assistant.',
    next: 'Propose it with svc_propose_action: cancel_registration, or correct_invoice for a wrong amount. The owner decides in the app.',
  },
  rate_limited: {
    status: 429,
    retry: 'after',
    message: 'Too many requests.',
    next: 'Wait for the seconds in Retry-After.',
  },
  too_busy: {
    status: 503,
    retry: 'after',
    message: 'Too many requests of this kind are at work and waiting.',
    next: 'Wait for the seconds in Retry-After, and ask for fewer of them at once.',
  },
  webhook_address_refused: {
    status: 422,
    retry: 'never',
    message: 'Webhooks are not sent to that address.',
    next: 'Use a public https address; one of this computer is allowed only by a person, in the app or on the command line.',
  },
  webhook_limit: {
    status: 409,
    retry: 'never',
    message: 'The book has as many webhooks as it may.',
    next: 'Delete one that is not used any more, or let one endpoint take more types.',
  },
  erp_not_connected: {
    status: 409,
    retry: 'never',
    message: 'No accounting system is connected.',
    next: 'Connect one with POST /api/v1/integrations/erp/api-key or in the app.',
  },
  erp_still_connected: {
    status: 409,
    retry: 'never',
    message: 'This accounting system is still connected.',
    next: 'Disconnect it first; what was read can be deleted then.',
  },
  erp_key_rejected: {
    status: 422,
    retry: 'never',
    message: 'The accounting system does not accept this key.',
    next: 'Make a new key there, copy it whole, and connect again.',
  },
  erp_permission_missing: {
    status: 422,
    retry: 'never',
    message: 'The key may not read everything that is needed.',
    next: 'Give the key the permissions named in details.permissions.missing, all of them to read.',
  },
  erp_plan_required: {
    status: 422,
    retry: 'never',
    message: 'The plan of the accounting system does not include its API.',
    next: 'Change the plan there, or import files instead.',
  },
  erp_address_refused: {
    status: 422,
    retry: 'never',
    message: 'Sello does not connect to this address.',
    next: 'Use an https address; one within your own network can be connected in the app only.',
  },
  erp_account_choice: {
    status: 409,
    retry: 'never',
    message: 'The key opens several companies.',
    next: 'Connect again with accountId set to one of details.accounts.',
  },
  erp_other_account: {
    status: 409,
    retry: 'never',
    message: 'This key seems to belong to another account than the one connected.',
    next: 'Send replace=true to begin with the other account, or sameAccount=true if it is the same one.',
  },
  erp_needs_reconnection: {
    status: 409,
    retry: 'never',
    message: 'The accounting system has refused the key, so nothing more is asked of it.',
    next: 'Connect again with a new key; what was read is kept.',
  },
  erp_quota_guard: {
    status: 409,
    retry: 'never',
    message: 'Reading would use more calls than the month has left.',
    next: 'Raise the monthly budget, read fewer resources, or send force=true.',
  },
  erp_stand_in_missing: {
    status: 409,
    retry: 'never',
    message: 'A sandbox reaches no real accounting system.',
    next: 'Start Sello with SELLO_TEST_ERP_URL, or use books that are no sandbox.',
  },
  erp_rate_limited: {
    status: 503,
    retry: 'after',
    message: 'The accounting system asks to wait.',
    next: 'Wait for the seconds in Retry-After and read again: it goes on where it stopped.',
  },
  erp_quota_exhausted: {
    status: 503,
    retry: 'after',
    message: 'The calls of this month are used up in the accounting system.',
    next: 'Wait until the time in Retry-After, or take a larger plan there.',
  },
  erp_unavailable: {
    status: 503,
    retry: 'after',
    message: 'The accounting system did not answer.',
    next: 'Try again in a while; nothing was lost, and it goes on where it stopped.',
  },
  erp_protocol_error: {
    status: 502,
    retry: 'backoff',
    message: 'The accounting system answered something that is not understood.',
    next: 'Try again later; if it persists, its interface may have changed: update Sello.',
  },
  erp_bad_paging: {
    status: 502,
    retry: 'backoff',
    message: 'The accounting system sends the same pages again and again.',
    next: 'Try again later; what was read is kept.',
  },
  erp_interrupted: {
    status: 503,
    retry: 'backoff',
    message: 'Reading was interrupted.',
    next: 'Read again: within a day it goes on where it stopped.',
  },
  erp_link_unclear: {
    status: 409,
    retry: 'never',
    message: 'It is not clear which contact is meant.',
    next: 'Name the contact in contactId.',
  },
  erp_document_unreadable: {
    status: 422,
    retry: 'never',
    message: 'This document cannot become one here.',
    next: 'Look at details.reason; enter it by hand if it is needed.',
  },
  internal: {
    status: 500,
    retry: 'backoff',
    message: 'Something failed inside Sello; it is our fault, not yours.',
    next: 'Try again; if it persists, report the requestId.',
  },
  disk_low: {
    status: 503,
    retry: 'after',
    message: 'The disk of the books is nearly full.',
    next: 'Make room on it and try again; what is there can still be read, changed and sent.',
  },
  store_readonly: {
    status: 503,
    retry: 'after',
    message: 'The books can be read but not written at the moment.',
    next: 'Open the app: it names the cause and the way out.',
  },

  invoice_not_draft: {
    status: 409,
    retry: 'never',
    message: 'Only a draft can be changed or issued; this invoice is issued.',
    next: 'To correct an issued invoice make a rectifying one.',
  },
  invoice_invalid: {
    status: 422,
    retry: 'never',
    message: 'The invoice cannot be issued, annulled or amended as it is.',
    next: 'Correct what details.faults names and validate again.',
  },
  invoice_number_ambiguous: {
    status: 409,
    retry: 'never',
    message: 'More than one invoice has that number.',
    next: 'Ask again with one of the identifiers in details.candidates.',
  },
  confirmation_invalid: {
    status: 409,
    retry: 'new_token',
    message: 'The confirmation token is not valid for this invoice, step and key.',
    next: 'Validate the invoice again with this key and use the new token.',
  },
  confirmation_expired: {
    status: 409,
    retry: 'new_token',
    message: 'The confirmation token has expired.',
    next: 'Validate the invoice again and use the new token within ten minutes.',
  },
  confirmation_stale: {
    status: 409,
    retry: 'new_token',
    message: 'The invoice, or what the registry holds of it, has changed since the token was given.',
    next: 'Validate again, look at the new preview and use its token.',
  },
  confirmation_used: {
    status: 409,
    retry: 'never',
    message: 'The confirmation token has been used already.',
    next: 'Read the invoice: the step was done with that token.',
  },
  approval_pending: {
    status: 409,
    retry: 'after',
    message: 'A person has to approve this in the app first.',
    next: 'Wait for the answer in the app and send the same request again.',
  },
  approval_denied: {
    status: 403,
    retry: 'never',
    message: 'A person refused this in the app.',
    next: 'Ask the person what to change before validating again.',
  },
  approval_unavailable: {
    status: 409,
    retry: 'backoff',
    message: 'A person has to approve this in the app, and the app is not open.',
    next: 'Ask the person to open Sello, then send the same request again.',
  },
  approvals_full: {
    status: 429,
    retry: 'after',
    message: 'This key has 20 steps waiting for a person.',
    next: 'Wait until the owner decides on some of them in the app.',
  },
  approval_closed: {
    status: 409,
    retry: 'never',
    message: 'This request for approval no longer waits.',
    next: 'Look at what was decided; the program has to ask again.',
  },
  certificate_missing: {
    status: 422,
    retry: 'never',
    message: "The first live issue needs the company's certificate.",
    next: 'Import the certificate in the app.',
  },
  producer_missing: {
    status: 422,
    retry: 'never',
    message: "The details of the software's producer are blank, so no live record can be made.",
    next: 'Fill build/producer.json and build again; test books work without it.',
  },
  invoice_not_issued: {
    status: 409,
    retry: 'never',
    message: 'Only an issued invoice has a registration that could be annulled or amended.',
    next: 'Change or delete the draft instead.',
  },
  registry_pending: {
    status: 409,
    retry: 'backoff',
    message: "The authority has not answered about this invoice's last record yet.",
    next: 'Wait for its answer, which Sello asks for by itself, and try again.',
  },
  restored_copy: {
    status: 409,
    retry: 'never',
    message:
      'These books are an older copy of themselves, or come from another computer: numbers given there could be given twice.',
    next: 'Open the registry page in the app and begin a new installation.',
  },
  series_in_conflict: {
    status: 409,
    retry: 'never',
    message: 'Another program has registered a number of this series with other content.',
    next: 'Open the registry page in the app and decide, or issue in another series.',
  },
  registry_unreachable: {
    status: 503,
    retry: 'backoff',
    message: 'The authority cannot be reached now.',
    next: 'Try again when there is a connection.',
  },
  record_open: {
    status: 409,
    retry: 'backoff',
    message: 'The record still waits for an answer.',
    next: 'Wait for it; only a settled record can be closed.',
  },
  environment_fixed: {
    status: 409,
    retry: 'never',
    message: 'The book has records already, which belong to the service they were made for.',
    next: 'Make new books in another folder to work with the other service.',
  },
  nothing_to_export: {
    status: 409,
    retry: 'never',
    message: 'There are no records in that year.',
    next: 'Choose another year.',
  },
  certificate_password: {
    status: 422,
    retry: 'never',
    message: 'The password does not open the certificate file.',
    next: 'Type the password given when the file was exported.',
  },
  certificate_invalid: {
    status: 422,
    retry: 'never',
    message: 'The file is no certificate with its private key (.p12 or .pfx).',
    next: 'Export the certificate together with its private key and choose that file.',
  },
  certificate_expired: {
    status: 422,
    retry: 'never',
    message: 'The certificate is outside its dates of validity.',
    next: 'Renew it with its issuer and import the new one.',
  },
  daily_cap_reached: {
    status: 429,
    retry: 'after',
    message: 'The key has used up what it may issue today.',
    next: 'Wait until tomorrow or ask the owner to raise the cap.',
  },
  chain_broken: {
    status: 503,
    retry: 'never',
    message: 'The record chain does not verify, so nothing can be issued.',
    next: 'Open the registry page of the app: it names the place and the way out.',
  },
  clock_wrong: {
    status: 503,
    retry: 'after',
    message: "The computer's clock is far from the authority's, or earlier than the last record.",
    next: 'Set the clock and try again. If it is right now and was ahead at the last record, begin a new installation on the registry page of the app.',
  },
  series_wrong_kind: {
    status: 422,
    retry: 'never',
    message: 'That series is for another kind of invoice.',
    next: 'Choose a series of the right kind or leave it out.',
  },

  company_exists: {
    status: 409,
    retry: 'never',
    message: 'This installation already has a company with that NIF.',
    next: 'Use the existing one.',
  },
  territory_not_supported: {
    status: 422,
    retry: 'never',
    message: 'Sello does not cover the tax rules of this territory.',
    next: 'Basque Country and Navarre: use a program for TicketBAI or NaTicket. Canary Islands, Ceuta and Melilla: use one that covers IGIC or IPSI.',
  },
  sii_not_supported: {
    status: 422,
    retry: 'never',
    message: 'Companies under SII report their books in another way, which Sello does not cover.',
    next: 'Keep using your SII software.',
  },
  contact_in_use: {
    status: 409,
    retry: 'never',
    message: 'Drafts or mandates still use this contact.',
    next: 'Change what details counts first, or merge the contact with another.',
  },
  external_ref_taken: {
    status: 409,
    retry: 'never',
    message: 'Another record has that reference of yours.',
    next: 'Look at the one in details, or send it without uniqueExternalRef.',
  },
  key_name_taken: {
    status: 409,
    retry: 'never',
    message: 'An active key has that name.',
    next: 'Choose another name.',
  },
  key_too_wide: {
    status: 403,
    retry: 'never',
    message: 'A key cannot make one that may do more than itself.',
    next: "Ask for scopes, caps and an expiry within your own key's.",
  },
  proposals_full: {
    status: 429,
    retry: 'after',
    message: 'This key has 20 proposals waiting for a person.',
    next: 'Wait until the owner decides on some of them.',
  },
  proposal_decided: {
    status: 409,
    retry: 'never',
    message: 'That proposal has been decided already.',
    next: 'Read it again: it says what was decided.',
  },
  proposal_expired: {
    status: 409,
    retry: 'never',
    message: 'That proposal ran out before anybody decided.',
    next: 'Propose it again if it still makes sense.',
  },
  proposal_changed: {
    status: 409,
    retry: 'never',
    message: 'What the proposal is about has changed since it was shown.',
    next: 'Look at it again and decide on what it says now.',
  },

  store_in_use: {
    status: 503,
    retry: 'backoff',
    message: 'Another Sello is using these books.',
    next: 'Close the other one, or use its address.',
  },
  port_taken: {
    status: 503,
    retry: 'never',
    message: 'Another program uses the port that programs and assistants were given for Sello.',
    next: 'Close the other program and start Sello again, or start it with --port N and change the address in every program and assistant.',
  },
  store_missing: {
    status: 503,
    retry: 'never',
    message: 'There are no books in that folder.',
    next: 'Check the folder, or create the books with init.',
  },
  folder_shared: {
    status: 503,
    retry: 'never',
    message:
      'That folder is on a network drive or kept alike on several computers, where books would be spoiled.',
    next: 'Close Sello there, move the folder to a disk of this computer and open it there; backups may go to such a folder.',
  },
  store_newer: {
    status: 503,
    retry: 'never',
    message: 'These books were written by a newer Sello.',
    next: 'Update Sello; nothing was changed.',
  },
  store_damaged: {
    status: 503,
    retry: 'never',
    message: 'The books cannot be opened with this key, or the file is damaged.',
    next: 'Check the key file or restore the last backup; nothing was changed.',
  },
  keychain_locked: {
    status: 503,
    retry: 'backoff',
    message: 'The key of the books is not available.',
    next: 'Unlock the keychain and try again, or use the recovery code.',
  },
  recovery_code_missing: {
    status: 409,
    retry: 'never',
    message: 'These books have no recovery code, and a portable backup opens with nothing else.',
    next: 'Make a recovery code under Settings > Security, or with recovery-code create, then make the backup.',
  },
  backup_not_made: {
    status: 503,
    retry: 'backoff',
    message: 'The backup could not be made and proved; the reason is in the details.',
    next: 'Mend what the reason names, such as a full disk, and make it again.',
  },
  backup_unknown: {
    status: 422,
    retry: 'never',
    message: 'That file is no backup of Sello.',
    next: 'Choose the file that Sello made; nothing was changed.',
  },
  key_change_failed: {
    status: 503,
    retry: 'backoff',
    message: 'The key could not be changed; the books and their recovery code are as they were.',
    next: 'Look at the reason in the details, such as a full disk or a key file that cannot be written, and try again.',
  },
  backup_key_unknown: {
    status: 422,
    retry: 'never',
    message: 'Nothing tells which key opens this backup.',
    next: 'Restore it from the folder it was made in, with the key-….json file that lies there, or name the key with --key-file. A portable backup needs its recovery code only.',
  },
  backup_damaged: {
    status: 422,
    retry: 'never',
    message: 'The backup is not whole, or was changed after it was made.',
    next: 'Use another copy of it, or an earlier backup; nothing was changed.',
  },
  backup_of_other_books: {
    status: 409,
    retry: 'never',
    message: 'The backup is of other books than those in the folder.',
    next: 'Restore it into an empty folder, or say that these books are to be replaced: they are kept aside.',
  },
  restore_elsewhere: {
    status: 409,
    retry: 'never',
    message: 'This Sello runs without a window that could restore a backup.',
    next: 'End it and restore on the command line: sello restore FILE.',
  },
  books_shut: {
    status: 503,
    retry: 'backoff',
    message: 'A person closed the books to restore a backup.',
    next: 'Wait until they are open again in the window.',
  },
  restore_no_room: {
    status: 503,
    retry: 'backoff',
    message: 'The disk has too little room to restore the backup beside the books.',
    next: 'Make room and restore again; nothing was changed.',
  },
  recovery_code_wrong: {
    status: 422,
    retry: 'never',
    message: 'That is not the recovery code of these books.',
    next: 'Check each group; the letters I, L, O and U never occur.',
  },
  app_locked: {
    status: 423,
    retry: 'never',
    message: 'Sello is locked.',
    next: 'Open it in its window with the code of the lock, or with the recovery code.',
  },
  lock_code_wrong: {
    status: 422,
    retry: 'never',
    message: 'That is not the code of the lock.',
    next: 'Type it again, or open the lock with the recovery code.',
  },
  lock_wait: {
    status: 429,
    retry: 'after',
    message: 'Too many wrong codes in a row.',
    next: 'Wait the time in Retry-After, or open the lock with the recovery code.',
  },
  identity_needed: {
    status: 403,
    retry: 'never',
    message: 'Somebody has to show that they are the owner.',
    next: 'Send the code of the lock with the same request; where no code is set, the owner sets one in the app first.',
  },
  lock_not_set: {
    status: 409,
    retry: 'never',
    message: 'There is no code to open the lock with.',
    next: 'Turn the app lock on in Settings, Security.',
  },
  lock_needs_recovery: {
    status: 409,
    retry: 'never',
    message: 'The lock needs a recovery code, or a forgotten code would be the end.',
    next: 'Make the recovery code in Settings, Security, and turn the lock on then.',
  },
  disk_full: {
    status: 503,
    retry: 'backoff',
    message: 'The disk of the books is full.',
    next: 'Make room on it and try again; nothing was changed.',
  },
  command_unknown: {
    status: 400,
    retry: 'never',
    message: 'There is no such command or option.',
    next: 'Run "npm run sello -- help".',
  },

  // Quotes and recurring invoices.
  quote_invoiced: {
    status: 409,
    retry: 'never',
    message: 'Something of this quote was invoiced already.',
    next: 'Delete the drafts made from it first, or duplicate the quote.',
  },
  quote_nothing_left: {
    status: 409,
    retry: 'never',
    message: 'Nothing of this quote is left to invoice.',
    next: 'See the invoices made from it, or duplicate the quote.',
  },
  recurrence_ended: {
    status: 409,
    retry: 'never',
    message: 'This recurring invoice has no day left.',
    next: 'Change its last day or its number of times.',
  },

  // Payments, reminders and files for the bank.
  payment_exceeds_due: {
    status: 409,
    retry: 'never',
    message: 'That is more than what is due.',
    next: 'Send at most the amount in details.due, or keep the rest on account of the contact.',
  },
  payment_ambiguous: {
    status: 409,
    retry: 'never',
    message: 'Several payments fit.',
    next: 'Send paymentId with one of the candidates in details.',
  },
  payment_in_use: {
    status: 409,
    retry: 'never',
    message: 'Something else builds on that payment.',
    next: 'First take back what uses it: details says which payment, remittance or bank movement.',
  },
  invoice_cancelled: {
    status: 409,
    retry: 'never',
    message: 'The invoice was annulled: nothing of it is owed.',
    next: 'Record the money for another invoice, or on account of the contact.',
  },
  invoice_uncollectible: {
    status: 409,
    retry: 'never',
    message: 'The invoice was given up as uncollectible.',
    next: 'Take back the write-off, which is among its payments, and record the payment then.',
  },
  invoice_settled: {
    status: 409,
    retry: 'never',
    message: 'Nothing of the invoice is owed.',
    next: 'Read the invoice: it is paid, a credit, or given up.',
  },
  invoice_not_late: {
    status: 409,
    retry: 'never',
    message: 'The invoice is not late yet.',
    next: 'Wait until the day after its due date, or leave it out.',
  },
  creditor_missing: {
    status: 409,
    retry: 'never',
    message: "The company's creditor identifier and account are not set.",
    next: 'Set them in the app: Collections, Direct debits.',
  },
  mandate_reference_taken: {
    status: 409,
    retry: 'never',
    message: 'Another mandate has that reference.',
    next: 'Send another reference, or none to have one made.',
  },
  mandate_in_use: {
    status: 409,
    retry: 'never',
    message: 'Debits were presented under that mandate.',
    next: 'Cancel it instead: its debits keep naming it.',
  },
  remittance_not_prepared: {
    status: 409,
    retry: 'never',
    message: 'The file is settled or discarded already.',
    next: 'Read it again to see its state.',
  },
  remittance_not_settled: {
    status: 409,
    retry: 'never',
    message: 'The file is not settled yet: there is no debit to give back.',
    next: 'Settle the file first, with the day the bank executed it.',
  },
  remittance_discarded: {
    status: 409,
    retry: 'never',
    message: 'The file was discarded.',
    next: 'Prepare a new one.',
  },
  debit_already_returned: {
    status: 409,
    retry: 'never',
    message: 'That debit was given back already.',
    next: 'Read the file again to see its items.',
  },

  // Rectifying invoices and series.
  invoice_not_in_force: {
    status: 409,
    retry: 'never',
    message: 'The invoice was annulled: there is nothing to correct.',
    next: 'Issue another invoice if there has to be one.',
  },
  invoice_replaced: {
    status: 409,
    retry: 'never',
    message: 'Another invoice took the place of this one.',
    next: 'Rectify the one in details.replacedBy instead.',
  },
  nothing_left_to_rectify: {
    status: 409,
    retry: 'never',
    message: 'The invoice is credited in full already.',
    next: 'See the rectifying invoices in details.rectifiedBy; one of them can be rectified itself.',
  },
  series_started: {
    status: 409,
    retry: 'never',
    message: 'The series has given numbers already.',
    next: 'Add another series, or go on with this one.',
  },
  series_needed: {
    status: 409,
    retry: 'never',
    message: 'Invoices of its kind get their numbers from this series.',
    next: 'Make another series the usual one first.',
  },
  // The ledger.
  period_locked: {
    status: 409,
    retry: 'never',
    message: 'The books are closed on that day.',
    next: 'Use an open day (details.firstOpenDay), or open the period in the app.',
  },
  account_unknown: {
    status: 422,
    retry: 'never',
    message: 'There is no account with that code.',
    next: 'Take a code of GET /ledger/accounts, or add the account in the app.',
  },
  entry_generated: {
    status: 409,
    retry: 'never',
    message: 'This entry follows from a document and changes with it.',
    next: 'Correct the document it comes from, or write an entry that corrects it.',
  },
  account_in_use: {
    status: 409,
    retry: 'never',
    message: 'Entries stand on this account.',
    next: 'Deactivate it instead.',
  },
  year_not_closable: {
    status: 409,
    retry: 'never',
    message: 'That year cannot be closed or opened now.',
    next: 'See details.reason: years are closed in order once they have ended, and opened from the last.',
  },
  export_too_large: {
    status: 422,
    retry: 'never',
    message: 'That is more than one file of this kind can hold.',
    next: 'Ask for a shorter period or one account, or for CSV.',
  },
  attachment_type: {
    status: 415,
    retry: 'never',
    message: 'That kind of file is not kept.',
    next: 'Send a PDF, XML, PNG, JPEG, WebP, HEIC, text, CSV, XLSX without macros, or a mail.',
  },
  format_unavailable: {
    status: 422,
    retry: 'never',
    message: 'This invoice cannot be had in that format.',
    next: 'See details.why for what is missing; the PDF can always be had.',
  },
  export_too_many: {
    status: 422,
    retry: 'never',
    message: 'That is more documents than one archive holds.',
    next: 'Narrow the filter, for instance to a shorter period; details.most says how many it holds.',
  },
  export_not_ready: {
    status: 409,
    retry: 'backoff',
    message: 'The documents are still being prepared.',
    next: 'Ask for the export again until its state is ready, then for its file.',
  },
  exports_busy: {
    status: 409,
    retry: 'backoff',
    message: 'This book has as many exports under way as it may have.',
    next: 'Wait for one of them, or cancel it.',
  },
  logo_unusable: {
    status: 422,
    retry: 'never',
    message: 'That picture cannot be used as a logo.',
    next: 'Send a PNG or JPEG in RGB or grey, 16 to 2,000 pixels a side; details.why says what is wrong.',
  },
  attachment_in_use: {
    status: 409,
    retry: 'never',
    message: 'Something refers to that file.',
    next: 'Take it off what it is attached to first.',
  },
  received_duplicate: {
    status: 409,
    retry: 'never',
    message: 'That invoice of the same supplier, number and date has been entered already.',
    next: 'Look at the one named in details; if it is another one, send allowDuplicate.',
  },
  received_void: {
    status: 409,
    retry: 'never',
    message: 'That received invoice is void.',
    next: 'Enter it anew; the void one keeps its number.',
  },
  received_not_void: {
    status: 409,
    retry: 'never',
    message: 'That received invoice is not void.',
    next: 'There is nothing to bring back.',
  },
  received_paid: {
    status: 409,
    retry: 'never',
    message: 'That received invoice has payments.',
    next: 'Remove its payments first.',
  },
  restore_gone: {
    status: 404,
    retry: 'never',
    message: 'That can no longer be brought back.',
    next: 'What is deleted is kept for a day; enter it anew.',
  },
  restore_taken: {
    status: 409,
    retry: 'never',
    message: 'Something else has its place by now, or what it belonged to has gone on without it.',
    next: 'Enter it anew.',
  },
  file_unreadable: {
    status: 422,
    retry: 'never',
    message: 'The file could not be read.',
    next: 'See details.why; the file can still be attached and its data typed.',
  },
  // Fiscal returns and books.
  already_filed: {
    status: 409,
    retry: 'never',
    message: 'That return is marked as filed.',
    next: 'Take the mark off first; what it was filed with stays in the history.',
  },
  books_too_large: {
    status: 422,
    retry: 'never',
    message: 'There are more rows than fit into one file.',
    next: 'Ask for an earlier quarter, or export the invoices by lists.',
  },

  bank_account_taken: {
    status: 409,
    retry: 'never',
    message: 'Another bank account has this IBAN or this ledger account.',
    next: 'Use that one, or choose another ledger account below 572.',
  },
  bank_account_in_use: {
    status: 409,
    retry: 'never',
    message: 'The bank account has movements.',
    next: 'Make it inactive instead, or undo its imports first.',
  },
  bank_import_matched: {
    status: 409,
    retry: 'never',
    message: 'Some movements of this file are matched already.',
    next: 'Undo those matches first; details say how many they are.',
  },
  bank_already_matched: {
    status: 409,
    retry: 'never',
    message: 'The movement is matched already.',
    next: 'Undo its match first.',
  },
  bank_not_matched: {
    status: 409,
    retry: 'never',
    message: 'The movement is not matched.',
    next: 'There is nothing to undo.',
  },

  // Lookups on demand.
  lookup_unavailable: {
    status: 503,
    retry: 'backoff',
    message: 'The service that was asked did not answer.',
    next: 'Try again later; nothing was changed.',
  },
  lookup_refused: {
    status: 502,
    retry: 'never',
    message: 'The service that was asked refused the question or answered something else.',
    next: 'Read details; try the service on its own web site.',
  },
  exchange_rate_unknown: {
    status: 404,
    retry: 'never',
    message: 'There is no reference rate of that currency for that day.',
    next: 'Ask for a currency the European Central Bank publishes, within the last 90 days, or write the rate by hand.',
  },
  // Mail.
  mail_not_configured: {
    status: 409,
    retry: 'never',
    message: 'No mail account is set up, or its password is missing.',
    next: 'Set up the account in the settings, or hand the mail to the mail program.',
  },
  mail_not_issued: {
    status: 409,
    retry: 'never',
    message: 'A draft is not sent to a customer.',
    next: 'Issue the invoice first.',
  },
  mail_test_recipient: {
    status: 409,
    retry: 'never',
    message: "A test book mails only to the company's own address.",
    next: 'Send it to the address named in details, or work in the live book.',
  },
  mail_too_large: {
    status: 422,
    retry: 'never',
    message: 'The attachments are more than a mail can carry.',
    next: 'Send fewer documents in one mail.',
  },
  mail_not_open: {
    status: 409,
    retry: 'never',
    message: 'That cannot be decided about this mail: it has gone, goes right now, or was given up.',
    next: 'Read the mail again; its actions say what can be done.',
  },

  // Merged contacts and file imports.
  merge_superseded: {
    status: 409,
    retry: 'never',
    message: 'That merge cannot be taken back any more.',
    next: 'Take back the later merge of the same contact first, if there is one.',
  },
  import_state: {
    status: 409,
    retry: 'never',
    message: 'The import is not at a point where that can be done.',
    next: 'Read its state: a draft is checked and applied, a running or finished one can be undone.',
  },
} as const satisfies Record<string, ErrorSpec>

export type ErrorCode = keyof typeof ERRORS

export interface Fault {
  code: string
  /** Dotted path, such as `lines[0].quantity`; empty for the whole input. */
  field: string
  severity: 'error' | 'warning'
  message: string
  fix?: string
  /** The authority's own code of the rule, if it has one. */
  authorityCode?: string
  /** Values in the message, for translation. */
  params?: Record<string, string | number>
}

export interface ErrorBody {
  code: ErrorCode
  message: string
  field?: string
  details?: Record<string, unknown>
  retry: Retry
  next: string
  docs: string
}

interface ErrorOptions {
  field?: string
  details?: Record<string, unknown>
  /** Seconds until a retry makes sense; sent as `Retry-After`. */
  retryAfterSeconds?: number
  cause?: unknown
}

/** Default wait if no better estimate is known. */
const A_WHILE_SECONDS = 60

/** A failure the caller can act on. Anything else thrown is a bug and is answered as `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(
      `${code}: ${ERRORS[code].message}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.name = 'AppError'
    this.code = code
    this.field = options.field
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get spec(): ErrorSpec {
    return ERRORS[this.code]
  }

  get status(): number {
    return this.spec.status
  }

  /** The value of `Retry-After`: every answer that asks the caller to wait says how long, at least roughly. */
  get waitSeconds(): number | undefined {
    return this.retryAfterSeconds ?? (this.spec.retry === 'after' ? A_WHILE_SECONDS : undefined)
  }

  /** Returns the `error` member of an answer. */
  toBody(): ErrorBody {
    const { message, retry, next } = this.spec
    return {
      code: this.code,
      message,
      ...(this.field === undefined ? {} : { field: this.field }),
      ...(this.details === undefined ? {} : { details: this.details }),
      retry,
      next,
      docs: `/docs/errors#${this.code}`,
    }
  }
}

/** Creates `validation_failed` with all its faults; `field` is that of the first one. */
export function validationFailed(faults: readonly Fault[]): AppError {
  return new AppError('validation_failed', {
    ...(faults[0] ? { field: faults[0].field } : {}),
    details: { faults },
  })
}
