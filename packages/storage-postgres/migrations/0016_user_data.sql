-- Erasing what is held about a user reaches these, too. With a scope go its chunks, vectors and postings.
grant delete on loam.scopes, loam.agent_users to loam_app;
create index model_calls_by_agent_and_user on loam.model_calls (tenant_id, user_id, agent_id);
