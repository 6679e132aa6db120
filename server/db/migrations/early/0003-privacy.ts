/** Second schema: contacts that the law lets nobody use any more, and mails that may be emptied once and for all. */

/**
 * A mail stays frozen but for one change: being emptied, which leaves when and what was sent and takes who it went to and
 * what it said. Its files may go then, too.
 */
export const privacy = `
-- Blocked (LOPDGDD art. 32): kept out of sight until that day, because something that must be kept names it.
alter table contacts add column blocked_at integer;
alter table contacts add column keep_until text;
create index contacts_blocked on contacts (book_id, keep_until) where blocked_at is not null;

alter table mails add column emptied_at integer;
drop trigger mails_frozen;
create trigger mails_frozen before update of book_id, public_id, kind, channel, language, from_name, from_address, reply_to,
  recipients, copies, blind_copy, subject, body, message_id, consequence, made_by, created_at, emptied_at on mails
  when not (old.emptied_at is null and new.emptied_at is not null
    and new.recipients = '[]' and new.copies = '[]' and new.blind_copy is null and new.subject = '' and new.body = ''
    and new.consequence is null and new.book_id = old.book_id and new.public_id = old.public_id and new.kind = old.kind
    and new.channel = old.channel and new.language = old.language and new.from_name is old.from_name
    and new.from_address is old.from_address and new.reply_to is old.reply_to and new.message_id = old.message_id
    and new.made_by = old.made_by and new.created_at = old.created_at)
  begin select raise(abort, 'frozen: mails'); end;
drop trigger mail_attachments_kept;
create trigger mail_attachments_kept before delete on mail_attachments
  when (select emptied_at from mails where id = old.mail_id) is null
  begin select raise(abort, 'frozen: mail_attachments'); end;
`
