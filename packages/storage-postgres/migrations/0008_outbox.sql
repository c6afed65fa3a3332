create table loam.events (
  tenant_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  user_id text collate "C" not null default '',
  session_id uuid,
  type text not null,
  payload jsonb not null,
  occurred_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, agent_id) references loam.agents (tenant_id, id) on delete cascade
);
create index events_by_agent on loam.events (tenant_id, agent_id);
create index events_by_session on loam.events (tenant_id, session_id) where session_id is not null;

create table loam.deliveries (
  tenant_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  user_id text collate "C" not null default '',
  consumer text collate "C" not null,
  ordering_key text collate "C" not null,
  state text not null default 'pending',
  attempt integer not null default 0,
  run_after timestamptz(3) not null,
  lease_until timestamptz(3),
  last_error text,
  -- When it is to be sent: at once, after a wait, or when its lease ends. Null when it is done or dead, so that
  -- the indexes of open deliveries do not grow with those that are done.
  due_at timestamptz(3) generated always as (
    case state when 'pending' then run_after when 'sent' then lease_until end
  ) stored,
  primary key (tenant_id, id),
  foreign key (tenant_id, event_id) references loam.events (tenant_id, id) on delete cascade,
  constraint deliveries_state check (state in ('pending', 'sent', 'done', 'dead')),
  constraint deliveries_lease check ((state = 'sent') = (lease_until is not null))
);
create index deliveries_by_event on loam.deliveries (tenant_id, event_id);
create index deliveries_due on loam.deliveries (tenant_id, consumer, due_at, id) where due_at is not null;
create index deliveries_due_by_consumer on loam.deliveries (consumer, due_at) where due_at is not null;
create index deliveries_by_key on loam.deliveries (tenant_id, consumer, ordering_key, due_at, id) where due_at is not null;
create index deliveries_dead on loam.deliveries (id) where state = 'dead';
create index deliveries_counts on loam.deliveries (consumer, state);

create table loam.model_calls (
  tenant_id uuid not null references loam.tenants on delete cascade,
  id uuid not null,
  -- No foreign key: what was spent is remembered after the agent is gone.
  agent_id uuid not null,
  user_id text collate "C" not null default '',
  task text not null,
  kind text not null,
  provider text not null,
  model text not null,
  run_id text,
  job_id text,
  status text not null default 'started',
  input_tokens bigint,
  output_tokens bigint,
  error_code text,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (tenant_id, id)
);
create index model_calls_by_user on loam.model_calls (tenant_id, user_id, started_at) include (input_tokens, output_tokens);
create index model_calls_by_time on loam.model_calls (tenant_id, started_at) include (input_tokens, output_tokens);
