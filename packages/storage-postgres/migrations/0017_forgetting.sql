-- What one message, episode, document or file held is forgotten without a trace, and stays so.

-- A message keeps its place and its id, so that sending it again does not bring it back.
alter table loam.messages add column forgotten_at timestamptz(3);
grant update (content, name, sender_id, tool_calls, tool_call_id, metadata, digest, forgotten_at) on loam.messages to loam_app;
-- What was said is changed in no other way.
create policy only_to_forget on loam.messages as restrictive for update
  with check (forgotten_at is not null and content is null and tool_calls is null and metadata is null);
grant update (compaction_summary) on loam.runs to loam_app;
grant update (summary, abstract, topics, method) on loam.episodes to loam_app;

-- How far a session is covered holds though its episodes expire or are forgotten. The count tells a summary in the making
-- that what it was made of has changed.
alter table loam.sessions
  add column covered_sequence integer not null default 0,
  add column forgotten_count integer not null default 0;

-- The owner sees rows of every tenant only where the policies are not forced upon it.
alter table loam.sessions no force row level security;
alter table loam.episodes no force row level security;
update loam.sessions s set covered_sequence = e.last_sequence
from (select tenant_id, session_id, max(last_sequence) as last_sequence from loam.episodes group by tenant_id, session_id) e
where s.tenant_id = e.tenant_id and s.id = e.session_id;
alter table loam.sessions force row level security;
alter table loam.episodes force row level security;
drop index loam.episodes_covered;
