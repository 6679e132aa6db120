/** Events name who did it. */

export const eventActors = `
-- Null for events of earlier versions.
alter table events add column actor_id integer references actors;
`
