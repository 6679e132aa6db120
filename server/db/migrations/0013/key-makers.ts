/**
 * Which key made a key. The caps of a maker count what its keys issue, and revoking it revokes them.
 *
 * The makers of existing keys stand in the history. A key whose maker was revoked before is revoked with it.
 */
export const keyMakers = `
alter table api_keys add column maker_id integer references api_keys;
create index api_keys_by_maker on api_keys (maker_id) where maker_id is not null;
update api_keys set maker_id = (
  select maker.id
  from audit_events
  join actors on actors.id = audit_events.actor_id and actors.kind = 'key'
  join api_keys as maker on maker.public_id = actors.public_id and maker.book_id = api_keys.book_id
  where audit_events.book_id = api_keys.book_id
    and audit_events.target_id = api_keys.public_id
    and audit_events.action = 'key.created'
    and maker.id < api_keys.id
);
with recursive fallen (id, at) as (
  select id, revoked_at from api_keys where revoked_at is not null
  union
  select api_keys.id, fallen.at from api_keys join fallen on api_keys.maker_id = fallen.id
)
update api_keys
set revoked_at = (select min(fallen.at) from fallen where fallen.id = api_keys.id)
where revoked_at is null and id in (select id from fallen);
`
