/** English texts of all errors, for every surface: REST, MCP, command line, window and docs/errors.md. */
import type { ErrorMessages } from './error-text.ts'

export const english: ErrorMessages = {
  malformed_request: {
    message: 'The request could not be read.',
    next: 'Send well-formed JSON in UTF-8 and a plain URL.',
    window: {
      message: 'The request cannot be read.',
      next: 'Try again; if it happens again, tell us what you were doing.',
    },
  },
  unauthorized: {
    message: 'The API key is missing, unknown, expired or revoked.',
    next: 'Send "Authorization: Bearer <key>" with an active key of this installation.',
    window: { message: 'This window is no longer allowed in.', next: 'Open it again from Sello.' },
  },
  window_link_spent: {
    message: 'This link to the window was already used or has expired.',
    next: 'Enter the lock code or the recovery code, or stop Sello and start it again.',
  },
  scope_missing: {
    message: 'The key lacks the scope that this operation needs.',
    next: 'Use a key that has the scope named in details, or create one in the app.',
    window: { message: 'The key may not do this.', next: 'Use another key, or create one in Connections.' },
  },
  host_not_allowed: {
    message: 'The Host header does not name this server.',
    next: 'Call the address that Sello prints, such as http://127.0.0.1:4545.',
    window: { message: 'The address is not that of this Sello.', next: 'Open it from Sello.' },
  },
  origin_not_allowed: {
    message: 'Web pages of other origins may not call this server.',
    next: 'Call from a program instead of a web page.',
    window: { message: 'Another page may not call Sello.', next: 'Open it from Sello.' },
  },
  not_found: {
    message: 'There is no record with that address or identifier.',
    next: 'Check the path and the identifier, and that the key belongs to the same book.',
    window: {
      message: 'That is no longer there.',
      next: 'It may have been deleted or belong to another book. Go back to the list.',
    },
  },
  method_not_allowed: {
    message: 'The address exists but does not accept this method.',
    next: 'Use one of the methods in the Allow header.',
    window: { message: 'The request is not valid.', next: 'Try again; if it happens again, update Sello.' },
  },
  version_conflict: {
    message: 'The record has changed since it was read.',
    next: 'Read it again, apply the change to the new version and send its version number.',
    window: { next: 'See the changes and save yours again.' },
  },
  erasure_stale: {
    message: 'The data of this person has changed since it was shown.',
    next: 'Review it again and confirm what is shown now.',
  },
  idempotency_in_progress: {
    message: 'A request with this Idempotency-Key is still running.',
    next: 'Wait a second and send the same request again.',
    window: { message: 'The same request is still running.', next: 'Wait a second and try again.' },
  },
  gone: {
    message: 'This address has been retired.',
    next: 'Use /api/mcp/svc for tools and POST /api/v1/integrations/erp/api-key to connect an ERP.',
    window: { message: 'That address no longer exists.', next: 'Use the new one, shown in Connections.' },
  },
  payload_too_large: {
    message: 'The body is larger than allowed.',
    next: 'Send at most 1 MiB.',
    window: { message: 'It is too large.', next: 'Remove something and try again.' },
  },
  unsupported_media_type: {
    message: 'The body must be JSON.',
    next: 'Send "Content-Type: application/json".',
    window: { message: 'The format is not valid.', next: 'Try again; if it happens again, update Sello.' },
  },
  validation_failed: {
    message: 'Some of the input is not valid.',
    next: 'Correct the fields named in details.faults and send the request again.',
    window: { next: 'Check the marked fields.' },
  },
  idempotency_mismatch: {
    message: 'This Idempotency-Key was used with another request.',
    next: 'Use a new Idempotency-Key for a new request.',
    window: { message: 'The request was repeated with other data.', next: 'Try again.' },
  },
  confirmation_required: {
    message: 'This step cannot be undone and needs a confirmation token.',
    next: 'Call validate, show its preview, and send the confirmationToken it returns.',
    window: { message: 'It must be reviewed before it is issued.', next: 'Review the invoice and confirm.' },
  },
  step_for_the_owner: {
    message: 'Only a person can take this step, not an assistant or a key that waits for approvals.',
    next: 'Propose an annulment or a correction with svc_propose_action: cancel_registration, or correct_invoice for a wrong amount. Ask the owner to take any other step in the app.',
    window: {
      message: 'The owner decides this.',
      next: 'Propose it, or ask the owner to take the step in Sello.',
    },
  },
  rate_limited: {
    message: 'Too many requests.',
    next: 'Wait for the seconds in Retry-After.',
    window: { next: 'Wait a few seconds and try again.' },
  },
  too_busy: {
    message: 'Too many requests of this kind are running or waiting.',
    next: 'Wait for the seconds in Retry-After, and send fewer of them at once.',
    window: { next: 'Wait a few seconds and try again.' },
  },
  webhook_address_refused: {
    message: 'Webhooks are not sent to that address.',
    next: 'Use a public https address; one of this computer is allowed only by a person, in the app or on the command line.',
    window: {
      next: 'Use a public https address. Only a person can allow one on this computer or its network, when creating the webhook.',
    },
  },
  webhook_limit: {
    message: 'This book has reached its maximum number of webhooks.',
    next: 'Delete one that is no longer used, or let one endpoint receive more event types.',
  },
  erp_not_connected: {
    message: 'No accounting system is connected.',
    next: 'Connect one with POST /api/v1/integrations/erp/api-key or in the app.',
    window: { next: 'Connect one in Connections, Accounting.' },
  },
  erp_still_connected: {
    message: 'This accounting system is still connected.',
    next: 'Disconnect it first; then its records can be deleted.',
  },
  erp_key_rejected: {
    message: 'The accounting system does not accept this key.',
    next: 'Create a new key there, copy it completely, and connect again.',
  },
  erp_permission_missing: {
    message: 'The key lacks read permissions that are needed.',
    next: 'Give the key the permissions named in details.permissions.missing, all of them to read.',
    window: { next: 'Grant the missing ones there, read only, and try again. Sello has stored nothing.' },
  },
  erp_plan_required: {
    message: 'The plan of the accounting system does not include its API.',
    next: 'Change the plan there, or import files instead.',
  },
  erp_address_refused: {
    message: 'Sello does not connect to this address.',
    next: 'Use an https address; one within your own network can be connected in the app only.',
    window: { next: 'Type one that begins with https, without user or password in it.' },
  },
  erp_account_choice: {
    message: 'The key opens several companies.',
    next: 'Connect again with accountId set to one of details.accounts.',
    window: { next: 'Choose which one to read.' },
  },
  erp_other_account: {
    message: 'This key seems to belong to another account than the one connected.',
    next: 'Send replace=true to begin with the other account, or sameAccount=true if it is the same one.',
    window: { next: 'Choose whether it is the same account or you start with another.' },
  },
  erp_needs_reconnection: {
    message: 'The accounting system has rejected the key, so Sello no longer calls it.',
    next: 'Connect again with a new key; records already read are kept.',
  },
  erp_quota_guard: {
    message: 'Reading would use more calls than remain this month.',
    next: 'Raise the monthly budget, read fewer resources, or send force=true.',
    window: { next: 'Raise the budget of the month, wait for the next one, or read anyway.' },
  },
  erp_stand_in_missing: {
    message: 'A sandbox reaches no real accounting system.',
    next: 'Start Sello with SELLO_TEST_ERP_URL, or use books that are no sandbox.',
    window: { next: 'Connect it from books that are not a sandbox.' },
  },
  erp_rate_limited: {
    message: 'The accounting system requests a pause.',
    next: 'Wait for the seconds in Retry-After and read again: it continues where it stopped.',
    window: { next: 'Wait a few minutes and read again: it continues where it stopped.' },
  },
  erp_quota_exhausted: {
    message: "This month's calls to the accounting system are used up.",
    next: 'Wait until the time in Retry-After, or choose a larger plan there.',
    window: { next: 'Wait for next month, or choose a larger plan there. Records already read are kept.' },
  },
  erp_unavailable: {
    message: 'The accounting system did not answer.',
    next: 'Try again later; nothing was lost, and reading continues where it stopped.',
  },
  erp_protocol_error: {
    message: 'The accounting system sent an answer that Sello does not understand.',
    next: 'Try again later; if it persists, its interface may have changed: update Sello.',
  },
  erp_bad_paging: {
    message: 'The accounting system keeps sending the same pages.',
    next: 'Try again later; records already read are kept.',
  },
  erp_interrupted: {
    message: 'Reading was interrupted.',
    next: 'Read again: within a day it continues where it stopped.',
  },
  erp_link_unclear: {
    message: 'It is not clear which contact is meant.',
    next: 'Name the contact in contactId.',
    window: { next: 'Choose the contact it is linked to.' },
  },
  portal_not_possible: {
    message: 'This cannot be submitted to the portal of public bodies now.',
    next: 'See details.why for all reasons: offices, address, certificate, or whether the real service is allowed.',
    window: { next: 'The panel of the invoice says what is missing.' },
  },
  portal_already_submitted: {
    message: 'The invoice is already at the portal of public bodies, or on its way.',
    next: 'See the submission in details.id; cancel it before you submit the invoice again.',
    window: { next: 'If it was wrong, ask for its cancellation first.' },
  },
  portal_wrong_state: {
    message: 'The submission is in a state in which that is not possible.',
    next: 'Read it again; see details for its state and codes.',
    window: { next: 'Look at it again: its state has changed.' },
  },
  portal_number_unknown: {
    message: 'The portal does not know that registry number, or it belongs to another submission.',
    next: 'Copy it from the confirmation of the portal.',
  },
  erp_document_unreadable: {
    message: 'This document cannot become a received invoice.',
    next: 'See details.reason; enter it by hand if it is needed.',
    window: { next: 'It is cancelled or lacks data. If you need it, enter it by hand.' },
  },
  internal: {
    message: 'Something failed inside Sello; it is our fault, not yours.',
    next: 'Try again; if it persists, report the requestId.',
    window: { next: 'Your data is safe. Try again; if it happens again, send the details.' },
  },
  disk_low: {
    message: 'The disk of the books is nearly full.',
    next: 'Free space on it and try again; existing data can still be read, changed and sent.',
    window: {
      next: 'Empty the trash or delete what you do not need, and try again. Existing data can be read, changed and exported.',
    },
  },
  store_readonly: {
    message: 'The books can be read but not written at the moment.',
    next: 'Open the app: it shows the cause and the next step.',
    window: { next: 'The notice at the top explains why, and what to do.' },
  },
  file_storage_unavailable: {
    message: 'The storage of large documents cannot be used at the moment; nothing was changed.',
    next: 'Try again after Retry-After; details.reason names the cause, which is for whoever runs the server.',
    window: { next: 'Try again in a moment. If it persists, tell whoever runs your server.' },
  },
  stored_file_missing: {
    message: 'The document is not in the storage of large documents.',
    next: 'Whoever runs the server has to restore the object from an earlier version of it; the self-check lists all.',
    window: { next: 'Tell whoever runs your server: an earlier version of the file can be restored.' },
  },
  stored_file_damaged: {
    message: 'The document in the storage of large documents is not the one that was stored.',
    next: 'Whoever runs the server has to restore the object from an earlier version of it; the self-check lists all.',
    window: { next: 'Tell whoever runs your server: an earlier version of the file can be restored.' },
  },
  invoice_not_draft: {
    message: 'The invoice is already issued; only a draft can be changed or issued.',
    next: 'To correct an issued invoice, create a rectifying one.',
    window: { next: 'To correct it, make a rectifying invoice.' },
  },
  invoice_invalid: {
    message: 'The invoice cannot be issued, annulled or amended as it is.',
    next: 'Correct what details.faults names and validate again.',
    window: { next: 'Correct the marked fields and review it again.' },
  },
  invoice_contradicts: {
    message:
      'Two of the documents that follow from the invoice would not say the same, so it was not issued.',
    next: 'The draft is as it was, and no number was used. details names the field, the two sources and what each says: report them.',
    window: {
      message: 'Two documents of this invoice would not say the same, so it was not issued.',
      next: 'The draft is as it was, and no number was used. This is a fault of Sello: report what it names.',
    },
  },
  invoice_number_ambiguous: {
    message: 'More than one invoice has that number.',
    next: 'Ask again with one of the identifiers in details.candidates.',
    window: { next: 'Open it from the list.' },
  },
  confirmation_invalid: {
    message: 'The confirmation token is not valid for this invoice, step and key.',
    next: 'Validate the invoice again with this key and use the new token.',
    window: { message: 'The review is not valid for this invoice.', next: 'Review it again.' },
  },
  confirmation_expired: {
    message: 'The confirmation token has expired.',
    next: 'Validate the invoice again and use the new token within ten minutes.',
    window: { message: 'The review has expired.', next: 'Review it again; it lasts ten minutes.' },
  },
  confirmation_stale: {
    message: 'The invoice, or its state in the registry, has changed since the token was given.',
    next: 'Validate again, review the new preview and use its token.',
    window: { message: 'Something changed while you were reviewing it.', next: 'Review it again.' },
  },
  confirmation_used: {
    message: 'The confirmation token has already been used.',
    next: 'Read the invoice: the step was carried out with that token.',
    window: { message: 'That review was already used.', next: 'See the invoice: it was issued with it.' },
  },
  approval_pending: {
    message: 'A person has to approve this in the app first.',
    next: 'Wait for the answer in the app and send the same request again.',
    window: { message: 'It is waiting for your approval.', next: 'Decide in the Inbox.' },
  },
  approval_denied: {
    message: 'A person rejected this in the app.',
    next: 'Ask the person what to change before validating again.',
    window: { message: 'You rejected it.', next: 'Change what is needed and review it again.' },
  },
  approval_unavailable: {
    message: 'A person has to approve this in the app, and the app is not open.',
    next: 'Ask the person to open Sello, then send the same request again.',
    window: { message: 'Nobody can approve it now.', next: 'Open Sello and try again.' },
  },
  notes_full: {
    message: 'There is no room for more notes or tasks here.',
    next: 'Complete or remove some.',
  },
  approvals_full: {
    message: 'This key has 20 steps waiting for a person.',
    next: 'Wait until the owner has decided on some of them in the app.',
    window: { next: 'Decide some in the Inbox.' },
  },
  approval_closed: {
    message: 'This approval request is no longer open.',
    next: 'Read the decision; the program has to request it again.',
    window: { next: 'The Inbox shows what was decided.' },
  },
  certificate_missing: {
    message: "The first live issue needs the company's certificate.",
    next: 'Import the certificate in the app, under Settings.',
  },
  producer_missing: {
    message: "The details of the software's producer are blank, so no live record can be created.",
    next: 'Fill in build/producer.json and build again; test books work without it.',
    window: { next: 'Without them the live book does not issue; the test book works.' },
  },
  invoice_not_issued: {
    message: 'Only an issued invoice has a registration that can be annulled or amended.',
    next: 'Change or delete the draft instead.',
  },
  registry_pending: {
    message: "The tax agency has not yet answered about this invoice's last record.",
    next: 'Wait for its answer, which Sello requests automatically, and try again.',
  },
  restored_copy: {
    message:
      'These books are an older copy, or come from another computer: their next numbers may already exist.',
    next: 'Open the registry page in the app and start a new installation.',
    window: { next: 'Start a new installation in AEAT registry before you issue.' },
  },
  series_in_conflict: {
    message: 'Another program has registered a number of this series with other content.',
    next: 'Open the registry page in the app and decide, or issue in another series.',
    window: { next: 'Decide in AEAT registry which one is valid, or issue in another series.' },
  },
  registry_unreachable: {
    message: 'The tax agency cannot be reached now.',
    next: 'Check the connection and try again.',
  },
  record_open: {
    message: 'The record is still waiting for an answer.',
    next: 'Wait for it; only a settled record can be closed.',
  },
  environment_fixed: {
    message: 'The book already has records, which belong to the service they were created for.',
    next: 'Create new books in another folder to use the other service.',
  },
  nothing_to_export: {
    message: 'There are no records in that year.',
    next: 'Choose another year.',
  },
  certificate_password: {
    message: 'The password does not open the certificate file.',
    next: 'Enter the password that was set when the file was exported; capitals count.',
  },
  certificate_invalid: {
    message: 'The file contains no certificate with its private key (.p12 or .pfx).',
    next: 'Export the certificate together with its private key and choose that file.',
  },
  certificate_expired: {
    message: 'The certificate is outside its validity period.',
    next: 'Renew it with its issuer and import the new one.',
  },
  daily_cap_reached: {
    message: "The key has reached today's cap.",
    next: 'Wait until tomorrow, or ask the owner to raise the cap.',
  },
  chain_broken: {
    message: 'The record chain does not verify, so nothing can be issued.',
    next: 'Open the registry page of the app: it shows the fault and the next step.',
  },
  clock_wrong: {
    message: "The computer's clock is far from the tax agency's, or earlier than the last record.",
    next: 'Set the clock and try again. If it is correct now and was ahead at the last record, start a new installation on the registry page of the app.',
    window: {
      next: 'Set it, or accept the difference in AEAT registry. If it is correct now and was ahead once, start a new installation there.',
    },
  },
  series_wrong_kind: {
    message: 'That series is for another kind of invoice.',
    next: 'Choose a series of the right kind, or omit it.',
  },
  company_exists: {
    message: 'This installation already has a company with that NIF.',
    next: 'Use the existing one.',
    window: { next: 'Choose it in the menu of books.' },
  },
  company_archived: {
    message: 'The company is archived: it gets no new documents.',
    next: 'A person takes it back from the archive in the window.',
    window: { next: 'Take it back in Settings, Company.' },
  },
  company_retained: {
    message: 'The law still keeps data of this company.',
    next: 'Archive it until the day in details.until.',
    window: { next: 'Archive it until then: it leaves all lists.' },
  },
  territory_not_supported: {
    message: 'Sello does not support the tax rules of this territory.',
    next: 'The reason is in details.reason, and the day on which it was last looked up in details.lookedUpOn. Use a program for that territory.',
  },
  sii_not_supported: {
    message: 'Companies under SII report their books in another way, which Sello does not support.',
    next: 'Keep using your SII software.',
  },
  contact_in_use: {
    message: 'Drafts or mandates use this contact.',
    next: 'First change the records counted in details, or merge the contact with another.',
    window: { next: 'It has drafts or mandates. Change those first, or merge it with another contact.' },
  },
  external_ref_taken: {
    message: 'Another record already has that external reference.',
    next: 'Look at the one in details, or send it without uniqueExternalRef.',
    window: { next: 'Open the other one, or use another reference.' },
  },
  key_name_taken: {
    message: 'An active key already has that name.',
    next: 'Choose another name.',
  },
  key_too_wide: {
    message: 'A key cannot create a key with more permissions than its own.',
    next: 'Request scopes, caps and an expiry within those of your own key.',
    window: { next: 'Request fewer permissions or lower caps.' },
  },
  proposals_full: {
    message: 'This key has 20 proposals waiting for a person.',
    next: 'Wait until the owner has decided on some of them.',
    window: { next: 'Decide some in the Inbox.' },
  },
  proposal_decided: {
    message: 'That proposal has already been decided.',
    next: 'Read it again: it contains the decision.',
    window: { next: 'The Inbox shows the decision.' },
  },
  proposal_expired: {
    message: 'The proposal expired before anyone decided.',
    next: 'Propose it again if it still makes sense.',
    window: { next: 'If it still makes sense, do it yourself or have it proposed again.' },
  },
  proposal_changed: {
    message: 'The subject of the proposal has changed since it was shown.',
    next: 'Review it again and decide on its current state.',
  },
  store_in_use: {
    message: 'Another Sello is using these books.',
    next: 'Close the other one, or use its address.',
    window: { next: 'Close the other one and try again.' },
  },
  port_taken: {
    message: 'Another program uses the port at which programs and assistants expect Sello.',
    next: 'Close the other program and start Sello again, or start it with --port N and change the address in every program and assistant.',
    window: { next: 'Close that program and open Sello again.' },
  },
  store_missing: {
    message: 'There are no books in that folder.',
    next: 'Check the folder, or create the books with init.',
    window: { next: 'Check the folder.' },
  },
  folder_shared: {
    message:
      'That folder is on a network drive or synchronized between computers, which would damage the books.',
    next: 'Close Sello there, move the folder to a disk of this computer and open it there; backups may go to such a folder.',
    window: { next: 'Move the data to a disk of this computer; backups may go there.' },
  },
  books_moved: {
    message: 'These books were moved to another place and are read only here.',
    next: 'Work where details.to says. Here they can still be verified and exported; moving them back is an export from there.',
    window: { next: 'Work in the place they were moved to. Here they can only be read.' },
  },
  books_arriving: {
    message: 'These books were copied here, and the move has not ended.',
    next: 'Run the same command again: it continues where it stopped.',
  },
  company_moved: {
    message: 'The company was moved to another place.',
    next: 'Send the request to the address in details.to.',
    window: { next: 'Open it in the place it was moved to.' },
  },
  company_moving: {
    message: 'The company is being moved: it can be read and not changed.',
    next: 'Repeat the request after the time in Retry-After; it is answered here or names the new place.',
    window: { next: 'Try again in a few minutes.' },
  },
  company_handed_back: {
    message: 'The company was handed back to its owner: here it is read and not changed.',
    next: 'Its owner works in the own program. If the file was never opened, the company can be taken back here.',
  },
  company_advised: {
    message: 'These are the books of a client: this is neither issued nor changed here.',
    next: 'Do it in the installation of the client, or enter purchases, entries and closings only.',
  },
  pairing_exists: {
    message: 'There is access for an adviser already, by this invitation or in this company.',
    next: 'End the earlier access first.',
  },
  pairing_ended: {
    message: 'The access between the client and its adviser has ended.',
    next: 'If it is needed again, the client invites again.',
  },
  pairing_not_confirmed: {
    message: 'The code has not been compared with the other side yet.',
    next: 'Read the code to each other by telephone, and confirm it if it is the same.',
  },
  fingerprint_differs: {
    message: 'The code does not match.',
    next: 'Send nothing. Repeat the invitation, and check how the answer came.',
  },
  bundle_changes_unsent: {
    message: 'There are changes that were not handed over to the client.',
    next: 'Write the file with the changes and send it, or remove the copy without them (discardUnsent).',
    window: { next: 'Save the file with the changes and send it, or remove the copy without them.' },
  },
  bundle_unreadable: {
    message: 'It is not a file between a client and an adviser of Sello.',
    next: 'Choose the file that the other side has sent.',
  },
  bundle_torn: {
    message: 'The end of the file is missing.',
    next: 'Download or copy it again; if that does not help, ask for it again.',
  },
  bundle_tampered: {
    message: 'The file was changed on its way, or the other side did not write it.',
    next: 'Do not use it. Ask for it again by another way.',
  },
  bundle_foreign: {
    message: 'The file is of another company or of another access.',
    next: 'Open the company that it belongs to, or ask for the right file.',
  },
  bundle_old: {
    message: 'This file was read already, or a newer one was read after it.',
    next: 'There is nothing to do: use the newest one.',
  },
  bundle_gap: {
    message: 'Changes before those of this file are missing.',
    next: 'Send your books to the adviser; the next file from there brings what is missing.',
  },
  bundle_newer: {
    message: 'The file is of a newer version of Sello.',
    next: 'Update Sello and open it again.',
  },
  bundle_outdated: {
    message: 'The books are of an earlier version of Sello.',
    next: 'Ask the client to update Sello and to send the books again.',
  },
  bundle_change_refused: {
    message: 'An adviser may not ask for this change.',
    next: 'Reject it, and make it yourself if it is right.',
  },
  bundle_change_waits: {
    message: 'It depends on another change that has not been taken.',
    next: 'Take that change first, or reject both.',
  },
  archive_unreadable: {
    message: 'The file is no archive of Sello with everything of a company, or it is incomplete.',
    next: 'Choose the ZIP as Sello saved it; if the download broke off, copy it again. Nothing was taken in.',
  },
  archive_changed: {
    message: 'The archive does not hold what its list says: something was changed, is missing or was added.',
    next: 'Use another copy of the ZIP, just as it was downloaded. Nothing was taken in.',
  },
  archive_newer: {
    message: 'A newer version of Sello made this archive.',
    next: 'Update Sello and take it in again. Nothing was taken in.',
  },
  archive_too_large: {
    message: 'The archive holds more than Sello reads.',
    next: 'Check that it is the ZIP that Sello made. Nothing was taken in.',
  },
  archive_unsound: {
    message: 'The books in the archive do not pass the verification.',
    next: 'Verify the books where the archive was made, and make another. Nothing was taken in.',
  },
  archive_of_trials: {
    message: 'The archive is of books for trials, or those here are, and they are not mixed.',
    next: 'Take it into a Sello of the same kind. Nothing was taken in.',
  },
  archive_entries_taken: {
    message: 'The entries of the archive have numbers that those of another company here use.',
    next: 'Take it into a Sello without other companies (another data folder), or into an office. Nothing was taken in.',
  },
  company_here: {
    message: 'The company is here already, and was not replaced.',
    next: 'If its rows remain from an earlier move, remove them with office forget; otherwise work with the company that is here.',
  },
  company_not_here: {
    message: 'There is no such company here.',
    next: 'Check its identifier; the list of companies shows those that are here.',
  },
  transfer_refused: {
    message: 'The books contain something that the other store cannot hold, and nothing was written.',
    next: 'Correct what details names in the source, and run the command again.',
  },
  transfer_differs: {
    message: 'The copy is not the same as its source, and nothing was kept of it.',
    next: 'Verify the source; if it is sound, report this with details, which name the first table and row that differ.',
  },
  store_newer: {
    message: 'These books were written by a newer Sello.',
    next: 'Update Sello; nothing was changed.',
  },
  store_damaged: {
    message: 'The books cannot be opened with this key, or the file is damaged.',
    next: 'Check the key file or restore the last backup; nothing was changed.',
  },
  keychain_locked: {
    message: 'The keychain is locked, so the key of the books is not available.',
    next: 'Unlock the keychain and try again, or use the recovery code.',
  },
  recovery_code_missing: {
    message: 'These books have no recovery code, and nothing else opens a portable backup.',
    next: 'Create a recovery code under Settings > Security, or with recovery-code create, then create the backup.',
    window: { next: 'Create the code under Settings > Security, then create the backup.' },
  },
  backup_not_made: {
    message: 'The backup could not be created and verified.',
    next: 'Solve the cause given in the details, such as a full disk, and create it again.',
  },
  backup_unknown: {
    message: 'That file is not a backup of Sello.',
    next: 'Choose a file that Sello created; nothing was changed.',
  },
  key_change_failed: {
    message: 'The key could not be changed; the books and their recovery code are unchanged.',
    next: 'Solve the cause given in the details, such as a full disk or a key file that cannot be written, and try again.',
  },
  backup_key_unknown: {
    message: 'The key that opens this backup is unknown.',
    next: 'Restore it from the folder in which it was created, with the key-….json file beside it, or name the key with --key-file. A portable backup needs only its recovery code.',
    window: {
      next: 'Choose it in the folder in which it was created, beside its key-….json file, or use a portable backup.',
    },
  },
  backup_damaged: {
    message: 'The backup is incomplete, or was changed after it was created.',
    next: 'Use another copy of it, or an earlier backup; nothing was changed.',
  },
  backup_of_other_books: {
    message: 'The backup belongs to other books than those in the folder.',
    next: 'Restore it into an empty folder, or confirm that it replaces these books, which are kept in a folder of their own.',
  },
  restore_elsewhere: {
    message: 'This Sello has no window in which a backup can be restored.',
    next: 'Stop it and restore on the command line: sello restore FILE.',
  },
  books_shut: {
    message: 'The books are closed to restore a backup.',
    next: 'Wait until they are open again in the window.',
    window: { next: 'Restore one, or open the books again as they are.' },
  },
  restore_no_room: {
    message: 'The disk has too little space to restore the backup beside the books.',
    next: 'Free space and restore again; nothing was changed.',
  },
  recovery_code_wrong: {
    message: 'That is not the recovery code of these books.',
    next: 'Check each group; the letters I, L, O and U never occur.',
  },
  app_locked: {
    message: 'Sello is locked.',
    next: 'Open it in its window with the lock code, or with the recovery code.',
    window: { next: 'Open it with your lock code.' },
  },
  lock_code_wrong: {
    message: 'That is not the lock code.',
    next: 'Enter it again, or open the lock with the recovery code.',
    window: { message: 'That is not the lock code.', next: 'Enter it again or use the recovery code.' },
  },
  lock_wait: {
    message: 'Too many wrong codes in a row.',
    next: 'Wait the time in Retry-After, or open the lock with the recovery code.',
    window: { message: 'Too many wrong codes.', next: 'Wait {seconds} s or use the recovery code.' },
  },
  identity_needed: {
    message: 'The owner must be identified.',
    next: 'Send the lock code with the same request; if no code is set, the owner sets one in the app first.',
    window: {
      message: 'Please confirm that it is you.',
      next: 'Enter the lock code. If you have none yet, set it in Settings, Security.',
    },
  },
  lock_not_set: {
    message: 'The app lock is off.',
    next: 'Turn it on in Settings, Security.',
  },
  lock_needs_recovery: {
    message: 'The app lock needs a recovery code: nothing else opens it if the code is forgotten.',
    next: 'Create the recovery code in Settings, Security, then turn the lock on.',
  },
  sign_in_refused: {
    message: 'The sign-in was refused.',
    next: 'Check what was entered, or sign in another way.',
  },
  sign_in_step_over: {
    message: 'This step was used already or has ended.',
    next: 'Begin again.',
  },
  verification_needed: {
    message: 'This needs a fresh proof of who you are.',
    next: 'Verify with a passkey, or with password and second factor, and call again with its result in `sello-verification`.',
  },
  verification_impossible: {
    message: 'There is no passkey and no password to verify with.',
    next: 'Add a passkey to the account.',
  },
  invitation_invalid: {
    message: 'The link is not valid for this address, was used, or has ended.',
    next: 'Check the address, or ask for another invitation.',
  },
  sign_in_first: {
    message: 'There is an account with this address already.',
    next: 'Sign in and accept the invitation there.',
  },
  passkeys_full: {
    message: 'The account has ten passkeys already.',
    next: 'Remove one that is no longer used.',
  },
  last_way_in: {
    message: 'Nothing would be left to sign in with.',
    next: 'Add another way to sign in first.',
  },
  code_wrong: {
    message: 'The code is not right, or has ended.',
    next: 'Enter the code that the app shows now.',
  },
  password_missing: {
    message: 'The account has no password.',
    next: 'Set one first.',
  },
  role_not_given: {
    message: 'Your roles do not allow to give or take this role.',
    next: 'Ask an owner of the company.',
  },
  own_roles: {
    message: 'Nobody changes the own roles.',
    next: 'Ask somebody else who manages people.',
  },
  last_owner: {
    message: 'The company would have no owner.',
    next: 'Make somebody else an owner first.',
  },
  member_already: {
    message: 'Somebody with this address is a member already.',
    next: 'Change the roles of that member.',
  },
  invitations_full: {
    message: 'Fifty invitations are open.',
    next: 'Withdraw some, or wait until they end.',
  },
  recovery_for_oneself: {
    message: 'Nobody recovers the own account.',
    next: 'Ask another administrator.',
  },
  recovery_under_way: {
    message: 'A recovery of this account is under way.',
    next: 'Continue with that one, or wait until it ends.',
  },
  recovery_waits: {
    message: 'Without a second administrator the recovery waits until the time in details.',
    next: 'Ask a second administrator to confirm it, or wait.',
  },
  recovery_link_given: {
    message: 'The link was given out already.',
    next: 'Refuse this recovery and ask for another one.',
  },
  second_person_needed: {
    message: 'This needs a second person.',
    next: 'Ask somebody else who may do it.',
  },
  second_person_asked: {
    message: 'A second person has to confirm this; the request waits for one.',
    next: 'Wait until somebody else confirms the request in details; it is done then.',
  },
  second_person_missing: {
    message: 'A second person would have to confirm this, and nobody else may.',
    next: 'Invite somebody with a role that allows it, or change the rules.',
  },
  second_person_stale: {
    message: 'What would be done is no longer what was shown.',
    next: 'Look at it again, or request it again.',
  },
  directory_unreachable: {
    message: "The firm's directory does not answer.",
    next: 'Try again later, or sign in another way.',
  },
  directory_not_a_member: {
    message: "No group of the firm's directory lets this account in.",
    next: 'Ask whoever administers the office.',
  },
  disk_full: {
    message: 'The disk of the books is full.',
    next: 'Free space on it and try again; nothing was changed.',
  },
  command_unknown: {
    message: 'There is no such command or option.',
    next: 'Run "npm run sello -- help".',
  },
  not_a_build: {
    message: 'This Sello runs from its sources: there is no list of files to compare with.',
    next: 'Run the command of an installed Sello, or of a finished build.',
  },
  quote_invoiced: {
    message: 'Part of this document is already invoiced.',
    next: 'Delete the drafts created from it first, or duplicate it.',
  },
  quote_nothing_left: {
    message: 'Nothing of this document is left to invoice.',
    next: 'See the invoices created from it, or duplicate it.',
  },
  recurrence_ended: {
    message: 'This recurring invoice has no date left.',
    next: 'Change its last date or its number of times.',
  },
  payment_exceeds_due: {
    message: 'That is more than the amount due.',
    next: 'Send at most the amount in details.due, or keep the rest on account of the contact.',
    window: { next: 'Enter at most the amount due, or keep the rest on account.' },
  },
  payment_ambiguous: {
    message: 'Several payments match.',
    next: 'Send paymentId with one of the candidates in details.',
    window: { next: 'Choose which one to undo.' },
  },
  payment_in_use: {
    message: 'Other records depend on this payment.',
    next: 'First undo what uses it: details names the payment, remittance or bank movement.',
    window: {
      next: 'First undo what uses it: the bank file, the bank movement or the balance already spent.',
    },
  },
  invoice_cancelled: {
    message: 'The invoice is annulled, so nothing is owed.',
    next: 'Record the money for another invoice, or on account of the contact.',
  },
  invoice_uncollectible: {
    message: 'The invoice is written off as uncollectible.',
    next: 'Undo the write-off, which is among its payments, then record the payment.',
  },
  invoice_settled: {
    message: 'Nothing is owed on this invoice.',
    next: 'Read the invoice: it is paid, a credit, or written off.',
  },
  invoice_not_late: {
    message: 'The invoice is not overdue yet.',
    next: 'Wait until the day after its due date, or leave it out.',
  },
  creditor_missing: {
    message: "The company's creditor identifier and account are not set.",
    next: 'Set them in the app: Collections, Direct debits.',
    window: { next: 'Set them in Money in and out, Direct debits.' },
  },
  mandate_reference_taken: {
    message: 'Another mandate already has that reference.',
    next: 'Send another reference, or none to have one created.',
    window: { next: 'Enter another, or leave it empty for Sello to make one.' },
  },
  mandate_in_use: {
    message: 'Debits were presented under that mandate.',
    next: 'Cancel it instead: its debits still refer to it.',
  },
  remittance_not_prepared: {
    message: 'The file is already settled or discarded.',
    next: 'Read it again to see its state.',
    window: { next: 'Go back to the list to see its state.' },
  },
  remittance_not_settled: {
    message: 'The file is not settled yet, so no debit can be returned.',
    next: 'Settle the file first, with the day on which the bank executed it.',
  },
  remittance_discarded: {
    message: 'The file was discarded.',
    next: 'Prepare a new one.',
  },
  debit_already_returned: {
    message: 'That debit was already returned.',
    next: 'Read the file again to see its items.',
  },
  invoice_not_in_force: {
    message: 'The invoice is annulled, so there is nothing to correct.',
    next: 'Issue another invoice if one is needed.',
  },
  invoice_replaced: {
    message: 'Another invoice replaces this one.',
    next: 'Rectify the one in details.replacedBy instead.',
    window: { next: 'Rectify the new one.' },
  },
  nothing_left_to_rectify: {
    message: 'The invoice is already credited in full.',
    next: 'See the rectifying invoices in details.rectifiedBy; one of them can be rectified itself.',
    window: { next: 'See its rectifying invoices: they can be rectified too.' },
  },
  series_started: {
    message: 'The series has already issued numbers.',
    next: 'Continue with it, or add another series.',
  },
  series_needed: {
    message: 'Invoices of this kind are numbered by this series.',
    next: 'First make another series the default.',
  },
  period_locked: {
    message: 'The books are closed on that day.',
    next: 'Use an open day (details.firstOpenDay), or open the period in the app.',
    window: {
      next: 'The books are closed until {lockedUntil}. Use a date from {firstOpenDay}, or open the period under Accounting.',
    },
  },
  account_unknown: {
    message: 'There is no account with that code.',
    next: 'Choose a code from GET /ledger/accounts, or add the account in the app.',
    window: { next: 'Choose one of the chart, or add it.' },
  },
  entry_generated: {
    message: 'This entry is generated from a document and changes with it.',
    next: 'Correct the document, or create an entry that corrects it.',
  },
  account_in_use: {
    message: 'Entries use this account.',
    next: 'Deactivate it instead.',
  },
  year_not_closable: {
    message: 'That year cannot be closed or reopened now.',
    next: 'See details.reason: years are closed in order once they have ended, and reopened from the last.',
    window: { next: 'Years are closed in order, once over, and opened from the last.' },
  },
  export_too_large: {
    message: 'That is more than one file of this kind can contain.',
    next: 'Request a shorter period or one account, or CSV.',
  },
  attachment_type: {
    message: 'Files of that type are not accepted.',
    next: 'Send a PDF, XML, PNG, JPEG, WebP, HEIC, text, CSV, XLSX without macros, or a mail.',
  },
  format_unavailable: {
    message: 'This invoice is not available in that format.',
    next: 'See details.why for the missing data; the PDF is always available.',
    window: { next: 'See which data is missing; the PDF is always available.' },
  },
  export_too_many: {
    message: 'That is more documents than one archive can contain.',
    next: 'Narrow the filter, for instance to a shorter period; details.most is the maximum.',
    window: { next: 'Shorten the period or add another filter, and export them in parts.' },
  },
  export_not_ready: {
    message: 'The documents are still being prepared.',
    next: 'Read the export again until its state is ready, then request its file.',
    window: { next: 'Wait until they are ready, then save the file.' },
  },
  exports_busy: {
    message: 'This book has reached its maximum number of exports in progress.',
    next: 'Wait for one of them, or cancel it.',
  },
  bulk_work_full: {
    message: 'Several works over many companies of yours are still going on.',
    next: 'Wait until one has ended, or cancel it.',
  },
  colleague_unknown: {
    message: 'That person may not open this company.',
    next: 'Choose one of the people who may, or invite that person first.',
  },
  logo_unusable: {
    message: 'That picture cannot be used as a logo.',
    next: 'Send a PNG or JPEG in RGB or grey, 16 to 2,000 pixels a side; details.why gives the reason.',
    window: { next: 'Use a PNG or JPEG in RGB or grey, 16 to 2,000 pixels a side.' },
  },
  attachment_in_use: {
    message: 'That file is in use.',
    next: 'First remove it from the record it is attached to.',
  },
  received_duplicate: {
    message: 'An invoice with the same supplier, number and date is already entered.',
    next: 'Look at the one named in details; if it is another one, send allowDuplicate.',
    window: { next: 'Look at it; if it is another one, confirm that and enter it.' },
  },
  received_void: {
    message: 'That received invoice is void.',
    next: 'Enter it again; the void one keeps its number.',
    window: { next: 'Record the payment for the invoice that replaced it.' },
  },
  before_these_books: {
    message: 'It comes from an earlier program: Sello neither issued nor entered it, and does not change it.',
    next: 'Undo the move, correct the file and take it in again, or make a rectifying invoice that names it.',
    window: { next: 'Undo the move, correct the file and take it in again.' },
  },
  received_not_void: {
    message: 'That received invoice is not void.',
    next: 'There is nothing to restore.',
  },
  received_paid: {
    message: 'That received invoice has payments.',
    next: 'Remove its payments first.',
  },
  incoming_not_ready: {
    message: 'Nothing proves some values of that document.',
    next: 'Look at the fields in details.doubts, and send all values as input.',
    window: { next: 'Open it and check the marked fields.' },
  },
  incoming_decided: {
    message: 'That document is entered or rejected already.',
    next: 'Look at its state; a rejected one can be restored.',
    window: { next: 'Look at its entry, or bring it back if it was rejected.' },
  },
  incoming_not_rejected: {
    message: 'That document is not rejected.',
    next: 'There is nothing to restore.',
  },
  incoming_one_file: {
    message: 'Those documents cannot be split or joined like this.',
    next: 'Split a document of one file with several pages; join whole files, at most 20 and 50 MiB together.',
  },
  incoming_rule_missing: {
    message: 'There is no rule yet by which several documents may be entered at once.',
    next: 'A person sets it in the window, with the incoming documents.',
    window: { next: 'Set the rule first.' },
  },
  incoming_source_desk_only: {
    message: 'That is only possible on the computer that has the books.',
    next: 'Use a mailbox with a password.',
  },
  restore_gone: {
    message: 'That can no longer be restored.',
    next: 'Deleted records are kept for a day; enter it again.',
  },
  restore_taken: {
    message: 'Another record has taken its place, or the record it belonged to has changed.',
    next: 'Enter it again.',
  },
  file_unreadable: {
    message: 'The file could not be read.',
    next: 'See details.why; the file can still be attached and its data typed.',
    window: {
      next: 'It may be damaged, protected or too large. Enter the data by hand: the file is attached anyway.',
    },
  },
  no_file_layout: {
    message: 'Sello does not know how the tax agency wants the file of this return for that year.',
    next: 'Type the figures into the agency’s form; an update of Sello will know the design once it is published.',
  },
  filed_by_service: {
    message: 'The agency has accepted that return, so that it cannot be taken back here.',
    next: 'Correct it with a rectifying or complementary return.',
  },
  filing_under_way: {
    message: 'A filing of that period is under way, or its answer was lost and is being asked for.',
    next: 'Wait until the agency has told what became of it.',
  },
  filing_not_possible: {
    message: 'This book cannot file that return by itself now; `details.why` says why.',
    next: 'Download the file and upload it to the site of the agency, or put right what is missing.',
  },
  exchange_off: {
    message: 'This book does not use the public platform for invoices.',
    next: 'A person turns sending on in the settings of electronic invoices.',
  },
  exchange_live_closed: {
    message:
      'The real platform is closed: the tax agency has not published what sending to it needs. `details.assumptions` names what is missing.',
    next: 'Meanwhile send the structured file by mail, and try everything in the test book.',
  },
  exchange_not_possible: {
    message: 'That cannot be done with this invoice now; `details.why` says why.',
    next: 'Read the invoice again: what can be said of it stands in `mayReport`.',
  },
  exchange_file_unreadable: {
    message: 'The file is no invoice, message of statuses or answer of the platform that can be read.',
    next: 'Fetch it again from the platform, as XML, and change nothing in it.',
  },
  already_filed: {
    message: 'That return is marked as filed.',
    next: 'Remove the mark first; the filed figures stay in the history.',
  },
  hand_on_not_set: {
    message: 'Nobody has said yet how the journal is handed on to the accountant.',
    next: 'Save the program, the digits of its accounts, and what the office asks for, first.',
  },
  hand_on_nothing: {
    message: 'No entries of these days are new or have changed.',
    next: 'Choose other days, or ask for what was handed on before, too.',
  },
  hand_on_changed: {
    message: 'The entries or the accounts have changed since they were handed on.',
    next: 'Hand on again: what has changed is proposed again.',
  },
  return_not_filed: {
    message: 'The return of the quarter is not marked as filed.',
    next: 'File it or mark it as filed: the entry takes the amounts of the return.',
  },
  vat_entered: {
    message: 'The VAT of that quarter is settled already, or nothing is left to settle.',
    next: 'To do it again, remove the entry (details.entryId) in the ledger first.',
    window: { next: 'To do it again, remove the entry in the ledger first.' },
  },
  vat_entry_differs: {
    message: 'The VAT of the ledger is not that of the return as filed.',
    next: 'Find the difference (details.filed, details.ledger), or send acceptDifference: the amounts of the ledger are booked.',
    window: { next: 'Find the difference, or accept it: the amounts of the ledger are booked.' },
  },
  books_too_large: {
    message: 'There are more rows than fit into one file.',
    next: 'Request an earlier quarter, or export the invoices from their lists.',
  },
  asset_taken: {
    message: 'That line of the invoice already has a fixed asset.',
    next: 'Change that asset (details.assetId) instead.',
    window: { next: 'Change that asset instead.' },
  },
  asset_booked: {
    message: 'Depreciation of this asset is booked.',
    next: 'Undo it first: price, days and accounts stay while anything is booked.',
  },
  asset_disposed: {
    message: 'The asset is gone.',
    next: 'Undo its disposal first.',
  },
  asset_not_disposed: {
    message: 'The asset is not gone.',
    next: 'There is nothing to undo.',
  },
  depreciation_changed: {
    message: 'What is to be booked has changed since it was shown.',
    next: 'Look at it again: details.total is the new total.',
    window: { next: 'Look at it again.' },
  },
  bank_account_taken: {
    message: 'Another bank account has this IBAN or this ledger account.',
    next: 'Use that one, or choose another ledger account below 572.',
  },
  bank_account_in_use: {
    message: 'The bank account has movements.',
    next: 'Deactivate it instead, or undo its imports first.',
  },
  bank_import_matched: {
    message: 'Some movements of this file are already matched.',
    next: 'First undo those matches; details gives their number.',
    window: { next: 'First undo those {matched}.' },
  },
  bank_already_matched: {
    message: 'The movement is already matched.',
    next: 'Undo its match first.',
  },
  bank_not_matched: {
    message: 'The movement is not matched.',
    next: 'There is nothing to undo.',
  },
  lookup_unavailable: {
    message: 'The external service did not answer.',
    next: 'Try again later; nothing was changed.',
  },
  lookup_refused: {
    message: 'The external service rejected the query, or sent an unusable answer.',
    next: "Read the details, or use the service's own website.",
  },
  exchange_rate_unknown: {
    message: 'There is no reference rate of that currency for that day.',
    next: 'Choose a currency that the European Central Bank publishes and a day within the last 90, or enter the rate by hand.',
  },
  mail_not_configured: {
    message: 'No mail account is set up, or its password is missing.',
    next: 'Set up the account in the settings, or use the mail program.',
    window: { next: 'Set it up in Settings, E-mail, or open the message in your mail program.' },
  },
  mail_not_issued: {
    message: 'A draft is not sent to a customer.',
    next: 'Issue the invoice first.',
  },
  mail_test_recipient: {
    message: "A test book sends mail only to the company's own address.",
    next: 'Send it to the address given in details, or use the live book.',
    window: { next: 'Change the recipient, or use the live book.' },
  },
  mail_too_large: {
    message: 'The attachments are too large for one mail.',
    next: 'Send fewer documents in one mail.',
  },
  reply_code_missing: {
    message: 'There is no answer in this text.',
    next: 'Give the whole mail, or the file that the reply page saved: the code begins with [svcr1.',
  },
  reply_code_refused: {
    message: 'No reply page of these books can have made this answer.',
    next: 'See in details.why whether it is damaged, of other books, altered, or of a page from before these books moved here. Ask the customer to send the file; for a page from before the move, make the page again and send it.',
  },
  mail_not_open: {
    message: 'This mail can no longer be changed: it was sent, is being sent, or was cancelled.',
    next: 'Read the mail again; its actions list what is possible.',
  },
  merge_superseded: {
    message: 'That merge can no longer be undone.',
    next: 'If the contact was merged again later, undo that merge first.',
  },
  import_state: {
    message: 'The import is not in a state that allows this.',
    next: 'Read its state: a draft can be checked and applied, a running or finished import can be undone.',
  },
  moving_state: {
    message: 'The move is not in a state that allows this.',
    next: 'Read its state: a draft can be applied or discarded, what was taken in can be undone.',
  },
  moving_in_use: {
    message: 'Documents of the move are used in these books.',
    next: 'Undo the payments, reminders and remittances that are named first, and then the move.',
  },
  moving_file_reading: {
    message: 'A file of the move is being read, or its reading was interrupted.',
    next: 'Wait until it is read, add it again, or take it out of the move.',
  },
  moving_unproven: {
    message: 'Returns of the move differ from what was filed, or nobody has said what was filed.',
    next: 'Type what was filed, say why it differs, or leave the return without proof.',
  },
  office_not_migrated: {
    message: 'The database of the office does not have the schema of this program.',
    next: 'Run "sello office migrate" once with this version, as the role that owns the tables.',
  },
  office_servers_older: {
    message: 'Servers of an older version are running that could not go on with the new schema.',
    next: 'Replace them by the version in between first, or stop them and wait a minute.',
  },
  office_key_wrong: {
    message: 'The master key is not the one with which the secrets in this database are sealed.',
    next: 'Name the file with the right key; nothing was changed.',
  },
  office_database_refused: {
    message: 'The database refused the connection.',
    next: 'Check its address, role and certificate; details.why has the reason.',
  },
  office_role_unfit: {
    message: 'The role of the servers is missing in the database, or may do more than servers need.',
    next: 'As the administrator run "create role sello_server login password …", or name another role with --servers-role; details.why has the reason.',
  },
  office_server_ending: {
    message: 'This server of the office is ending.',
    next: 'Send the request again: another server answers.',
  },
}
