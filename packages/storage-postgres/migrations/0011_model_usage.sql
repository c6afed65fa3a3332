-- What each call is charged: at first what was reserved for it, in the end what it cost.
alter table loam.model_calls
  add column charged_tokens bigint not null default 0,
  add column cost_nano_usd bigint not null default 0;

drop index loam.model_calls_by_user;
drop index loam.model_calls_by_time;
create index model_calls_by_user on loam.model_calls (tenant_id, user_id, started_at)
  include (input_tokens, output_tokens, charged_tokens, cost_nano_usd);
create index model_calls_by_time on loam.model_calls (tenant_id, started_at)
  include (input_tokens, output_tokens, charged_tokens, cost_nano_usd);

-- What the calls of a tenant are charged on one day (UTC), all users together: the row that reservations compete for.
-- It is made from the calls when the first one under a limit begins; where nothing is limited, nobody waits for it.
create table loam.model_usage (
  tenant_id uuid not null references loam.tenants on delete cascade,
  day date not null,
  calls bigint not null,
  charged_tokens bigint not null,
  cost_nano_usd bigint not null,
  primary key (tenant_id, day)
);

alter table loam.model_usage enable row level security;
alter table loam.model_usage force row level security;
-- A limit is the tenant's, whichever user reaches it.
create policy of_tenant on loam.model_usage using (tenant_id = (select loam.tenant_of_work()));
grant select, insert, update on loam.model_usage to loam_app;
