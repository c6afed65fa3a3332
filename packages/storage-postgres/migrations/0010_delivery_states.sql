-- A delivery that waits in a queue ('sent') is told from one that a handler has in hand ('running'), so that exactly one
-- handler can begin an attempt; and the tries that count against the limit of retries from the times it was sent.
-- An expression of a generated column cannot be changed before Postgres 17, so the column is made again, with its indexes.
alter table loam.deliveries
  drop constraint deliveries_state,
  drop constraint deliveries_lease,
  drop column due_at;
alter table loam.deliveries
  add column tries integer not null default 0,
  add column due_at timestamptz(3) generated always as (
    case state when 'pending' then run_after when 'sent' then lease_until when 'running' then lease_until end
  ) stored,
  add constraint deliveries_state check (state in ('pending', 'sent', 'running', 'done', 'dead')),
  add constraint deliveries_lease check ((state in ('sent', 'running')) = (lease_until is not null));

create index deliveries_due on loam.deliveries (tenant_id, consumer, due_at, id) where due_at is not null;
create index deliveries_due_by_consumer on loam.deliveries (consumer, due_at) where due_at is not null;
create index deliveries_by_key on loam.deliveries (tenant_id, consumer, ordering_key, due_at, id) where due_at is not null;
-- How many are out, for a relay that keeps their number bounded.
create index deliveries_out on loam.deliveries (consumer, lease_until) where lease_until is not null;
drop index loam.deliveries_dead;
create index deliveries_dead on loam.deliveries (tenant_id, id) where state = 'dead';
-- What has been handled is forgotten after some time.
create index events_by_age on loam.events (tenant_id, occurred_at);

grant update (tries) on loam.deliveries to loam_system;
