alter table loam.agents
  add column status text not null default 'active',
  add column expertise text;

-- What an agent is (user ''), and what it knows of one user.
create table loam.context_files (
  tenant_id uuid not null,
  agent_id uuid not null,
  user_id text collate "C" not null default '',
  name text collate "C" not null,
  content text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, agent_id, user_id, name),
  foreign key (tenant_id, agent_id) references loam.agents (tenant_id, id) on delete cascade
);

-- What they said before.
create table loam.context_file_versions (
  tenant_id uuid not null,
  agent_id uuid not null,
  user_id text collate "C" not null,
  name text collate "C" not null,
  version integer not null,
  content text not null,
  replaced_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, agent_id, user_id, name, version),
  foreign key (tenant_id, agent_id, user_id, name)
    references loam.context_files (tenant_id, agent_id, user_id, name) on delete cascade
);

-- How far an agent and one of its users have got to know each other.
create table loam.agent_users (
  tenant_id uuid not null,
  agent_id uuid not null,
  user_id text collate "C" not null,
  turns integer not null default 0,
  last_turn_id text collate "C",
  onboarded_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, agent_id, user_id),
  foreign key (tenant_id, agent_id) references loam.agents (tenant_id, id) on delete cascade
);

-- Which agents an agent may hand work to.
create table loam.agent_links (
  tenant_id uuid not null,
  from_agent_id uuid not null,
  to_agent_id uuid not null,
  description text,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, from_agent_id, to_agent_id),
  foreign key (tenant_id, from_agent_id) references loam.agents (tenant_id, id) on delete cascade,
  foreign key (tenant_id, to_agent_id) references loam.agents (tenant_id, id) on delete cascade
);
create index agent_links_by_target on loam.agent_links (tenant_id, to_agent_id);

-- The newest writing of an agent's files by a model.
create table loam.summons (
  tenant_id uuid not null,
  agent_id uuid not null,
  generation integer not null,
  kind text not null,
  state text not null,
  instruction text not null,
  files jsonb not null default '[]',
  error jsonb,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (tenant_id, agent_id),
  foreign key (tenant_id, agent_id) references loam.agents (tenant_id, id) on delete cascade
);

do $$
declare
  name text;
begin
  foreach name in array array['context_files', 'context_file_versions', 'agent_users', 'agent_links', 'summons'] loop
    execute format('alter table loam.%I enable row level security', name);
    execute format('alter table loam.%I force row level security', name);
  end loop;
  foreach name in array array['context_files', 'context_file_versions', 'agent_users'] loop
    execute format($policy$
      create policy of_tenant_and_user on loam.%I using (
        tenant_id = (select loam.tenant_of_work())
        and (user_id = '' or user_id = (select loam.user_of_work()) or (select loam.is_for_every_user()))
      )$policy$, name);
  end loop;
end
$$;
create policy of_tenant on loam.agent_links using (tenant_id = (select loam.tenant_of_work()));
create policy of_tenant on loam.summons using (tenant_id = (select loam.tenant_of_work()));

grant select, insert, update, delete on loam.context_files, loam.agent_links to loam_app;
grant select, insert, delete on loam.context_file_versions to loam_app;
grant select, insert, update on loam.agent_users, loam.summons to loam_app;
