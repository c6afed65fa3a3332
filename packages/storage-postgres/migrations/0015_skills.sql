-- What the agents of a tenant can do. The version says which of skill_versions is served; 0 only within the transaction that makes a skill.
create table loam.skills (
  tenant_id uuid not null references loam.tenants (id),
  id uuid not null,
  slug text collate "C" not null,
  visibility text not null check (visibility in ('private', 'internal', 'public')),
  status text not null default 'active' check (status in ('active', 'archived')),
  owner_user_id text collate "C" not null default '',
  owner_agent_id uuid,
  version integer not null default 0,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, owner_agent_id) references loam.agents (tenant_id, id) on delete set null (owner_agent_id)
);
create unique index skills_by_slug on loam.skills (tenant_id, slug) where deleted_at is null;
create index skills_by_owner_agent on loam.skills (tenant_id, owner_agent_id) where owner_agent_id is not null;

create table loam.skill_versions (
  tenant_id uuid not null,
  skill_id uuid not null,
  version integer not null check (version >= 1),
  name text not null,
  description text not null,
  frontmatter jsonb not null,
  warnings jsonb not null,
  content_hash text collate "C" not null,
  file_count integer not null,
  size_bytes integer not null,
  created_by text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, skill_id, version),
  foreign key (tenant_id, skill_id) references loam.skills (tenant_id, id) on delete cascade
);

create table loam.skill_files (
  tenant_id uuid not null,
  skill_id uuid not null,
  version integer not null,
  path text collate "C" not null,
  size_bytes integer not null,
  content bytea not null,
  primary key (tenant_id, skill_id, version, path),
  foreign key (tenant_id, skill_id, version) references loam.skill_versions (tenant_id, skill_id, version) on delete cascade
);

create table loam.skill_agent_grants (
  tenant_id uuid not null,
  skill_id uuid not null,
  agent_id uuid not null,
  pinned_version integer,
  can_manage boolean not null default false,
  granted_by text not null,
  granted_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, skill_id, agent_id),
  foreign key (tenant_id, skill_id) references loam.skills (tenant_id, id) on delete cascade,
  foreign key (tenant_id, agent_id) references loam.agents (tenant_id, id) on delete cascade,
  foreign key (tenant_id, skill_id, pinned_version) references loam.skill_versions (tenant_id, skill_id, version)
);
create index skill_agent_grants_by_agent on loam.skill_agent_grants (tenant_id, agent_id);

create table loam.skill_user_grants (
  tenant_id uuid not null,
  skill_id uuid not null,
  user_id text collate "C" not null check (user_id <> ''),
  can_manage boolean not null default false,
  granted_by text not null,
  granted_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, skill_id, user_id),
  foreign key (tenant_id, skill_id) references loam.skills (tenant_id, id) on delete cascade
);

-- A slug that is missing here is switched on.
create table loam.skill_switches (
  tenant_id uuid not null references loam.tenants (id),
  slug text collate "C" not null,
  enabled boolean not null,
  primary key (tenant_id, slug)
);

-- Counts the changes, so that whoever keeps a tenant's skills in memory sees that they are old.
create table loam.skill_revisions (
  tenant_id uuid primary key references loam.tenants (id),
  revision bigint not null
);

-- It tells of skills that are gone, too, so it refers to none.
create table loam.skill_audit (
  tenant_id uuid not null references loam.tenants (id),
  id uuid not null,
  slug text collate "C" not null,
  skill_id uuid,
  action text not null,
  actor text not null,
  details jsonb not null,
  at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id)
);
create index skill_audit_by_moment on loam.skill_audit (tenant_id, at, id);
create index skill_audit_by_slug on loam.skill_audit (tenant_id, slug, at, id);

-- Little-endian single precision. They are compared in memory, with exactly the skills that a caller may use.
create table loam.skill_vectors (
  tenant_id uuid not null references loam.tenants (id),
  space_id integer not null references loam.embedding_spaces (id),
  text_hash text collate "C" not null,
  embedding bytea not null,
  primary key (tenant_id, space_id, text_hash)
);

create table loam.system_configs (
  tenant_id uuid not null references loam.tenants (id),
  key text collate "C" not null,
  value text not null,
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, key)
);

-- What a tenant has embedded of its skills was for no agent in particular.
alter table loam.model_calls alter column agent_id drop not null;

do $$
declare
  name text;
begin
  foreach name in array array[
    'skills', 'skill_versions', 'skill_files', 'skill_agent_grants', 'skill_user_grants', 'skill_switches',
    'skill_revisions', 'skill_audit', 'skill_vectors', 'system_configs'
  ] loop
    execute format('alter table loam.%I enable row level security', name);
    execute format('alter table loam.%I force row level security', name);
  end loop;
  foreach name in array array[
    'skill_agent_grants', 'skill_switches', 'skill_revisions', 'skill_audit', 'skill_vectors', 'system_configs'
  ] loop
    execute format('create policy of_tenant on loam.%I using (tenant_id = (select loam.tenant_of_work()))', name);
  end loop;
end
$$;

-- A private skill that a user owns is nobody else's business, not even that it is there.
create policy of_tenant_and_owner on loam.skills using (
  tenant_id = (select loam.tenant_of_work())
  and (
    visibility <> 'private' or owner_user_id = '' or owner_user_id = (select loam.user_of_work())
    or (select loam.is_for_every_user())
  )
);
create policy of_seen_skills on loam.skill_versions using (
  tenant_id = (select loam.tenant_of_work())
  and exists (select from loam.skills s where s.tenant_id = skill_versions.tenant_id and s.id = skill_versions.skill_id)
);
create policy of_seen_skills on loam.skill_files using (
  tenant_id = (select loam.tenant_of_work())
  and exists (select from loam.skills s where s.tenant_id = skill_files.tenant_id and s.id = skill_files.skill_id)
);
create policy of_tenant_and_user on loam.skill_user_grants using (
  tenant_id = (select loam.tenant_of_work())
  and (user_id = (select loam.user_of_work()) or (select loam.is_for_every_user()))
);

grant select, insert, update, delete on loam.skills, loam.skill_agent_grants, loam.skill_user_grants, loam.system_configs to loam_app;
grant select, insert, delete on loam.skill_versions, loam.skill_files, loam.skill_vectors to loam_app;
grant select, insert, update on loam.skill_switches, loam.skill_revisions to loam_app;
grant update (embedding) on loam.skill_vectors to loam_app;
grant select, insert on loam.skill_audit to loam_app;
