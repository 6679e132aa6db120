/** How far the events of each book were handed out to its webhooks. */

/**
 * One cursor for all books would pass events that are committed late: identifiers are given before the commit, and
 * only the transactions of one company follow each other. A book without a row has handed out nothing yet.
 */
export const eventCursors = `
create table event_cursors (
  book_id integer primary key references books,
  event_id integer not null
) strict;
insert into event_cursors (book_id, event_id)
  select distinct webhooks.book_id, webhook_fan_out.event_id from webhooks, webhook_fan_out;
drop table webhook_fan_out;
`
